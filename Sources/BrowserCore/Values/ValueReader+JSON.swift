import CoreData
import Foundation

extension ValueReader {
  /// The value that a piece of JSON stands for, in the forms that the program's own output has (CLI.md, "Values in JSON").
  ///
  /// `null` is no value, whatever the kind. A relationship takes object URIs, which only a store can look up: they are
  /// refused here.
  func value(of json: JSONValue, as kind: PropertyOutline.Kind) -> Result<PropertyValue, ReadingError> {
    switch (kind, json) {
    case (_, .null): .success(.null)
    case (.integer, .integer(let number)): .success(.integer(number))
    case (.real, .integer(let number)): .success(.real(Double(number)))
    case (.real, .number(let number, _)): .success(.real(number))
    case (.decimal, .integer(let number)): .success(.decimal(String(number)))
    case (.decimal, .number(_, let number)): value(of: number.description, as: .decimal)
    case (.boolean, .boolean(let isTrue)): .success(.boolean(isTrue))
    // A date that no calendar says is written as the store keeps it.
    case (.date, .integer(let seconds)): .success(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
    case (.date, .number(let seconds, _)): .success(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    case (.binary, .object(let entries)), (.transformable, .object(let entries)): Self.data(entries)
    case (.any, .integer(let number)): .success(.integer(number))
    case (.any, .number(let number, _)): .success(.real(number))
    case (.any, .boolean(let isTrue)): .success(.integer(isTrue ? 1 : 0))
    case (.any, .string(let text)): .success(.text(text))
    case (.any, .object(let entries)): Self.data(entries)
    case (.integer, .string), (.boolean, .string): .failure(Self.expectation(of: kind))
    case (_, .string(let text)): value(of: text, as: kind)
    default: .failure(Self.expectation(of: kind))
    }
  }

  /// `{"bytes": N, "base64": "…"}`; the number, where it is given, must be right.
  private static func data(_ entries: [String: JSONValue]) -> Result<PropertyValue, ReadingError> {
    guard case .string(let text)? = entries["base64"], let data = Data(base64Encoded: text) else {
      return .failure(expectation(of: .binary))
    }
    if let count = entries["bytes"], count != .integer(Int64(data.count)) {
      return .failure(ReadingError("the data has \(data.count) bytes, not as many as “bytes” says"))
    }
    return .success(.data(data))
  }

  private static func expectation(of kind: PropertyOutline.Kind) -> ReadingError {
    switch kind {
    case .integer: ReadingError("not an integer in JSON: write digits, such as 42")
    case .real: ReadingError("not a number in JSON: write 3.5")
    case .decimal: ReadingError("not a decimal number in JSON: write \"12.50\"")
    case .boolean: ReadingError("neither true nor false in JSON")
    case .date: ReadingError("not a date in JSON: write \"2025-11-02T18:04:05Z\"")
    case .string, .uuid, .uri: ReadingError("not a string in JSON: write it in double quotes")
    case .binary, .transformable: ReadingError("not data in JSON: write {\"base64\": \"…\"}")
    case .any: ReadingError("no value in JSON that a column holds: write a number, a string or {\"base64\": \"…\"}")
    case .toOne: ReadingError("a to-one relationship takes the URI of an object, or null")
    case .toMany: ReadingError("a to-many relationship takes an array of URIs of objects")
    }
  }
}
