import Foundation

/// A view over what `NSKeyedArchiver` wrote: objects by key, without making any class.
///
/// Nothing is decoded before it is asked for, cycles are as good as any reference, and an unknown class is just a
/// class name. Whoever walks the graph must bound his own recursion.
final class KeyedArchive: Sendable {
  fileprivate let plist: BinaryPropertyList
  /// Number in `$objects` → number in the property list.
  fileprivate let objects: [Int]
  /// The property list's equal strings under one number, so that keys are compared as numbers.
  fileprivate let canonical: [Int32]
  fileprivate let numbers: [String: Int32]
  private let top: Int

  /// Opens an archive (`bplist00` with `$archiver`, `$objects` and `$top`).
  ///
  /// - Throws: `ArchiveError` when the bytes are no binary property list or not laid out as an archive.
  init(_ bytes: [UInt8]) throws {
    let plist = try BinaryPropertyList(bytes)
    var canonical = [Int32](repeating: -1, count: plist.objects.count)
    var numbers: [String: Int32] = [:]
    for (index, object) in plist.objects.enumerated() {
      guard case .string(let string) = object else { continue }
      if let known = numbers[string] {
        canonical[index] = known
      } else {
        canonical[index] = Int32(truncatingIfNeeded: index)
        numbers[string] = canonical[index]
      }
    }
    func member(_ name: String) -> Int? {
      guard case .dictionary(let keys, let values) = plist.objects[plist.root], let key = numbers[name] else {
        return nil
      }
      return zip(keys, values).first { canonical[plist.references[$0.0]] == key }.map { plist.references[$0.1] }
    }
    guard let list = member("$objects"), case .array(let range) = plist.objects[list], let top = member("$top") else {
      throw ArchiveError("it is not a keyed archive")
    }
    self.plist = plist
    self.canonical = canonical
    self.numbers = numbers
    self.top = top
    objects = Array(plist.references[range])
  }

  /// Opens an archive held in data.
  convenience init(_ data: Data) throws {
    try self.init([UInt8](data))
  }

  /// The object under the key `root`, nil when there is none.
  var root: Node? { Node(archive: self, id: top)["root"] }

  /// What stands at the top, mostly one object under the key `root`.
  var members: [(key: String, value: Node?)] { Node(archive: self, id: top).members }
}

extension KeyedArchive {
  /// One object of an archive, or a value written inline into one.
  struct Node: Sendable {
    fileprivate let archive: KeyedArchive
    /// The same for two references to one object of the archive.
    let id: Int

    fileprivate init(archive: KeyedArchive, id: Int) {
      self.archive = archive
      self.id = id
    }

    /// The value under a key; nil when the object has no such key or the value is null.
    subscript(key: String) -> Node? {
      guard case .dictionary(let keys, let values) = object, let number = archive.numbers[key] else { return nil }
      let references = archive.plist.references
      var value = values.lowerBound
      for index in keys {
        if archive.canonical[references[index]] == number { return resolved(references[value]) }
        value += 1
      }
      return nil
    }

    /// The object's keys in stored order, with their values; a value is nil for null.
    var members: [(key: String, value: Node?)] {
      guard case .dictionary(let keys, let values) = object else { return [] }
      let references = archive.plist.references
      return zip(keys, values).compactMap { key, value in
        guard case .string(let name) = archive.plist.objects[references[key]] else { return nil }
        return (name, resolved(references[value]))
      }
    }

    /// The elements of an inline list, without nulls; nil for anything else.
    var elements: [Node]? {
      switch object {
      case .array(let range), .set(let range):
        return archive.plist.references[range].compactMap { resolved($0) }
      default: return nil
      }
    }

    /// The plain value as it stands in the property list.
    var object: BinaryPropertyList.Object { archive.plist.objects[id] }

    /// The bytes of a data value.
    func bytes(_ range: Range<Int>) -> Data { Data(archive.plist.bytes[range]) }

    /// The size of the whole archive in bytes.
    var archiveSize: Int { archive.plist.bytes.count }

    /// Tells objects of one archive from those of another.
    var archiveIdentity: ObjectIdentifier { ObjectIdentifier(archive) }

    /// The object in its stored form, references left as numbers.
    ///
    /// - Throws: `ArchiveError` when inline values nest without end.
    func stored() throws -> PropertyListValue { try archive.plist.value(at: id) }

    /// The object of the same archive under a reference's number; nil for null and a number that leads nowhere.
    func sibling(_ number: Int) -> Node? {
      guard number > 0, number < archive.objects.count else { return nil }
      return Node(archive: archive, id: archive.objects[number])
    }

    /// Follows a reference; nil for null and for a reference that leads nowhere.
    private func resolved(_ index: Int) -> Node? {
      guard case .uid(let number) = archive.plist.objects[index] else { return Node(archive: archive, id: index) }
      return sibling(number)
    }
  }
}
