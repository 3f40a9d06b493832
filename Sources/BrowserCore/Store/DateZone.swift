import Foundation

/// The clock that dates are shown by.
public enum DateZone: Hashable, Sendable {
  /// Coordinated Universal Time.
  case utc
  /// The zone of this machine.
  case local
  /// A zone by its name.
  case named(TimeZone)

  /// The zone that `utc`, `local` or a name of the zone database stands for; `nil` for an unknown name.
  public init?(_ name: String) {
    switch name.lowercased() {
    case "utc": self = .utc
    case "local": self = .local
    default:
      guard let zone = TimeZone(identifier: name) else { return nil }
      self = .named(zone)
    }
  }

  /// What a person calls the zone.
  var name: String {
    switch self {
    case .utc: "UTC"
    case .local: "local"
    case .named(let zone): zone.identifier
    }
  }

  /// Seconds to add to Coordinated Universal Time at a moment given in seconds since 1970.
  func offset(at seconds: Int) -> Int {
    switch self {
    case .utc: return 0
    case .named(let zone): return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    case .local:
      // Formatters cost milliseconds at the first use; the C library answers at once.
      var moment = time_t(seconds)
      var parts = tm()
      return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
    }
  }
}

/// A date and time on the calendar that Foundation shows, computed by arithmetic alone: Gregorian from 1582-10-15 on, Julian
/// before, years counted through 0.
struct CivilTime: Equatable {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  var microsecond: Int

  /// The time a clock in a zone shows, or `nil` when the date is outside of what a calendar can say.
  init?(_ date: Date, in zone: DateZone) {
    // Counted as the store counts: adding the seconds to 1970 would cost digits of the fraction.
    let since2001 = date.timeIntervalSinceReferenceDate
    guard since2001.isFinite, abs(since2001) < 4e13 else { return nil }
    let whole = since2001.rounded(.down)
    var seconds = Int(whole) + 978_307_200
    var micro = Int(((since2001 - whole) * 1e6).rounded())
    if micro >= 1_000_000 { (seconds, micro) = (seconds + 1, 0) }
    seconds += zone.offset(at: seconds)
    let days = Self.floorDivide(seconds, 86_400)
    let rest = seconds - days * 86_400
    (hour, minute, second, microsecond) = (rest / 3_600, rest / 60 % 60, rest % 60, micro)
    (year, month, day) = Self.calendar(days)
  }

  /// Year, month and day of a number of days since 1970-01-01.
  ///
  /// Years are counted from March, so that the leap day is the last of its year and the months before it have a fixed
  /// pattern.
  private static func calendar(_ daysSince1970: Int) -> (Int, Int, Int) {
    let isGregorian = daysSince1970 >= -141_427  // 1582-10-15
    let (yearsOfEra, daysOfEra) = isGregorian ? (400, 146_097) : (4, 1_461)
    let shifted = daysSince1970 + (isGregorian ? 719_468 : 719_470)  // days since 0000-03-01 of the calendar
    let era = floorDivide(shifted, daysOfEra)
    let dayOfEra = shifted - era * daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * yearsOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
  }

  /// `2025-11-02 18:04`; years beyond four digits carry a sign.
  var minutes: String {
    "\(yearText)-\(Self.two(month))-\(Self.two(day)) \(Self.two(hour)):\(Self.two(minute))"
  }

  /// `2025-11-02 18:04:05.25`: as many digits of a second as there are, up to six.
  var full: String {
    var text = minutes + ":" + Self.two(second)
    if microsecond > 0 {
      var digits = String(microsecond)
      digits = String(repeating: "0", count: 6 - digits.count) + digits
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  /// `18:04:05`.
  var clock: String { "\(Self.two(hour)):\(Self.two(minute)):\(Self.two(second))" }

  private var yearText: String {
    if (0...9_999).contains(year) {
      let digits = String(year)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    return (year < 0 ? "-" : "+") + String(abs(year))
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
