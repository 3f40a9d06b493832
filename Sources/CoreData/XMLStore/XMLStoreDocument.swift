import Foundation

/// An XML store as it is written (reference/FORMAT.md, "XML store"): names in the writer's own letters, values as text.
struct XMLStoreDocument {
  struct Object {
    /// The entity's name in capitals.
    let entity: String
    /// The number in its id: what an object's URI has after its `p`.
    let key: Int64
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  struct Attribute {
    /// The attribute's name in small letters.
    let name: String
    let type: String
    let text: String
  }

  struct Relationship {
    /// The relationship's name in small letters.
    let name: String
    let minCount: Int
    /// 1 for to-one; any other number for to-many.
    let maxCount: Int
    /// The destination entity's name in capitals.
    let destination: String
    /// The numbers of the objects it leads to, in order.
    let keys: [Int64]
  }

  private(set) var identifier = ""
  private(set) var metadata: [String: PropertyListValue] = [:]
  private(set) var objects: [Object] = []

  /// Whether a file begins as an XML store does: with an element `database`, after what may stand before it.
  static func begins(_ head: [UInt8]) -> Bool {
    guard var reader = try? XMLReader(Data(head)) else { return false }
    while let event = try? reader.next() {
      switch event {
      case .start(let name, _): return name == "database"
      case .text(let text) where text.allSatisfy(\.isWhitespace): continue
      case .text, .end: return false
      }
    }
    return false
  }

  /// Reads the store at a URL.
  ///
  /// - Throws: An error of the Cocoa domain that says what is wrong with the file.
  init(reading url: URL) throws {
    do {
      try self.init(RegularFile.bytes(at: url))
    } catch let error as ArchiveError {
      throw CocoaError(
        .fileReadCorruptFile,
        userInfo: [
          NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: "the XML store cannot be read: \(error)",
        ])
    }
  }

  /// Reads a document.
  ///
  /// - Throws: `ArchiveError` when it is not well-formed, or an object has no id or one that stands twice.
  init(_ data: Data) throws {
    var reader = try XMLReader(data)
    var isOpen = false
    var keys: Set<Int64> = []
    while let event = try reader.next() {
      switch event {
      case .start("database", _) where !isOpen: isOpen = true
      case .start(let name, let attributes):
        guard isOpen else { throw reader.error("it is no “database”") }
        let element = try XMLElementNode.element(name, attributes, rest: &reader)
        switch name {
        case "databaseInfo": readInfo(element)
        case "object":
          let object = try Self.object(element, reader)
          guard keys.insert(object.key).inserted else { throw reader.error("the id z\(object.key) stands twice") }
          objects.append(object)
        default: break
        }
      case .end:
        // The database's own: every other element was read whole.
        isOpen = false
      case .text(let text):
        guard text.allSatisfy(\.isWhitespace) else { throw reader.error("there is text between the objects") }
      }
    }
    if isOpen { throw reader.error("it is cut short") }
    objects.sort { $0.key < $1.key }
  }

  private mutating func readInfo(_ info: XMLElementNode) {
    identifier = info.first("UUID")?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    // Metadata that cannot be read are none: the objects are there all the same.
    if let list = info.first("metadata")?.first("plist")?.children.first,
      case .dictionary(let entries)? = try? PropertyListValue(element: list)
    {
      metadata = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private static func object(_ element: XMLElementNode, _ reader: XMLReader) throws -> Object {
    guard let entity = element["type"], let key = element["id"].flatMap(number) else {
      throw reader.error("an object has no type or no id")
    }
    var object = Object(entity: entity, key: key)
    for child in element.children {
      guard let name = child["name"] else { throw reader.error("a property of z\(key) has no name") }
      switch child.name {
      case "attribute": object.attributes.append(Attribute(name: name, type: child["type"] ?? "", text: child.text))
      case "relationship":
        let counts = (child["type"] ?? "").split(separator: "/").map { Int($0) ?? 0 }
        let ends = (child["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
        object.relationships.append(
          Relationship(
            name: name, minCount: counts.first ?? 0, maxCount: counts.count == 2 ? counts[1] : 0,
            destination: child["destination"] ?? "",
            keys: try ends.map { end in
              guard let key = number(String(end)) else { throw reader.error("“\(end.prefix(20))” is no id") }
              return key
            }))
      default: break
      }
    }
    return object
  }

  /// The number of an id such as `z103`.
  private static func number(_ id: String) -> Int64? {
    guard id.first == "z", let number = Int64(id.dropFirst()), number > 0 else { return nil }
    return number
  }
}
