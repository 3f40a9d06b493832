/// Why a predicate cannot be evaluated; Apple raises these as exceptions.
package struct PredicateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exception's name on Apple's platforms.
  package let name: String
  package let reason: String

  package init(name: String = "NSInvalidArgumentException", _ reason: String) {
    self.name = name
    self.reason = reason
  }

  package static func unknownKey(_ key: String, of object: String) -> PredicateError {
    PredicateError(
      name: "NSUnknownKeyException",
      "[\(object) valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).")
  }

  package var description: String { "\(name): \(reason)" }
}

/// Where a format string stops being a predicate, and what could have stood there.
package struct PredicateParseError: Error, Hashable, Sendable, CustomStringConvertible {
  package let format: String
  /// In UTF-8 bytes from the start of `format`, up to its length.
  package let offset: Int
  package let expected: [Expectation]
  /// What is wrong beyond a missing piece: an unknown conversion, too few arguments, nesting too deep.
  package let detail: String?

  /// Something that the grammar allows at a place.
  package enum Expectation: Hashable, Sendable {
    /// A key, literal, variable, function or parenthesis.
    case operand
    /// A comparison, `NOT`, `TRUEPREDICATE` or a parenthesis.
    case predicate
    case comparisonOperator
    case arithmeticOperator
    /// `AND` or `OR`.
    case connective
    case key, variable, string
    /// One of `c`, `d`, `n`, `l`.
    case option
    case symbol(String)
    case end

    package var text: String {
      switch self {
      case .operand: "a key or a value"
      case .predicate: "a comparison"
      case .comparisonOperator: "an operator"
      case .arithmeticOperator: "an arithmetic operator"
      case .connective: "AND or OR"
      case .key: "a key"
      case .variable: "a variable"
      case .string: "a string"
      case .option: "an option (c, d, n or l)"
      case .symbol(let symbol): symbol
      case .end: "the end"
      }
    }
  }

  /// The reason that Apple's exception carries (rule 16).
  package var reason: String { "Unable to parse the format string \"\(format)\"" }

  /// The first offending character's place in `format`; `endIndex` when something is missing at the end.
  package var index: String.Index {
    let utf8 = format.utf8
    return utf8.index(utf8.startIndex, offsetBy: offset, limitedBy: utf8.endIndex) ?? utf8.endIndex
  }

  /// Characters before the offending one.
  package var column: Int { format.distance(from: format.startIndex, to: index) }

  /// One line for a person: what is wrong and what could have stood there.
  package var hint: String {
    // Where an operator can stand, arithmetic can too: that goes without saying.
    let named = expected.contains(.comparisonOperator) ? expected.filter { $0 != .arithmeticOperator } : expected
    let wanted = named.map(\.text).joined(separator: ", ")
    return switch (detail, wanted.isEmpty) {
    case (let detail?, true): detail
    case (let detail?, false): "\(detail); expected \(wanted)"
    case (nil, _): "expected \(wanted)"
    }
  }

  package var description: String { "\(reason): at \(column + 1), \(hint)" }
}
