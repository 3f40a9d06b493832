import Foundation
import FoundationXML

/// An element of a model's XML: name, attributes and child elements; text between them means nothing there.
final class XMLElementNode {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLElementNode] = []

  fileprivate init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

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

  /// Reads a document; nothing outside it is ever fetched.
  ///
  /// - Throws: `ArchiveError` when it is not well-formed, nests deeper than 64 elements or has over a million.
  static func document(_ data: Data) throws -> XMLElementNode {
    let builder = TreeBuilder()
    let parser = XMLParser(data: data)
    parser.delegate = builder
    parser.shouldResolveExternalEntities = false
    guard parser.parse(), let root = builder.root else {
      throw ArchiveError("the XML is not well-formed (line \(parser.lineNumber))")
    }
    return root
  }
}

/// Collects the parser's events into a tree.
private final class TreeBuilder: NSObject, XMLParserDelegate {
  private(set) var root: XMLElementNode?
  private var open: [XMLElementNode] = []
  private var budget = 1_000_000

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    budget -= 1
    guard budget > 0, open.count < 64 else { return parser.abortParsing() }
    let element = XMLElementNode(name: elementName, attributes: attributes)
    if let parent = open.last {
      parent.children.append(element)
    } else {
      root = element
    }
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }
}
