import Foundation

/// What a property list or a keyed archive holds, as the lines of a tree; no class is made for it.
///
/// It is bounded whatever the bytes say: `limit` lines, 64 levels, and an object that holds itself is told as such.
package struct DataOutline: Hashable, Sendable {
  /// What the bytes are.
  package enum Kind: Hashable, Sendable {
    case propertyList, keyedArchive
  }

  /// One line of the tree.
  package struct Line: Hashable, Sendable {
    /// What stands on a line.
    package enum Role: Hashable, Sendable {
      case container, text, number, date, data, null, reference
    }

    package let depth: Int
    /// The key or index under which the value stands; empty for the root.
    package let label: String
    package let value: String
    package let role: Role
  }

  package let kind: Kind
  package private(set) var lines: [Line] = []
  /// Whether there is more than the lines show.
  package private(set) var isCut = false
  private let limit: Int
  /// The objects around the one that is being added.
  private var path: Set<Int> = []

  /// The tree of some data; nil when they are no property list, or a damaged one.
  package init?(_ data: Data, limit: Int = 20_000) {
    self.limit = limit
    let bytes = [UInt8](data)
    if let archive = try? KeyedArchive(bytes) {
      kind = .keyedArchive
      for (key, node) in archive.members { append(node, label: key == "root" ? "" : key, depth: 0) }
    } else if ["bplist00", "<?xml", "<plist"].contains(where: { bytes.starts(with: $0.utf8) }) {
      guard let value = try? PropertyListValue.read(data) else { return nil }
      kind = .propertyList
      append(value, label: "", depth: 0)
    } else {
      return nil
    }
  }

  private static let deepest = 64

  /// Adds a line; false when there is no room for more.
  private mutating func line(_ label: String, _ value: String, _ role: Line.Role, depth: Int) -> Bool {
    guard lines.count < limit, depth < Self.deepest else {
      isCut = true
      return false
    }
    lines.append(Line(depth: depth, label: label, value: value, role: role))
    return true
  }

  /// Adds what a container holds, as far as there is room.
  private mutating func descend<Elements: Collection>(
    into elements: Elements, _ depth: Int, _ add: (inout Self, Elements.Element) -> Void
  ) {
    guard depth + 1 < Self.deepest else {
      isCut = isCut || !elements.isEmpty
      return
    }
    for element in elements {
      guard lines.count < limit else {
        isCut = true
        return
      }
      add(&self, element)
    }
  }

  // MARK: Keyed archives

  private mutating func append(_ node: KeyedArchive.Node?, label: String, depth: Int) {
    guard let node else {
      _ = line(label, "nil", .null, depth: depth)
      return
    }
    switch node.object {
    case .dictionary: break
    case .array, .set:
      container(label, "list", depth, node.elements ?? [], id: node.id)
      return
    default:
      if let value = try? node.stored() { append(value, label: label, depth: depth) }
      return
    }
    let name = node.className ?? "dictionary"
    guard !path.contains(node.id) else {
      _ = line(label, "\(name), which holds this", .reference, depth: depth)
      return
    }
    if let plain = Self.plain(node) {
      _ = line(label, plain.text, plain.role, depth: depth)
    } else if node.isKind(of: "NSDictionary"), let entries = node.dictionary {
      guard line(label, "\(name), \(Self.count(entries.count, "entry", "entries"))", .container, depth: depth) else {
        return
      }
      path.insert(node.id)
      descend(into: entries, depth) { $0.append($1.value, label: $1.key, depth: depth + 1) }
      path.remove(node.id)
    } else if let elements = node["NS.objects"]?.elements {
      container(label, name, depth, elements, id: node.id)
    } else {
      guard line(label, name, .container, depth: depth) else { return }
      path.insert(node.id)
      descend(into: node.members.filter { $0.key != "$class" }, depth) {
        $0.append($1.value, label: $1.key, depth: depth + 1)
      }
      path.remove(node.id)
    }
  }

  private mutating func container(
    _ label: String, _ name: String, _ depth: Int, _ elements: [KeyedArchive.Node], id: Int
  ) {
    guard !path.contains(id) else {
      _ = line(label, "\(name), which holds this", .reference, depth: depth)
      return
    }
    guard line(label, "\(name), \(Self.count(elements.count, "element", "elements"))", .container, depth: depth) else {
      return
    }
    path.insert(id)
    descend(into: elements.enumerated(), depth) { $0.append($1.element, label: "[\($1.offset)]", depth: depth + 1) }
    path.remove(id)
  }

  /// The value of an archived object that stands for a plain one.
  private static func plain(_ node: KeyedArchive.Node) -> (text: String, role: Line.Role)? {
    if node.isKind(of: "NSString"), let text = node.string { return (quoted(text), .text) }
    switch node.foundationValue(depth: 1) {
    case let date as Date: return (date.formatted(.iso8601), .date)
    case let data as Data: return (bytes(data.count), .data)
    case let uuid as UUID: return (uuid.uuidString, .text)
    case let url as URL: return (url.absoluteString, .text)
    case let number as NSDecimalNumber: return (number.description(withLocale: nil), .number)
    default: return nil
    }
  }

  // MARK: Property lists

  private mutating func append(_ value: PropertyListValue, label: String, depth: Int) {
    switch value {
    case .bool(let value): _ = line(label, value ? "true" : "false", .number, depth: depth)
    case .integer(let value): _ = line(label, "\(value)", .number, depth: depth)
    case .unsigned(let value): _ = line(label, "\(value)", .number, depth: depth)
    case .real(let value): _ = line(label, "\(value)", .number, depth: depth)
    case .date(let seconds):
      _ = line(label, Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601), .date, depth: depth)
    case .data(let data): _ = line(label, Self.bytes(data.count), .data, depth: depth)
    case .string(let text): _ = line(label, Self.quoted(text), .text, depth: depth)
    case .uid(let number): _ = line(label, "object \(number)", .reference, depth: depth)
    case .array(let values), .set(let values):
      guard line(label, "array, \(Self.count(values.count, "element", "elements"))", .container, depth: depth) else {
        return
      }
      descend(into: values.enumerated(), depth) { $0.append($1.element, label: "[\($1.offset)]", depth: depth + 1) }
    case .dictionary(let entries):
      guard
        line(label, "dictionary, \(Self.count(entries.count, "entry", "entries"))", .container, depth: depth)
      else { return }
      descend(into: entries, depth) { $0.append($1.value, label: $1.key, depth: depth + 1) }
    }
  }

  private static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  private static func bytes(_ count: Int) -> String { Self.count(count, "byte", "bytes") }

  private static func quoted(_ text: String) -> String { "“\(text)”" }
}
