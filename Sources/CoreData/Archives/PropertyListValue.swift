import Foundation

/// A property list as a tree of values; also the form in which keyed archives are written.
///
/// Dictionaries keep the order of their entries, so that what is written is reproducible.
indirect enum PropertyListValue: Hashable, Sendable {
  case bool(Bool)
  case integer(Int64)
  /// Only for numbers above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data(Data)
  case string(String)
  /// A reference into `$objects` of a keyed archive.
  case uid(Int)
  case array([PropertyListValue])
  case set([PropertyListValue])
  case dictionary([Entry])

  /// One key of a dictionary and its value.
  struct Entry: Hashable, Sendable {
    var key: String
    var value: PropertyListValue

    init(_ key: String, _ value: PropertyListValue) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyListValue {
  /// The Foundation form: numbers as `NSNumber`, then `String`, `Date`, `Data`, `[Any]`, `[String: Any]`; sets as arrays.
  ///
  /// A reference of a keyed archive, which has no meaning outside it, becomes its number.
  var foundationValue: Any {
    switch self {
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let value): value
    case .string(let value): value
    case .uid(let value): NSNumber(value: value)
    case .array(let values), .set(let values): values.map(\.foundationValue)
    case .dictionary(let entries):
      Dictionary(entries.map { ($0.key, $0.value.foundationValue) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The value of a Foundation object, or nil when a property list cannot hold it.
  ///
  /// Dictionaries are sorted by key.
  init?(_ object: Any) {
    switch object {
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
    case let value as NSNumber: self.init(number: value)
    case let values as [String: Any]:
      var entries: [Entry] = []
      for (key, object) in values.sorted(by: { $0.key < $1.key }) {
        guard let value = PropertyListValue(object) else { return nil }
        entries.append(Entry(key, value))
      }
      self = .dictionary(entries)
    case let values as [Any]:
      let converted = values.compactMap { PropertyListValue($0) }
      guard converted.count == values.count else { return nil }
      self = .array(converted)
    case let value as NSString: self = .string(value as String)
    case let value as NSData: self = .data(value as Data)
    case let value as NSDate: self = .date(value.timeIntervalSinceReferenceDate)
    default: return nil
    }
  }

  /// The type code that Foundation on Linux gives Booleans and no other number.
  private static let booleanCode = "c"

  /// A number keeps its kind: Boolean, floating point, or integer.
  init(number: NSNumber) {
    if String(cString: number.objCType) == Self.booleanCode {
      self = .bool(number.boolValue)
    } else if ["d", "f"].contains(String(cString: number.objCType)) {
      self = .real(number.doubleValue)
    } else if number.compare(NSNumber(value: Int64.max)) == .orderedDescending {
      self = .unsigned(number.uint64Value)
    } else {
      self = .integer(number.int64Value)
    }
  }
}
