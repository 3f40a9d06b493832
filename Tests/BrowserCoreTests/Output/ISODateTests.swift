import Foundation
import Testing

@testable import BrowserCore

@Suite struct ISODateTests {
  @Test func `ten thousand dates from 1600 to 9999 are as Foundation's calendar has them`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var random = SystemRandomNumberGenerator()
    // 1600-01-01 to 9999-12-31.
    for _ in 0..<10_000 {
      let seconds = Double(Int.random(in: -12_654_144_000...252_423_993_599, using: &random))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSinceReferenceDate: seconds))
      let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? -1 }
      let expected = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02dZ", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]
      )
      #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) == expected, "\(seconds)")
    }
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (86_400 * 59, "2001-03-01T00:00:00Z"),
      (-26_438_400, "2000-03-01T00:00:00Z"), (-26_438_401, "2000-02-29T23:59:59Z"),
      (783_799_445.25, "2025-11-02T18:04:05.25Z"), (0.000001, "2001-01-01T00:00:00.000001Z"),
      (0.1234567, "2001-01-01T00:00:00.123457Z"), (0.9999999, "2001-01-01T00:00:01Z"),
      (-0.0000001, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (0.1, "2001-01-01T00:00:00.1Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
      (252_423_993_599.9999999, "+010000-01-01T00:00:00Z"), (-63_114_076_800, "0001-01-01T00:00:00Z"),
      (-13_197_600_000, "1582-10-15T00:00:00Z"), (-13_197_600_001, "1582-10-04T23:59:59Z"),
    ] as [(Double, String)])
  func `known dates, with as many digits of a second as needed`(seconds: Double, text: String) {
    #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) == text)
  }

  @Test func `years before 0 and after 9999 have a sign and six digits, and what is outside the calendar is none`() {
    let year = 365.2425 * 86_400
    #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: -2_000 * year))?.hasPrefix("0001-") == true)
    #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: -2_010.5 * year))?.hasPrefix("-000010-") == true)
    #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: 100_000.5 * year))?.hasPrefix("+102001-") == true)
    #expect(ISODate.text(.distantPast) == "0001-01-01T00:00:00Z")
    #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: 123_456_789_012_345)) == nil)
    for outside in [1e300, -1e300, .infinity, -.infinity, .nan] {
      #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: outside)) == nil)
    }
  }
}
