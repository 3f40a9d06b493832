import Foundation

/// A value of the plain data that random fetches are checked against; knows nothing of predicates.
enum PlainValue: Sendable {
  case missing
  case whole(Int64)
  case real(Double)
  case text(String)
  /// Seconds since 2001.
  case date(Double)
  /// Of a UUID or of data.
  case bytes([UInt8])
  /// The number of a row.
  case row(Int)

  /// Not-a-number counts as no value, as a store keeps it.
  init(number: Double) { self = number.isNaN ? .missing : .real(number) }

  var isMissing: Bool { if case .missing = self { true } else { false } }

  /// The number as a floating one.
  var number: Double? {
    switch self {
    case .whole(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  // MARK: Order

  /// The order of two values of one kind; nil when one is missing or they are of different kinds.
  func order(to other: PlainValue, _ options: String = "") -> Int? {
    switch (self, other) {
    case (.whole(let one), .whole(let two)): Self.sign(one, two)
    case (.real(let one), .real(let two)): Self.sign(one, two)
    case (.whole(let one), .real(let two)): Self.sign(one, two)
    case (.real(let one), .whole(let two)): -Self.sign(two, one)
    case (.date(let one), .date(let two)): Self.sign(one, two)
    case (.text(let one), .text(let two)):
      options.contains("l")
        ? Self.folded(one, options).compare(Self.folded(two, options), locale: .current).rawValue
        : Self.sign(Array(Self.folded(one, options).utf8), Array(Self.folded(two, options).utf8))
    case (.bytes(let one), .bytes(let two)): Self.sign(one, two)
    case (.row(let one), .row(let two)): Self.sign(one, two)
    default: nil
    }
  }

  private static func sign<Value: Comparable>(_ one: Value, _ two: Value) -> Int { one < two ? -1 : two < one ? 1 : 0 }

  private static func sign(_ one: [UInt8], _ two: [UInt8]) -> Int {
    one == two ? 0 : one.lexicographicallyPrecedes(two) ? -1 : 1
  }

  /// Exact: rounding a whole number never takes it past a floating one.
  private static func sign(_ one: Int64, _ two: Double) -> Int {
    let rounded = sign(Double(one), two)
    if rounded != 0 { return rounded }
    return two >= 0x1p63 ? -1 : sign(one, Int64(two))
  }

  /// Folded by the letters `c` and `d`; `n` says that it is folded already.
  static func folded(_ text: String, _ options: String) -> String {
    var folding: String.CompareOptions = []
    if options.contains("n") { return text }
    if options.contains("c") { folding.insert(.caseInsensitive) }
    if options.contains("d") { folding.insert(.diacriticInsensitive) }
    return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
  }

  // MARK: Texts

  /// Nil when one of the two is no text.
  static func texts(_ one: PlainValue, _ two: PlainValue, _ options: String) -> (one: [UInt8], two: [UInt8])? {
    guard case (.text(let one), .text(let two)) = (one, two) else { return nil }
    return (Array(folded(one, options).utf8), Array(folded(two, options).utf8))
  }

  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || (0..<Swift.max(0, text.count - part.count + 1)).contains { text[$0...].starts(with: part) }
  }

  /// `?` is one character, `*` any number; the rest are compared by their bytes.
  static func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return text.indices.appending(text.endIndex).contains { isLike(text[$0...], pattern.dropFirst()) }
    }
    guard let own = text.first, first == "?" || own.utf8.elementsEqual(first.utf8) else { return false }
    return isLike(text.dropFirst(), pattern.dropFirst())
  }
}

extension Range<Int> {
  fileprivate func appending(_ end: Int) -> [Int] { Array(self) + [end] }
}

/// Arithmetic as SQL has it: whole numbers stay whole until they overflow.
enum PlainArithmetic: String, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"

  func callAsFunction(_ one: PlainValue, _ two: PlainValue) -> PlainValue {
    if self == .divide, two.number == 0 { return .missing }
    if case (.whole(let one), .whole(let two)) = (one, two) {
      let result: (partialValue: Int64, overflow: Bool)
      switch self {
      case .add: result = one.addingReportingOverflow(two)
      case .subtract: result = one.subtractingReportingOverflow(two)
      case .multiply: result = one.multipliedReportingOverflow(by: two)
      case .divide: result = one.dividedReportingOverflow(by: two)
      }
      if !result.overflow { return .whole(result.partialValue) }
    }
    guard let one = one.number, let two = two.number else { return .missing }
    return switch self {
    case .add: PlainValue(number: one + two)
    case .subtract: PlainValue(number: one - two)
    case .multiply: PlainValue(number: one * two)
    case .divide: PlainValue(number: one / two)
    }
  }
}

/// Three truths: nil is unknown.
enum Kleene {
  static func not(_ value: Bool?) -> Bool? { value.map { !$0 } }
  static func and(_ values: [Bool?]) -> Bool? {
    values.contains(false) ? false : values.contains(nil) ? nil : true
  }
  static func or(_ values: [Bool?]) -> Bool? {
    values.contains(true) ? true : values.contains(nil) ? nil : false
  }
}
