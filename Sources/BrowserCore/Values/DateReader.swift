import Foundation

/// Reads dates as people and machines write them.
///
/// `2025-11-02`, `2025-11-02 18:04`, `2025-11-02T18:04:05.25Z`, `…+01:00`, `2.11.2025`, `2 Nov 2025`, `Nov 2, 2025 6:04 pm`,
/// and `11/22/2025` where the order of day and month is plain. What has no zone is on the reader's clock. The calendar is
/// that of `CivilTime`.
struct DateReader {
  var zone: DateZone

  /// The date, or what is wrong with the text.
  func date(_ text: String) -> Result<Date, ReadingError> {
    var rest = Substring(text.uppercased())
    do {
      let day = try Self.day(&rest)
      let (seconds, fraction) = try Self.time(&rest)
      let offset = try Self.offset(&rest)
      guard rest.isEmpty else {
        if rest.count == text.count { throw Self.unknown }
        // As it was typed.
        throw ReadingError("not a date: “\(text.suffix(rest.count))” is too much")
      }
      let clock = Self.days(year: day.year, month: day.month, day: day.day) * 86_400 + seconds
      let since1970 = offset.map { clock - $0 } ?? zone.seconds(ofClock: clock)
      // Seconds and fraction meet last, so that no digit of the fraction is lost.
      return .success(Date(timeIntervalSinceReferenceDate: Double(since1970 - 978_307_200) + fraction))
    } catch let error as ReadingError {
      return .failure(error)
    } catch {
      return .failure(Self.unknown)
    }
  }

  private static let unknown = ReadingError("not a date: write 2025-11-02 18:04")

  // MARK: Parts

  private static func day(_ rest: inout Substring) throws -> (year: Int, month: Int, day: Int) {
    var found: (year: Int, month: Int, day: Int)?
    if let match = rest.prefixMatch(of: /([+-]?\d{4,6})[-\/](\d{1,2})[-\/](\d{1,2})/) {
      found = (number(match.1), number(match.2), number(match.3))
      rest = rest[match.range.upperBound...]
    } else if let match = rest.prefixMatch(of: /(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})/) {
      found = (number(match.3), number(match.2), number(match.1))
      rest = rest[match.range.upperBound...]
    } else if let match = rest.prefixMatch(of: /(\d{1,2})\/(\d{1,2})\/(\d{4})/) {
      let (first, second) = (number(match.1), number(match.2))
      guard first > 12 || second > 12 || first == second else {
        throw ReadingError("two dates could be meant: write \(number(match.3))-MM-DD")
      }
      found = first > 12 ? (number(match.3), second, first) : (number(match.3), first, second)
      rest = rest[match.range.upperBound...]
    } else if let match = rest.prefixMatch(of: /(\d{1,2})\.?\s+([A-Z]{3,9})\.?,?\s+(\d{4})/) {
      found = month(match.2).map { (number(match.3), $0, number(match.1)) }
      rest = rest[match.range.upperBound...]
    } else if let match = rest.prefixMatch(of: /([A-Z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})/) {
      found = month(match.1).map { (number(match.3), $0, number(match.2)) }
      rest = rest[match.range.upperBound...]
    }
    guard let found else { throw unknown }
    guard (1...12).contains(found.month) else { throw ReadingError("there is no month \(found.month)") }
    let days = Self.days(year: found.year, month: found.month, day: 1)
    let next = found.month == 12 ? (found.year + 1, 1) : (found.year, found.month + 1)
    let length = Self.days(year: next.0, month: next.1, day: 1) - days
    // October 1582 lost ten days, and its last is still the 31st.
    guard found.day >= 1, found.day <= (length == 21 ? 31 : length) else {
      throw ReadingError("that month has no day \(found.day)")
    }
    return found
  }

  /// Seconds of the day and the fraction of a second; midnight where no time is written.
  private static func time(_ rest: inout Substring) throws -> (Int, Double) {
    guard
      let match = rest.prefixMatch(of: /(?:T|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([AP])M)?/)
    else { return (0, 0) }
    rest = rest[match.range.upperBound...]
    var hour = number(match.1)
    let (minute, second) = (number(match.2), match.3.map(number) ?? 0)
    if let half = match.5 {
      guard (1...12).contains(hour) else { throw ReadingError("there is no hour \(hour) \(half.lowercased())m") }
      hour = hour % 12 + (half == "P" ? 12 : 0)
    }
    guard hour < 24, minute < 60, second < 60 else { throw ReadingError("no clock shows that time") }
    let fraction = match.4.flatMap { Double("0." + $0) } ?? 0
    return (hour * 3_600 + minute * 60 + second, fraction)
  }

  /// Seconds east of Greenwich; `nil` where no zone is written.
  private static func offset(_ rest: inout Substring) throws -> Int? {
    guard let match = rest.prefixMatch(of: /\s*(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)/) else { return nil }
    rest = rest[match.range.upperBound...]
    guard let sign = match.2 else { return 0 }
    let (hours, minutes) = (match.3.map(number) ?? 0, match.4?.isEmpty == false ? match.4.map(number) ?? 0 : 0)
    guard hours <= 18, minutes < 60 else { throw ReadingError("no zone is \(hours) hours away") }
    return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }

  private static func number(_ digits: Substring) -> Int { Int(digits) ?? 0 }

  private static func month(_ name: Substring) -> Int? {
    let months = [
      "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER",
      "DECEMBER",
    ]
    return months.firstIndex { $0.hasPrefix(name) }.map { $0 + 1 }
  }

  /// Days since 1970-01-01: Gregorian from 1582-10-15 on, Julian before.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let isGregorian = (year, month, day) >= (1582, 10, 15)
    // Years are counted from March, so that the leap day is the last of its year.
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let yearsOfEra = isGregorian ? 400 : 4
    let era = year >= 0 ? year / yearsOfEra : -((yearsOfEra - 1 - year) / yearsOfEra)
    let yearOfEra = year - era * yearsOfEra
    let centuries = isGregorian ? yearOfEra / 100 : 0
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - centuries + dayOfYear
    return isGregorian ? era * 146_097 + dayOfEra - 719_468 : era * 1_461 + dayOfEra - 719_470
  }
}

extension DateZone {
  /// The moment, in seconds since 1970, at which a clock of this zone shows what a clock in UTC shows at `clock`.
  ///
  /// Of two moments the earlier one; a time that is skipped in spring is taken as that much later.
  func seconds(ofClock clock: Int) -> Int {
    let before = offset(at: clock - 86_400)
    if offset(at: clock - before) == before { return clock - before }
    let after = offset(at: clock + 86_400)
    return offset(at: clock - after) == after ? clock - after : clock - before
  }
}
