import Foundation

extension KeyedArchiveWriter {
  /// Foundation's classes with their ancestors, as archives name them.
  enum Class {
    static let array = ["NSArray", "NSObject"]
    static let mutableArray = ["NSMutableArray", "NSArray", "NSObject"]
    static let set = ["NSSet", "NSObject"]
    static let dictionary = ["NSDictionary", "NSObject"]
    static let mutableDictionary = ["NSMutableDictionary", "NSDictionary", "NSObject"]
    static let data = ["NSData", "NSObject"]
    static let date = ["NSDate", "NSObject"]
    static let uuid = ["NSUUID", "NSObject"]
    static let url = ["NSURL", "NSObject"]
    static let decimal = ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]
  }

  /// A value that `KeyedArchive.Node.foundationValue` can read; null for nil and for any other class.
  mutating func add(value: Any?, depth: Int = 16) -> Reference {
    guard depth > 0 else { return .null }
    switch value {
    case nil: return .null
    case let value as NSDecimalNumber: return add(decimal: value)
    case let value as String: return add(.string(value))
    case let value as Date:
      return object(
        class: Class.date, [PropertyListValue.Entry("NS.time", .real(value.timeIntervalSinceReferenceDate))])
    case let value as Data: return object(class: Class.data, [PropertyListValue.Entry("NS.data", .data(value))])
    case let value as UUID:
      let bytes = withUnsafeBytes(of: value.uuid) { Data($0) }
      return object(class: Class.uuid, [PropertyListValue.Entry("NS.uuidbytes", .data(bytes))])
    case let value as URL:
      let base = value.baseURL.map { add(value: $0, depth: depth - 1) } ?? .null
      let relative = add(.string(value.relativeString))
      return object(
        class: Class.url,
        [PropertyListValue.Entry("NS.base", base.value), PropertyListValue.Entry("NS.relative", relative.value)])
    case let values as [Any]:
      return collection(class: Class.array, values.map { add(value: $0, depth: depth - 1) })
    case let values as [AnyHashable: Any]:
      let sorted = values.map { (key: "\($0.key)", value: $0.value) }.sorted { $0.key < $1.key }
      return dictionary(
        class: Class.dictionary,
        sorted.map { (key: add(.string($0.key)), value: add(value: $0.value, depth: depth - 1)) })
    case let value as NSNumber: return add(PropertyListValue(number: value))
    default: return .null
    }
  }

  /// A decimal as a mantissa of up to eight 16-bit digits, least significant first.
  private mutating func add(decimal number: NSDecimalNumber) -> Reference {
    let decimal = number.decimalValue
    var mantissa = [UInt8](repeating: 0, count: 16)
    var rest = decimal.significand
    var length = 0
    while rest > 0, length < 8 {
      var quotient = rest / 65_536
      var whole = Decimal()
      NSDecimalRound(&whole, &quotient, 0, .down)
      let digit = NSDecimalNumber(decimal: rest - whole * 65_536).uint16Value
      mantissa[2 * length] = UInt8(truncatingIfNeeded: digit)
      mantissa[2 * length + 1] = UInt8(truncatingIfNeeded: digit >> 8)
      rest = whole
      length += 1
    }
    return object(
      class: Class.decimal,
      [
        PropertyListValue.Entry("NS.mantissa", .data(Data(mantissa))),
        PropertyListValue.Entry("NS.mantissa.bo", .integer(1)),
        PropertyListValue.Entry("NS.exponent", .integer(Int64(decimal.exponent))),
        PropertyListValue.Entry("NS.length", .integer(Int64(length))),
        PropertyListValue.Entry("NS.negative", .bool(decimal.isSignMinus)),
        PropertyListValue.Entry("NS.compact", .bool(false)),
      ])
  }
}
