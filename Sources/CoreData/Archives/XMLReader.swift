import Foundation

/// Splits an XML document into tags and text, in UTF-8 or UTF-16.
///
/// Foundation's parser stops the process on some malformed input, hence this one. It knows what models and stores
/// need: elements, attributes, character data, CDATA, references to the five named and to numbered characters.
/// Comments, instructions and the document type are passed over; entities that a document defines are refused.
struct XMLReader {
  /// One piece of a document.
  ///
  /// An empty element gives a start and an end.
  enum Event: Equatable {
    case start(String, [String: String])
    case end(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var cursor = 0
  /// The name of an empty element whose end is still to be told.
  private var pendingEnd: String?

  /// Opens a document.
  ///
  /// - Throws: `ArchiveError` for another encoding, and for characters that XML does not allow.
  init(_ data: Data) throws {
    var bytes = [UInt8](data)
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      guard let text = String(data: data, encoding: .utf16) else { throw ArchiveError("the XML is no valid UTF-16") }
      bytes = Array(text.utf8)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard !bytes.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) else {
      throw ArchiveError("the XML holds control characters")
    }
    self.bytes = bytes
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `ArchiveError` where the document is not well-formed, with the line.
  mutating func next() throws -> Event? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while cursor < bytes.count {
      if bytes[cursor] != UInt8(ascii: "<") { return .text(try characterData()) }
      if has("<!--") {
        try skip(past: "-->")
      } else if has("<![CDATA[") {
        cursor += 9
        let start = cursor
        try skip(past: "]]>")
        return .text(try string(start..<(cursor - 3)))
      } else if has("<?") {
        try skipInstruction()
      } else if has("<!DOCTYPE") {
        try skipDocumentType()
      } else if has("</") {
        cursor += 2
        let name = try self.name()
        skipSpace()
        try expect(">")
        return .end(name)
      } else {
        return try startTag()
      }
    }
    return nil
  }

  /// An error at the current place.
  func error(_ reason: String) -> ArchiveError {
    let line = 1 + bytes[..<min(cursor, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return ArchiveError("the XML is not well-formed: \(reason) (line \(line))")
  }

  // MARK: Tags

  private mutating func startTag() throws -> Event {
    cursor += 1
    let name = try self.name()
    var attributes: [String: String] = [:]
    while true {
      let hadSpace = skipSpace()
      if has("/>") {
        cursor += 2
        pendingEnd = name
        return .start(name, attributes)
      }
      if has(">") {
        cursor += 1
        return .start(name, attributes)
      }
      guard hadSpace else { throw error("a tag is damaged") }
      let key = try self.name()
      skipSpace()
      try expect("=")
      skipSpace()
      guard attributes.updateValue(try attributeValue(), forKey: key) == nil else {
        throw error("the attribute “\(key)” stands twice")
      }
    }
  }

  private mutating func attributeValue() throws -> String {
    guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: "\"") || bytes[cursor] == UInt8(ascii: "'") else {
      throw error("an attribute has no value")
    }
    let quote = bytes[cursor]
    cursor += 1
    let start = cursor
    while cursor < bytes.count, bytes[cursor] != quote {
      guard bytes[cursor] != UInt8(ascii: "<") else { throw error("an attribute's value holds “<”") }
      cursor += 1
    }
    guard cursor < bytes.count else { throw error("it is cut short") }
    defer { cursor += 1 }
    // White space counts as blanks here; referenced characters stay.
    let raw = bytes[start..<cursor].map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }
    return try resolved(raw[...])
  }

  private mutating func name() throws -> String {
    let start = cursor
    while cursor < bytes.count, Self.isNameByte(bytes[cursor]) { cursor += 1 }
    guard cursor > start, !(UInt8(ascii: "-")...UInt8(ascii: "9")).contains(bytes[start]) else {
      throw error("a name is missing")
    }
    return try string(start..<cursor)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
      UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  // MARK: Text

  private mutating func characterData() throws -> String {
    let start = cursor
    while cursor < bytes.count, bytes[cursor] != UInt8(ascii: "<") { cursor += 1 }
    return try resolved(bytes[start..<cursor])
  }

  private func string(_ range: Range<Int>) throws -> String {
    guard let string = String(validating: bytes[range], as: UTF8.self) else { throw error("it is no valid UTF-8") }
    return string.contains("\r\n") ? string.replacing("\r\n", with: "\n") : string
  }

  /// Text with its references replaced.
  private func resolved(_ raw: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: raw, as: UTF8.self) else { throw error("it is no valid UTF-8") }
    let lines = text.contains("\r\n") ? text.replacing("\r\n", with: "\n") : text
    guard lines.utf8.contains(UInt8(ascii: "&")) else { return lines }
    var result = ""
    var rest = lines[...]
    while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<ampersand]
      guard let end = rest[ampersand...].utf8.firstIndex(of: UInt8(ascii: ";")) else {
        throw error("“&” begins no reference")
      }
      result.unicodeScalars.append(try character(rest[rest.utf8.index(after: ampersand)..<end]))
      rest = rest[rest.utf8.index(after: end)...]
    }
    return result + rest
  }

  private func character(_ reference: Substring) throws -> Unicode.Scalar {
    switch reference {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number =
        reference.hasPrefix("#x")
        ? UInt32(reference.dropFirst(2), radix: 16) : reference.hasPrefix("#") ? UInt32(reference.dropFirst()) : nil
      guard let number, number > 0, let scalar = Unicode.Scalar(number) else {
        throw error("“&\(reference.prefix(20));” is no known reference")
      }
      return scalar
    }
  }

  // MARK: What is passed over

  private mutating func skipInstruction() throws {
    let start = cursor
    try skip(past: "?>")
    guard bytes[start..<cursor].starts(with: Array("<?xml ".utf8)) else { return }
    let declaration = try string(start..<cursor).lowercased()
    let encodings = ["utf-8", "utf8", "us-ascii", "utf-16"]
    guard !declaration.contains("encoding") || encodings.contains(where: { declaration.contains($0) }) else {
      throw error("its encoding is not known")
    }
  }

  /// Passes over a document type with its internal subset; quotes and comments hide brackets.
  private mutating func skipDocumentType() throws {
    var depth = 0
    var quote: UInt8?
    while cursor < bytes.count {
      if quote == nil, has("<!--") {
        try skip(past: "-->")
        continue
      }
      let byte = bytes[cursor]
      cursor += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"):
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
    throw error("it is cut short")
  }

  private mutating func skip(past mark: String) throws {
    let mark = Array(mark.utf8)
    while cursor + mark.count <= bytes.count {
      if bytes[cursor] == mark[0], bytes[cursor..<(cursor + mark.count)].elementsEqual(mark) {
        cursor += mark.count
        return
      }
      cursor += 1
    }
    throw error("it is cut short")
  }

  @discardableResult private mutating func skipSpace() -> Bool {
    let start = cursor
    while cursor < bytes.count, bytes[cursor] <= 0x20 { cursor += 1 }
    return cursor > start
  }

  private mutating func expect(_ mark: String) throws {
    guard has(mark) else { throw error("“\(mark)” is missing") }
    cursor += mark.utf8.count
  }

  private func has(_ mark: String) -> Bool {
    bytes[cursor...].starts(with: mark.utf8)
  }
}
