import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct ValueFormatterTests {
  private let formatter = ValueFormatter(zone: .utc)

  @Test(arguments: [
    (CellValue.null, "∅", Role.null), (.integer(-42), "-42", .number), (.integer(.max), "9223372036854775807", .number),
    (.boolean(true), "✓", .text), (.boolean(false), "·", .dim), (.real(0.1), "0.1", .number), (.real(8), "8", .number),
    (.real(.nan), "nan", .number), (.decimal("3.50"), "3.50", .number), (.text("", length: 0), "\"\"", .dim),
    (.text("abc", length: 3), "abc", .string), (.text("abc", length: 9), "abc…", .string),
    (.text("a\u{1B}[31mb\n", length: 8), "a␛[31mb␊", .string),
    (.bytes(head: [], count: 0), "0 bytes", .dim),
    (.bytes(head: [0x89, 0x50, 0x4E, 0x47], count: 41_300), "41 KB PNG", .dim),
    (.bytes(head: Array("bplist00".utf8), count: 4_200), "4.2 KB bplist", .dim),
    (.object(ObjectKey(entity: 1, primaryKey: 7), title: "Dessert"), "Dessert", .link),
    (.object(ObjectKey(entity: 1, primaryKey: 7), title: nil), "p7", .link), (.objects(count: 1_204), "1,204", .link),
    (.objects(count: 0), "0", .dim), (.objects(count: nil), "…", .link), (.odd("x\u{202E}y"), "⚠ x⟨U+202E⟩y", .warning),
  ])
  func `a value is shown as what it is`(value: CellValue, text: String, role: Role) {
    let shown = formatter.cell(value)
    #expect(shown.text == text)
    #expect(shown.role == role)
  }

  @Test func `a UUID is short in the grid and whole in the inspector`() throws {
    let uuid = try #require(UUID(uuidString: "0822E8F3-AAAA-BBBB-CCCC-1234567890AB"))
    #expect(formatter.cell(.uuid(uuid)).text == "0822e8f3…")
    #expect(formatter.lines(.uuid(uuid)).lines == ["0822E8F3-AAAA-BBBB-CCCC-1234567890AB"])
  }

  @Test(arguments: [
    (0.0, "2001-01-01 00:00"), (783_972_240, "2025-11-04 18:04"), (-63_114_076_800, "0001-01-01 00:00"),
    (-978_307_200.25, "1969-12-31 23:59"), (252_423_993_600, "+10000-01-01 00:00"), (-31_622_400, "2000-01-01 00:00"),
    (-26_438_401, "2000-02-29 23:59"),
  ])
  func `a date is shown by the calendar`(seconds: Double, text: String) {
    #expect(formatter.cell(.date(Date(timeIntervalSinceReferenceDate: seconds))).text == text)
  }

  @Test func `the inspector shows seconds and their fraction`() {
    let date = Date(timeIntervalSinceReferenceDate: 5.25)
    #expect(formatter.lines(.date(date)).lines == ["2001-01-01 00:00:05.25"])
  }

  @Test func `a date outside of the calendar is shown as its number`() {
    #expect(formatter.cell(.date(Date(timeIntervalSinceReferenceDate: 1e300))).role == .warning)
    #expect(formatter.cell(.date(Date(timeIntervalSinceReferenceDate: .infinity))).text == "⚠ inf")
  }

  @Test func `dates agree with the calendar of the system over six thousand years`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    for step in 0..<4_000 {
      // From the year 1 on, so across the reform of 1582.
      let date = Date(timeIntervalSince1970: -62_135_596_800 + 86_400 * 400 + Double(step) * 60_000_001.5)
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
      let shown = CivilTime(date, in: .utc)
      #expect(shown?.year == parts.year)
      #expect(shown?.month == parts.month)
      #expect(shown?.day == parts.day)
      #expect(shown?.hour == parts.hour)
      #expect(shown?.minute == parts.minute)
    }
  }

  @Test func `a named zone moves the clock`() throws {
    let zone = try #require(DateZone("Asia/Tokyo"))
    #expect(
      ValueFormatter(zone: zone).cell(.date(Date(timeIntervalSinceReferenceDate: 0))).text == "2001-01-01 09:00")
    #expect(DateZone("Atlantis/Capital") == nil)
  }

  @Test(arguments: [
    (999, "999 bytes"), (1, "1 byte"), (1_000, "1.0 KB"), (9_950, "10 KB"), (999_999, "1.0 MB"),
    (5_300_000_000, "5.3 GB"),
  ])
  func `sizes have two figures`(count: Int, text: String) {
    #expect(ValueFormatter.size(count) == text)
  }

  @Test func `long text keeps its lines in the inspector and says what is missing`() {
    let shown = formatter.lines(.text("one\ntwo\u{7}", length: 5_008))
    #expect(shown.lines == ["one", "two␇", "… 5,000 more characters"])
  }

  @Test func `text wraps at spaces and within long words`() {
    #expect(TextWrap.lines("the quick brown fox", width: 9) == ["the quick", "brown fox"])
    #expect(TextWrap.lines("abcdefghij", width: 4) == ["abcd", "efgh", "ij"])
    #expect(TextWrap.lines("日本語テキスト", width: 5) == ["日本", "語テ", "キス", "ト"])
    #expect(TextWrap.lines("", width: 5) == [""])
  }

  @Test func `text is found with case and accents ignored, by columns`() {
    #expect(TextMatch("cafe").columns(in: "日 Café, CAFE") == [3..<7, 9..<13])
    #expect(TextMatch("x").columns(in: "abc").isEmpty)
    #expect(TextMatch("").columns(in: "abc").isEmpty)
  }
}
