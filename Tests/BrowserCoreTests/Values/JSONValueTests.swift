import CoreData
import Foundation
import Testing

@testable import BrowserCore

@Suite struct JSONValueTests {
  private func read(_ json: String, _ kind: PropertyOutline.Kind) -> PropertyValue? {
    try? JSONValue.parse(json).flatMap { ValueReader(zone: .utc).value(of: $0, as: kind) }.get()
  }

  private func words(_ json: String, _ kind: PropertyOutline.Kind) -> String? {
    let result = JSONValue.parse(json).flatMap { ValueReader(zone: .utc).value(of: $0, as: kind) }
    if case .failure(let error) = result { return error.words }
    return nil
  }

  @Test func `every kind of JSON is told apart, integers to 64 bits`() throws {
    let cases: [(String, JSONValue)] = [
      ("null", .null), ("true", .boolean(true)), ("1", .integer(1)), ("0", .integer(0)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("0.5", .number(0.5, Decimal(0.5))), ("\"a\\u00e9\"", .string("aé")),
      ("[1, [], null]", .array([.integer(1), .array([]), .null])),
      ("{\"a\": {\"b\": false}}", .object(["a": .object(["b": .boolean(false)])])),
    ]
    for (text, value) in cases { #expect(try JSONValue.parse(text).get() == value, "\(text)") }
    for text in ["", "text", "{", "[1", "'a'", "1 2"] {
      #expect(throws: ReadingError.self, "\(text)") { try JSONValue.parse(text).get() }
    }
  }

  @Test func `values come in the forms of the program's own output`() {
    #expect(read("null", .date) == .null)
    #expect(read("42", .integer) == .integer(42))
    #expect(read("2", .real) == .real(2))
    #expect(read("0.1", .real) == .real(0.1))
    #expect(read("\"12.50\"", .decimal) == .decimal("12.5"))
    #expect(read("12.10", .decimal) == .decimal("12.1"))
    #expect(read("12345678901234567890.125", .decimal) == .decimal("12345678901234567890.125"))
    #expect(read("false", .boolean) == .boolean(false))
    #expect(read("\"2001-01-01T00:00:00.5Z\"", .date) == .date(Date(timeIntervalSinceReferenceDate: 0.5)))
    #expect(read("1e20", .date) == .date(Date(timeIntervalSinceReferenceDate: 1e20)))
    #expect(read("\" a \"", .string) == .text(" a "))
    #expect(read("{\"bytes\": 2, \"base64\": \"AQI=\"}", .binary) == .data(Data([1, 2])))
    #expect(read("{\"base64\": \"AQI=\"}", .transformable) == .data(Data([1, 2])))
  }

  @Test(arguments: [
    ("\"42\"", PropertyOutline.Kind.integer), ("1.5", .integer), ("true", .integer), ("1", .boolean),
    ("\"yes\"", .boolean),
    ("5", .string), ("[]", .string), ("true", .real), ("{\"base64\": 5}", .binary), ("{\"base64\": \"?\"}", .binary),
    ("{\"bytes\": 3, \"base64\": \"AQI=\"}", .binary), ("\"soon\"", .date), ("\"x\"", .toOne(entity: "E")),
  ])
  func `JSON of another kind is refused in words`(json: String, kind: PropertyOutline.Kind) {
    #expect(words(json, kind)?.isEmpty == false)
  }
}
