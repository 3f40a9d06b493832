import CoreData
import Foundation

/// Text that is no value of the kind asked for, and what would be one.
struct ReadingError: Error, Hashable, LocalizedError {
  /// What is wrong and what to write instead, in one line.
  var words: String

  init(_ words: String) { self.words = words }

  var errorDescription: String? { words }
}

/// Reads what a person typed as a value of a property's kind, and writes values so that they read back.
///
/// Dates without a zone are on the reader's clock. Widths of integers and the model's own rules are not looked at.
struct ValueReader: Hashable, Sendable {
  /// The clock that dates without a zone are read by.
  var zone: DateZone

  /// The value that a text stands for.
  ///
  /// Strings are taken as they are; white space around all other kinds means nothing. `nil` has no text.
  func value(of text: String, as kind: PropertyOutline.Kind) -> Result<PropertyValue, ReadingError> {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch kind {
    case .string: return .success(.text(text))
    case .integer: return Self.integer(trimmed)
    case .real: return Self.real(trimmed)
    case .decimal: return Self.decimal(trimmed)
    case .boolean: return Self.boolean(trimmed)
    case .date: return DateReader(zone: zone).date(trimmed).map(PropertyValue.date)
    case .uuid: return Self.uuid(trimmed)
    case .uri: return Self.uri(trimmed)
    case .binary, .transformable: return Self.data(trimmed)
    case .any: return .success(Self.any(text))
    case .toOne, .toMany: return .failure(ReadingError("a relationship takes the URI of an object"))
    }
  }

  /// The text of a value that reads back as the value; empty for `nil`.
  func text(of value: PropertyValue) -> String {
    switch value {
    case .null, .object, .objects: ""
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .real(let number):
      number.description.hasSuffix(".0") ? String(number.description.dropLast(2)) : number.description
    case .decimal(let text), .text(let text), .odd(let text): text
    case .date(let date): CivilTime(date, in: zone)?.full ?? String(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): "base64:" + data.base64EncodedString()
    }
  }

  // MARK: Kinds

  /// A number where the text is one as it is written out, data after `base64:`, else the text itself.
  private static func any(_ text: String) -> PropertyValue {
    if let number = Int64(text), String(number) == text { return .integer(number) }
    if let number = Double(text), number.isFinite, text.contains(where: { ".e".contains($0) }) { return .real(number) }
    if case .success(let data) = data(text) { return data }
    return .text(text)
  }

  private static func integer(_ text: String) -> Result<PropertyValue, ReadingError> {
    let digits = text.replacingOccurrences(of: "_", with: "")
    if let number = Int64(digits) { return .success(.integer(number)) }
    let isWhole = !text.isEmpty && digits.drop { $0 == "-" || $0 == "+" }.allSatisfy(\.isASCIIDigit)
    return .failure(
      ReadingError(
        isWhole && digits.count > 1
          ? "beyond the integers of 64 bits" : "not an integer: write digits, such as 42"))
  }

  private static func real(_ text: String) -> Result<PropertyValue, ReadingError> {
    if let number = Double(text.replacingOccurrences(of: "_", with: "")) { return .success(.real(number)) }
    return .failure(ReadingError("not a number: write 3.5 or 6.02e23"))
  }

  private static func boolean(_ text: String) -> Result<PropertyValue, ReadingError> {
    switch text.lowercased() {
    case "true", "yes", "on", "1", "t", "y", "✓": .success(.boolean(true))
    case "false", "no", "off", "0", "f", "n", "·": .success(.boolean(false))
    default: .failure(ReadingError("neither true nor false"))
    }
  }

  private static func uuid(_ text: String) -> Result<PropertyValue, ReadingError> {
    var digits = text.filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else {
      return .failure(ReadingError("not a UUID: it has 32 hexadecimal digits, here are \(digits.count) characters"))
    }
    for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
    guard let uuid = UUID(uuidString: digits) else { return .failure(ReadingError("not a UUID")) }
    return .success(.uuid(uuid))
  }

  private static func uri(_ text: String) -> Result<PropertyValue, ReadingError> {
    guard !text.isEmpty, !text.contains(where: \.isWhitespace), URL(string: text) != nil else {
      return .failure(ReadingError("not a URI: write one such as https://example.org"))
    }
    return .success(.text(text))
  }

  private static func data(_ text: String) -> Result<PropertyValue, ReadingError> {
    let prefix = "base64:"
    guard text.hasPrefix(prefix), let data = Data(base64Encoded: String(text.dropFirst(prefix.count))) else {
      return .failure(ReadingError("data is written as base64: and its characters"))
    }
    return .success(.data(data))
  }

  /// Decimal digits a decimal number can have.
  private static let mostDigits = 38

  /// A decimal number in plain notation, the shortest that is the same number.
  private static func decimal(_ text: String) -> Result<PropertyValue, ReadingError> {
    let failure = ReadingError("not a decimal number: write 12.50")
    guard let match = text.wholeMatch(of: /([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?/) else {
      return .failure(failure)
    }
    let (whole, fraction) = (String(match.2), String(match.3 ?? ""))
    guard !(whole + fraction).isEmpty, (whole + fraction).allSatisfy(\.isASCIIDigit) else { return .failure(failure) }
    var digits = Array(whole + fraction)
    var point = whole.count + (match.4.flatMap { Int($0) } ?? 0)
    while digits.last == "0" { digits.removeLast() }
    while digits.first == "0" {
      digits.removeFirst()
      point -= 1
    }
    guard !digits.isEmpty else { return .success(.decimal("0")) }
    guard digits.count <= mostDigits, abs(point) <= 128 else {
      return .failure(ReadingError("a decimal number has at most \(mostDigits) digits"))
    }
    let zeros = { (count: Int) in String(repeating: "0", count: max(0, count)) }
    let plain =
      point <= 0
      ? "0." + zeros(-point) + String(digits)
      : String(digits.prefix(point)) + zeros(point - digits.count)
        + (digits.count > point ? "." + String(digits.dropFirst(point)) : "")
    return .success(.decimal((match.1 == "-" ? "-" : "") + plain))
  }
}

extension Character {
  /// Whether this is one of the digits 0 to 9.
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
