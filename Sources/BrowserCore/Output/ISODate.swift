import Foundation

/// Dates in ISO 8601, UTC, with as many fraction digits as needed, at most six (CLI.md).
enum ISODate {
  /// The text, or `nil` outside the years -999999 to 999999.
  ///
  /// The calendar is the one that Foundation shows: Julian before 1582-10-15, so that `distantPast` is 0001-01-01.
  static func text(_ date: Date) -> String? {
    guard let time = CivilTime(date, in: .utc), abs(time.year) <= 999_999 else { return nil }
    var text = year(time.year) + "-" + two(time.month) + "-" + two(time.day)
    text += "T" + two(time.hour) + ":" + two(time.minute) + ":" + two(time.second)
    if time.microsecond > 0 {
      var digits = String(time.microsecond + 1_000_000).dropFirst()
      while digits.last == "0" { digits = digits.dropLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  private static func year(_ year: Int) -> String {
    if (0...9_999).contains(year) { return String(String(year + 10_000).dropFirst()) }
    return (year < 0 ? "-" : "+") + String(String(abs(year) + 1_000_000).dropFirst())
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
