import Foundation

/// Builds an archive laid out as `NSKeyedArchiver` does: numbered objects that refer to each other.
///
/// Objects may refer to numbers that are filled later, so cycles need no care. Equal strings and numbers, classes and
/// copied objects are stored once.
struct KeyedArchiveWriter {
  /// A reference to an object; `null` is the one to nothing.
  struct Reference: Hashable, Sendable {
    fileprivate let number: Int

    static let null = Reference(number: 0)
    /// How it stands in the archive.
    var value: PropertyListValue { .uid(number) }
  }

  private var objects: [PropertyListValue] = [.string("$null")]
  private var plain: [PropertyListValue: Reference] = [:]
  private var classes: [[String]: Reference] = [:]
  private var copies: [CopiedNode: Reference] = [:]
  private var pending: [(node: KeyedArchive.Node, target: Reference)] = []

  private struct CopiedNode: Hashable {
    let archive: ObjectIdentifier
    let id: Int
  }

  /// A number for an object that comes later.
  mutating func reserve() -> Reference {
    objects.append(.string(""))
    return Reference(number: objects.count - 1)
  }

  /// A plain value, shared with equal ones.
  mutating func add(_ value: PropertyListValue) -> Reference {
    if let known = plain[value] { return known }
    let reference = reserve()
    objects[reference.number] = value
    plain[value] = reference
    return reference
  }

  /// A string, or null.
  mutating func add(_ string: String?) -> Reference {
    string.map { add(.string($0)) } ?? .null
  }

  /// Fills a reserved number with an object of a class, given with its ancestors.
  mutating func fill(_ target: Reference, class chain: [String], _ entries: [PropertyListValue.Entry]) {
    let description = self.class(chain)
    objects[target.number] = .dictionary(entries + [PropertyListValue.Entry("$class", description.value)])
  }

  /// An object of a class, given with its ancestors.
  mutating func object(class chain: [String], _ entries: [PropertyListValue.Entry]) -> Reference {
    let reference = reserve()
    fill(reference, class: chain, entries)
    return reference
  }

  /// A collection of one of Foundation's classes.
  mutating func collection(class chain: [String], _ members: [Reference]) -> Reference {
    object(class: chain, [PropertyListValue.Entry("NS.objects", .array(members.map(\.value)))])
  }

  /// A dictionary of one of Foundation's classes.
  mutating func dictionary(class chain: [String], _ entries: [(key: Reference, value: Reference)]) -> Reference {
    object(
      class: chain,
      [
        PropertyListValue.Entry("NS.keys", .array(entries.map(\.key.value))),
        PropertyListValue.Entry("NS.objects", .array(entries.map(\.value.value))),
      ])
  }

  private mutating func `class`(_ chain: [String]) -> Reference {
    if let known = classes[chain] { return known }
    let reference = reserve()
    objects[reference.number] = .dictionary([
      PropertyListValue.Entry("$classname", .string(chain.first ?? "NSObject")),
      PropertyListValue.Entry("$classes", .array(chain.map { .string($0) })),
    ])
    classes[chain] = reference
    return reference
  }

  /// A copy of an object of another archive with all it refers to, whatever its class.
  ///
  /// `replacement` is asked for every object first, so that what is written anew is not copied.
  ///
  /// - Throws: `ArchiveError` when an object holds inline values that nest without end.
  mutating func copy(
    _ node: KeyedArchive.Node, replacing replacement: (KeyedArchive.Node) -> Reference?
  ) throws -> Reference {
    let reference = reference(toCopyOf: node, replacement)
    while let (node, target) = pending.popLast() {
      objects[target.number] = try redirected(node.stored(), in: node, replacement)
    }
    return reference
  }

  private mutating func reference(
    toCopyOf node: KeyedArchive.Node, _ replacement: (KeyedArchive.Node) -> Reference?
  ) -> Reference {
    if let replaced = replacement(node) { return replaced }
    let key = CopiedNode(archive: node.archiveIdentity, id: node.id)
    if let known = copies[key] { return known }
    let reference = reserve()
    copies[key] = reference
    pending.append((node, reference))
    return reference
  }

  private mutating func redirected(
    _ value: PropertyListValue, in node: KeyedArchive.Node, _ replacement: (KeyedArchive.Node) -> Reference?
  ) throws -> PropertyListValue {
    switch value {
    case .uid(let number):
      guard let target = node.sibling(number) else { return Reference.null.value }
      return reference(toCopyOf: target, replacement).value
    case .array(let values): return .array(try values.map { try redirected($0, in: node, replacement) })
    case .set(let values): return .set(try values.map { try redirected($0, in: node, replacement) })
    case .dictionary(let entries):
      return .dictionary(
        try entries.map { PropertyListValue.Entry($0.key, try redirected($0.value, in: node, replacement)) })
    default: return value
    }
  }

  /// The archive's bytes, with the object under `root`.
  func bytes(root: Reference) -> [UInt8] {
    BinaryPropertyListWriter.bytes(
      .dictionary([
        PropertyListValue.Entry("$version", .integer(100_000)),
        PropertyListValue.Entry("$archiver", .string("NSKeyedArchiver")),
        PropertyListValue.Entry("$top", .dictionary([PropertyListValue.Entry("root", root.value)])),
        PropertyListValue.Entry("$objects", .array(objects)),
      ]))
  }
}
