import Foundation

/// What a declared column type becomes in a model.
///
/// SQLite keeps any class of value in a column, whatever the type says (but in STRICT tables), so an attribute's type is
/// what most values are: a value of another storage class is given as what it is, a number, a text or data. By the rules of
/// affinity (SQLite, "Datatypes In SQLite", 3.1) INT is Integer 64, CHAR, CLOB and TEXT are String, BLOB is Binary Data,
/// REAL, FLOA and DOUB are Double. Of the names that remain BOOL… is Boolean, DEC… and NUM… are Decimal, names of dates,
/// JSON, UUID and the like are String; a column without a type, and any other, is Undefined and holds what it holds.
enum PlainType {
  /// The attribute type for a column declared so.
  static func attributeType(declared: String) -> NSAttributeType {
    let name = declared.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
    if has("INT") { return .integer64AttributeType }
    if has("CHAR", "CLOB", "TEXT") { return .stringAttributeType }
    if has("BLOB") { return .binaryDataAttributeType }
    if has("REAL", "FLOA", "DOUB") { return .doubleAttributeType }
    if name.hasPrefix("BOOL") { return .booleanAttributeType }
    if name.hasPrefix("DEC") || name.hasPrefix("NUM") { return .decimalAttributeType }
    if has("DATE", "TIME", "STRING", "JSON", "UUID", "GUID", "URL", "URI", "XML", "ENUM") {
      return .stringAttributeType
    }
    return .undefinedAttributeType
  }

  /// The value of a default that is written out as a literal; `nil` for expressions, and for none.
  static func literal(_ text: String?) -> Literal? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.uppercased() == "NULL" { return .null }
    if text.uppercased() == "TRUE" { return .integer(1) }
    if text.uppercased() == "FALSE" { return .integer(0) }
    if let number = Int64(text) { return .integer(number) }
    if text.unicodeScalars.allSatisfy({ "0123456789+-.eE".unicodeScalars.contains($0) }), let number = Double(text) {
      return .real(number)
    }
    guard text.count >= 2, text.first == "'", text.last == "'" else { return nil }
    let inner = String(text.dropFirst().dropLast())
    let plain = inner.replacingOccurrences(of: "''", with: "")
    return plain.contains("'") ? nil : .text(inner.replacingOccurrences(of: "''", with: "'"))
  }

  enum Literal: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// The value as an attribute of a type has it; `nil` where it does not fit.
    func value(of type: NSAttributeType) -> Any? {
      switch (type, self) {
      case (_, .null): nil
      case (.integer64AttributeType, .integer(let number)): NSNumber(value: number)
      case (.booleanAttributeType, .integer(let number)) where number == 0 || number == 1: NSNumber(value: number == 1)
      case (.doubleAttributeType, .integer(let number)): NSNumber(value: Double(number))
      case (.doubleAttributeType, .real(let number)): NSNumber(value: number)
      case (.decimalAttributeType, .integer(let number)): NSDecimalNumber(value: number)
      case (.decimalAttributeType, .real(let number)): NSDecimalNumber(string: String(number))
      case (.stringAttributeType, .text(let text)): text
      default: nil
      }
    }
  }
}
