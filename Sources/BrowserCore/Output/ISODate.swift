import Foundation

/// Dates in ISO 8601, UTC, with as many fraction digits as needed, at most six (CLI.md).
enum ISODate {
  /// The text, or `nil` outside the years -999999 to 999999.
  ///
  /// The calendar is the Gregorian one throughout, also before 1582.
  static func text(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 4e13 else { return nil }
    var whole = seconds.rounded(.down)
    var micros = Int(((seconds - whole) * 1_000_000).rounded())
    if micros == 1_000_000 { (whole, micros) = (whole + 1, 0) }
    let day = Int((whole / 86_400).rounded(.down))
    let inDay = Int(whole) - day * 86_400
    let (year, month, dayOfMonth) = civil(daysSince2001: day)
    guard abs(year) <= 999_999 else { return nil }
    var text = self.year(year) + "-" + two(month) + "-" + two(dayOfMonth)
    text += "T" + two(inDay / 3_600) + ":" + two(inDay / 60 % 60) + ":" + two(inDay % 60)
    if micros > 0 {
      var digits = String(micros + 1_000_000).dropFirst()
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

  /// Year, month and day of a day count, in eras of 400 years that begin in March.
  private static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 730_791  // days from 0000-03-01 to 2001-01-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
