/// The predefined functions, under the names that `NSExpression(forFunction:arguments:)` takes.
///
/// Source: Apple, `NSExpression`; PREDICATES.md, section 2.
package enum PredicateFunction: String, Hashable, Sendable, CaseIterable, Codable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case stddev = "stddev:"
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case negate = "negate:"
  case sqrt = "sqrt:"
  case log = "log:"
  case ln = "ln:"
  case power = "raise:toPower:"
  case exp = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case abs = "abs:"
  case trunc = "trunc:"
  case random = "random"
  case randomBelow = "random:"
  case randomNumber = "randomn:"
  case now = "now"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case noIndex = "noindex:"
  case objectAtIndex = "objectFrom:withIndex:"
  case distance = "distanceToLocation:fromLocation:"

  private static let byLowercasedName = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

  /// The function of that name, in any case; `sum(x)` without its colon counts as `sum:(x)`.
  package init?(name: String, argumentCount: Int) {
    let name = name.lowercased()
    let exact = Self.byLowercasedName[name]
    if let exact, exact.accepts(argumentCount) {
      self = exact
    } else if let completed = Self.byLowercasedName[name + ":"], completed.accepts(argumentCount) {
      self = completed
    } else {
      return nil
    }
  }

  /// Whether so many arguments suit the function; the statistical ones take one collection or any number of values.
  package func accepts(_ count: Int) -> Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .stddev: count >= 1
    default: count == rawValue.count { $0 == ":" }
    }
  }

  /// The sign between two operands and how tightly it binds, for the functions written as operators.
  ///
  /// Rule 9 settles `+ -` below `* /` below `**`; that bit operators rank below them, in C's order, is ours
  /// (rule 9 leaves it open).
  package var infix: (sign: String, binding: Int)? {
    switch self {
    case .bitwiseOr: ("|", 20)
    case .bitwiseXor: ("^", 21)
    case .bitwiseAnd: ("&", 22)
    case .leftShift: ("<<", 23)
    case .rightShift: (">>", 23)
    case .add: ("+", 24)
    case .subtract: ("-", 24)
    case .multiply: ("*", 25)
    case .divide: ("/", 25)
    case .power: ("**", 26)
    default: nil
    }
  }

  /// The sign before one operand.
  package var prefix: String? {
    switch self {
    case .negate: "-"
    case .onesComplement: "~"
    default: nil
    }
  }
}
