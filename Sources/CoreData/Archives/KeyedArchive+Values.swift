import Foundation

extension KeyedArchive.Node {
  /// The name of the object's class as archived; nil for a plain value.
  var className: String? { self["$class"]?["$classname"]?.string }

  /// Whether the object is of the class or one derived from it, by the list of classes in the archive.
  func isKind(of name: String) -> Bool {
    guard let description = self["$class"] else { return false }
    if description["$classname"]?.string == name { return true }
    return description["$classes"]?.elements?.contains { $0.string == name } ?? false
  }

  /// A string: plain, `NSString` or `NSMutableString`.
  var string: String? {
    switch object {
    case .string(let value): value
    case .dictionary:
      if case .string(let value)? = self["NS.string"]?.object {
        value
      } else if case .data(let range)? = self["NS.bytes"]?.object {
        String(decoding: bytes(range), as: UTF8.self)
      } else {
        nil
      }
    default: nil
    }
  }

  /// An integer, exact; a Boolean counts as 0 or 1.
  var integer: Int? {
    switch object {
    case .integer(let value): Int(value)
    case .bool(let value): value ? 1 : 0
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }

  /// A Boolean; a number is true when it is not zero.
  var bool: Bool? {
    if case .bool(let value) = object { return value }
    return integer.map { $0 != 0 }
  }

  /// The members of an archived or inline array, set or ordered set, without nulls.
  var array: [KeyedArchive.Node]? { elements ?? self["NS.objects"]?.elements }

  /// The strings of an archived array or set.
  var strings: [String]? { array.map { $0.compactMap(\.string) } }

  /// The entries of `NSDictionary`, `NSMutableDictionary` or the frameworks' dictionary of known keys, in stored order.
  ///
  /// Keys that are not strings and entries without a value are left out (reference: MODELCACHE, object graph).
  var dictionary: [(key: String, value: KeyedArchive.Node)]? {
    let keys = self["NS.keys"]?.elements ?? self["searchMapping"]?["keys"]?.array
    let values = self["NS.objects"]?.elements ?? self["values"]?.array
    guard let keys, let values, keys.count == values.count else { return nil }
    return zip(keys, values).compactMap { key, value in key.string.map { ($0, value) } }
  }
}

extension KeyedArchive.Node {
  /// The object as Foundation has it: numbers, strings, dates, data, UUIDs, URLs, decimals, arrays and dictionaries.
  ///
  /// Nil for every other class, for anything that holds one, for what nests deeper than `depth` levels, and for what
  /// shared parts make far larger than the archive.
  func foundationValue(depth: Int = 16) -> Any? {
    var budget = 100_000 + 2 * archiveSize
    return foundationValue(depth: depth, &budget)
  }

  private func foundationValue(depth: Int, _ budget: inout Int) -> Any? {
    budget -= 1
    guard depth > 0, budget > 0 else { return nil }
    switch object {
    case .null, .uid: return nil
    case .bool(let value): return NSNumber(value: value)
    case .integer(let value): return NSNumber(value: value)
    case .unsigned(let value): return NSNumber(value: value)
    case .real(let value): return NSNumber(value: value)
    case .date(let value): return Date(timeIntervalSinceReferenceDate: value)
    case .data(let range):
      budget -= range.count
      return bytes(range)
    case .string(let value): return value
    case .array, .set: return all(elements, depth: depth, &budget)
    case .dictionary: return archivedValue(depth: depth, &budget)
    }
  }

  private func all(_ nodes: [KeyedArchive.Node]?, depth: Int, _ budget: inout Int) -> [Any]? {
    var values: [Any] = []
    for node in nodes ?? [] {
      guard let value = node.foundationValue(depth: depth - 1, &budget) else { return nil }
      values.append(value)
    }
    return nodes == nil ? nil : values
  }

  private func archivedValue(depth: Int, _ budget: inout Int) -> Any? {
    if isKind(of: "NSString") { return string }
    if isKind(of: "NSArray") || isKind(of: "NSSet") || isKind(of: "NSOrderedSet") {
      return all(array, depth: depth, &budget)
    }
    if isKind(of: "NSDictionary") {
      guard let entries = dictionary, let values = all(entries.map(\.value), depth: depth, &budget) else { return nil }
      return Dictionary(zip(entries.map(\.key), values), uniquingKeysWith: { first, _ in first })
    }
    switch className {
    case "NSDate":
      switch self["NS.time"]?.object {
      case .real(let seconds)?, .date(let seconds)?: return Date(timeIntervalSinceReferenceDate: seconds)
      case .integer(let seconds)?: return Date(timeIntervalSinceReferenceDate: Double(seconds))
      default: return nil
      }
    case "NSData", "NSMutableData":
      guard case .data(let range)? = self["NS.data"]?.object else { return nil }
      budget -= range.count
      return bytes(range)
    case "NSUUID":
      guard case .data(let range)? = self["NS.uuidbytes"]?.object, range.count == 16 else { return nil }
      return bytes(range).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case "NSURL":
      guard let relative = self["NS.relative"]?.string else { return nil }
      return URL(string: relative, relativeTo: self["NS.base"]?["NS.relative"]?.string.flatMap { URL(string: $0) })
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal
    default: return nil
    }
  }

  /// `NSDecimalNumber` is archived as a mantissa of 16-bit digits in the byte order named beside it.
  private var decimal: NSDecimalNumber? {
    guard case .data(let range)? = self["NS.mantissa"]?.object, let exponent = self["NS.exponent"]?.integer,
      let length = self["NS.length"]?.integer, (-128...127).contains(exponent), (0...8).contains(length),
      range.count >= 2 * length
    else { return nil }
    let mantissa = bytes(range)
    let isBigEndian = self["NS.mantissa.bo"]?.integer == 2
    let isNegative = self["NS.negative"]?.bool ?? false
    // A zero length marks zero, or not a number when it is negative.
    guard length > 0 else { return isNegative ? NSDecimalNumber.notANumber : NSDecimalNumber.zero }
    var value = Decimal(0)
    for digit in (0..<length).reversed() {
      let low = UInt16(mantissa[2 * digit + (isBigEndian ? 1 : 0)])
      let high = UInt16(mantissa[2 * digit + (isBigEndian ? 0 : 1)])
      value = value * 65_536 + Decimal(Int(high << 8 | low))
    }
    let scaled = Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: value)
    return NSDecimalNumber(decimal: scaled)
  }
}
