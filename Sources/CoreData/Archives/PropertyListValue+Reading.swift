import Foundation

extension PropertyListValue {
  /// Reads a property list in its binary or its XML form.
  ///
  /// - Throws: `ArchiveError` for anything else, and within the bounds of `BinaryPropertyList` and `XMLElementNode`.
  static func read(_ data: Data) throws -> PropertyListValue {
    if data.starts(with: BinaryPropertyList.magic) { return try BinaryPropertyList(data).value() }
    let root = try XMLElementNode.document(data)
    guard root.name == "plist", root.children.count == 1 else { throw ArchiveError("the XML is not a property list") }
    return try PropertyListValue(element: root.children[0])
  }

  /// The value of an element of a property list, such as `dict` or `string`.
  ///
  /// Recursion ends with the document, which nests 64 levels at most.
  ///
  /// - Throws: `ArchiveError` for an element that is not one, or whose text is not of its type.
  init(element: XMLElementNode) throws {
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    var value: PropertyListValue?
    switch element.name {
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case "string": value = .string(element.text)
    case "integer": value = Int64(text).map(PropertyListValue.integer) ?? UInt64(text).map(PropertyListValue.unsigned)
    case "real": value = Double(text).map(PropertyListValue.real)
    case "date":
      value = (try? Date(text, strategy: .iso8601)).map { .date($0.timeIntervalSinceReferenceDate) }
    case "data": value = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(PropertyListValue.data)
    case "array": value = .array(try element.children.map(PropertyListValue.init(element:)))
    case "dict": value = .dictionary(try Self.entries(of: element))
    default: break
    }
    guard let value else { throw ArchiveError("the property list holds a damaged “\(element.name.prefix(20))”") }
    self = value
  }

  private static func entries(of element: XMLElementNode) throws -> [Entry] {
    let children = element.children
    guard children.count.isMultiple(of: 2) else { throw ArchiveError("a key of the property list has no value") }
    return try stride(from: 0, to: children.count, by: 2).map { index in
      guard children[index].name == "key" else { throw ArchiveError("a value of the property list has no key") }
      return Entry(children[index].text, try PropertyListValue(element: children[index + 1]))
    }
  }
}
