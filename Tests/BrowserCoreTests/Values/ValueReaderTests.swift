import CoreData
import Foundation
import Testing

@testable import BrowserCore

@Suite struct ValueReaderTests {
  private let reader = ValueReader(zone: .utc)

  private func read(_ text: String, _ kind: PropertyOutline.Kind) -> PropertyValue? {
    try? reader.value(of: text, as: kind).get()
  }

  private func words(_ text: String, _ kind: PropertyOutline.Kind) -> String? {
    if case .failure(let error) = reader.value(of: text, as: kind) { error.words } else { nil }
  }

  @Test func `text is taken as it is, also empty and with spaces`() {
    #expect(read("", .string) == .text(""))
    #expect(read(" a\nb ", .string) == .text(" a\nb "))
  }

  @Test func `integers are digits with a sign, up to 64 bits`() {
    #expect(read(" -42 ", .integer) == .integer(-42))
    #expect(read("1_000", .integer) == .integer(1_000))
    #expect(read("9223372036854775807", .integer) == .integer(.max))
    #expect(words("9223372036854775808", .integer) == "beyond the integers of 64 bits")
    #expect(words("4.5", .integer)?.hasPrefix("not an integer") == true)
    #expect(words("", .integer)?.hasPrefix("not an integer") == true)
  }

  @Test func `decimals come out in plain notation, the shortest`() {
    #expect(read("007.500", .decimal) == .decimal("7.5"))
    #expect(read("-.25", .decimal) == .decimal("-0.25"))
    #expect(read("1.5e3", .decimal) == .decimal("1500"))
    #expect(read("12e-4", .decimal) == .decimal("0.0012"))
    #expect(read("-0", .decimal) == .decimal("0"))
    #expect(read(String(repeating: "9", count: 38), .decimal) != nil)
    #expect(words(String(repeating: "9", count: 39), .decimal) == "a decimal number has at most 38 digits")
    #expect(words(".", .decimal) != nil && words("", .decimal) != nil && words("1,5", .decimal) != nil)
  }

  @Test func `reals, booleans, identifiers, addresses and data are read`() {
    #expect(read("3.25", .real) == .real(3.25))
    #expect(words("3,25", .real) != nil)
    #expect(read("Yes", .boolean) == .boolean(true))
    #expect(read("0", .boolean) == .boolean(false))
    #expect(words("maybe", .boolean) == "neither true nor false")
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(read("{01020304-0506-0708-090a-0b0c0d0e0f10}", .uuid) == .uuid(uuid))
    #expect(read("0102030405060708090A0B0C0D0E0F10", .uuid) == .uuid(uuid))
    #expect(words("01020304", .uuid)?.contains("here are 8") == true)
    #expect(read("https://example.org/a", .uri) == .text("https://example.org/a"))
    #expect(words("two words", .uri) != nil)
    #expect(read("base64:AQI=", .binary) == .data(Data([1, 2])))
    #expect(words("AQI=", .binary) != nil)
  }

  @Test(arguments: [
    "2025-11-02 18:04", "2025-11-02T18:04:00Z", "2025-11-02T19:04+01:00", "2025-11-02 13:04 -0500", "2025/11/02 18:04",
    "2.11.2025 18:04", "2 Nov 2025 18:04", "Nov 2, 2025 6:04 pm", "November 2 2025, 6:04PM",
  ]) func `dates are read as people and machines write them`(text: String) {
    #expect(read(text, .date) == .date(Date(timeIntervalSince1970: 1_762_106_640)))
  }

  @Test func `a date without a time is midnight, and fractions keep their digits`() {
    #expect(read("2001-01-01", .date) == .date(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(read("2001-01-01 00:00:01.25", .date) == .date(Date(timeIntervalSinceReferenceDate: 1.25)))
    #expect(read("0001-01-01", .date) == .date(.distantPast))
  }

  @Test func `what is no date says why`() {
    #expect(words("2025-02-29", .date) == "that month has no day 29")
    #expect(words("2025-13-01", .date) == "there is no month 13")
    #expect(words("2025-01-01 25:00", .date) == "no clock shows that time")
    #expect(words("3/4/2025", .date) == "two dates could be meant: write 2025-MM-DD")
    #expect(read("11/22/2025", .date) == read("2025-11-22", .date))
    #expect(words("tomorrow", .date)?.hasPrefix("not a date") == true)
    #expect(words("2025-01-01 noon", .date) != nil)
  }

  @Test func `a date without a zone is on the clock of the reader, through both changes of the clock`() throws {
    let paris = ValueReader(zone: .named(try #require(TimeZone(identifier: "Europe/Paris"))))
    func seconds(_ text: String) -> Double? {
      guard case .date(let date)? = try? paris.value(of: text, as: .date).get() else { return nil }
      return date.timeIntervalSince1970
    }
    #expect(seconds("2025-07-01 12:00") == 1_751_364_000)
    #expect(seconds("2025-01-01 12:00") == 1_735_729_200)
    // 2025-03-30 02:30 is skipped; 2025-10-26 02:30 comes twice.
    #expect(seconds("2025-03-30 02:30") == 1_743_298_200)
    #expect(seconds("2025-10-26 02:30") == 1_761_438_600)
  }

  @Test func `every day from the year -800 on reads back from how it is shown`() throws {
    for day in stride(from: -1_000_000, through: 1_000_000, by: 997) {
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400 + 3_723)
      let text = reader.text(of: .date(date))
      if text.hasPrefix("-") { continue }
      #expect(read(text, .date) == .date(date), "\(text)")
    }
  }

  @Test func `values are written so that they read back`() {
    let values: [(PropertyValue, PropertyOutline.Kind)] = [
      (.integer(-7), .integer), (.real(0.1), .real), (.real(3), .real), (.decimal("1.5"), .decimal),
      (.boolean(false), .boolean), (.uuid(UUID()), .uuid), (.text("x"), .uri), (.data(Data([9])), .binary),
      (.text("two\nlines"), .string),
    ]
    for (value, kind) in values { #expect(read(reader.text(of: value), kind) == value) }
  }
}
