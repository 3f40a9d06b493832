import Foundation

/// An element of an XML document: name, attributes, child elements, and the text directly inside.
final class XMLElementNode {
  let name: String
  private(set) var attributes: [String: String]
  /// The names of the attributes in the order in which they are written; a document that was read does not keep it.
  private(set) var attributeNames: [String] = []
  var children: [XMLElementNode] = []
  /// The character data between the children, joined.
  fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// An element that is to be written, without attributes and children.
  init(_ name: String) {
    self.name = name
    attributes = [:]
  }

  /// Adds an attribute behind the others; nothing for nil.
  func set(_ attribute: String, _ value: String?) {
    guard let value, attributes.updateValue(value, forKey: attribute) == nil else { return }
    attributeNames.append(attribute)
  }

  /// Adds an attribute that says yes; nothing for no.
  func set(_ attribute: String, yes: Bool) { set(attribute, yes ? "YES" : nil) }

  /// An attribute's value, nil when it is absent.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Whether an attribute says yes.
  func isYes(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

  /// An attribute's value as an integer.
  func integer(_ attribute: String) -> Int? { attributes[attribute].flatMap { Int($0) } }

  /// The child elements of a name.
  func all(_ name: String) -> [XMLElementNode] { children.filter { $0.name == name } }

  /// The first child element of a name.
  func first(_ name: String) -> XMLElementNode? { children.first { $0.name == name } }

  /// Reads a document.
  ///
  /// Entities of its own are refused and nothing outside it is ever fetched.
  ///
  /// - Throws: `ArchiveError` when it is not well-formed, nests deeper than 64 elements or has over a million.
  static func document(_ data: Data) throws -> XMLElementNode {
    var reader = try XMLReader(data)
    var root: XMLElementNode?
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        guard root == nil else { throw reader.error("it has a second root") }
        root = try element(name, attributes, rest: &reader)
      case .end(let name): throw reader.error("“\(name)” ends what is not open")
      case .text(let text):
        guard text.allSatisfy(\.isWhitespace) else { throw reader.error("there is text outside the root") }
      }
    }
    guard let root else { throw reader.error("it is cut short") }
    return root
  }

  /// Reads the rest of an element whose start a reader has just told, to its end.
  ///
  /// - Throws: `ArchiveError` when it is not well-formed, nests deeper than 64 elements or has over a million.
  static func element(
    _ name: String, _ attributes: [String: String], rest reader: inout XMLReader
  ) throws -> XMLElementNode {
    let element = XMLElementNode(name: name, attributes: attributes)
    var open = [element]
    var budget = 1_000_000
    while let last = open.last {
      guard let event = try reader.next() else { throw reader.error("it is cut short") }
      switch event {
      case .start(let name, let attributes):
        budget -= 1
        guard budget > 0, open.count < 64 else { throw reader.error("it nests without end") }
        let child = XMLElementNode(name: name, attributes: attributes)
        last.children.append(child)
        open.append(child)
      case .end(let name):
        guard last.name == name else { throw reader.error("“\(name)” ends what is not open") }
        open.removeLast()
      case .text(let text): last.text += text
      }
    }
    return element
  }
}
