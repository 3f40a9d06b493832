/// A number in arithmetic.
///
/// Whole numbers stay whole until they overflow; a decimal makes the result decimal unless a floating number is in
/// it.
enum PredicateNumber {
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)

  init?(_ constant: Constant, nullAsZero: Bool = false) {
    switch constant {
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .decimal(let value): self = .decimal(value)
    case .null where nullAsZero: self = .integer(0)
    default: return nil
    }
  }

  var constant: Constant {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    }
  }

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    }
  }

  /// The number cut to a whole one; nil beyond 64 bits.
  private var whole: Int64? {
    if case .integer(let value) = self { value } else { Int64(exactly: double.rounded(.towardZero)) }
  }

  private var decimal: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .decimal(let value): value
    case .double: nil
    }
  }

  /// The function's result; nil where there is none, as for a division of whole numbers by zero.
  static func apply(_ function: PredicateFunction, _ operands: [PredicateNumber]) -> PredicateNumber? {
    if operands.count == 2 {
      binary(function, operands[0], operands[1])
    } else {
      unary(function, operands[0])
    }
  }

  private static func binary(
    _ function: PredicateFunction, _ left: PredicateNumber, _ right: PredicateNumber
  ) -> PredicateNumber? {
    switch function {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
      guard let left = left.whole, let right = right.whole else { return nil }
      switch function {
      case .bitwiseAnd: return .integer(left & right)
      case .bitwiseOr: return .integer(left | right)
      case .bitwiseXor: return .integer(left ^ right)
      case .leftShift: return .integer(left << right)
      default: return .integer(left >> right)
      }
    case .power:
      let result = pow(left.double, right.double)
      if case (.integer, .integer(0...)) = (left, right), abs(result) <= 9_007_199_254_740_992 {
        return .integer(Int64(result))
      }
      return .double(result)
    default: break
    }
    if case (.integer(let left), .integer(let right)) = (left, right) {
      if let exact = whole(function, left, right) { return exact }
      if right == 0, function == .divide || function == .modulus { return nil }
    } else if let left = left.decimal, let right = right.decimal {
      switch function {
      case .add: return .decimal(left + right)
      case .subtract: return .decimal(left - right)
      case .multiply: return .decimal(left * right)
      case .divide: return right == 0 ? nil : .decimal(left / right)
      default: break
      }
    }
    let (left, right) = (left.double, right.double)
    return switch function {
    case .add: .double(left + right)
    case .subtract: .double(left - right)
    case .multiply: .double(left * right)
    case .divide: .double(left / right)
    case .modulus: .double(left.truncatingRemainder(dividingBy: right))
    default: nil
    }
  }

  /// Nil on overflow and division by zero.
  private static func whole(_ function: PredicateFunction, _ left: Int64, _ right: Int64) -> PredicateNumber? {
    let result: (partialValue: Int64, overflow: Bool)
    switch function {
    case .add: result = left.addingReportingOverflow(right)
    case .subtract: result = left.subtractingReportingOverflow(right)
    case .multiply: result = left.multipliedReportingOverflow(by: right)
    case .divide: result = left.dividedReportingOverflow(by: right)
    case .modulus: result = left.remainderReportingOverflow(dividingBy: right)
    default: return nil
    }
    return result.overflow ? nil : .integer(result.partialValue)
  }

  private static func unary(_ function: PredicateFunction, _ operand: PredicateNumber) -> PredicateNumber? {
    switch (function, operand) {
    case (.negate, .integer(let value)) where value != .min: return .integer(-value)
    case (.negate, .decimal(let value)): return .decimal(-value)
    case (.abs, .integer(let value)) where value != .min: return .integer(Swift.abs(value))
    case (.abs, .decimal(let value)): return .decimal(Swift.abs(value))
    case (.floor, .integer), (.ceiling, .integer), (.trunc, .integer): return operand
    case (.onesComplement, _): return operand.whole.map { .integer(~$0) }
    case (.randomBelow, _), (.randomNumber, _):
      guard let bound = operand.whole, bound > 0 else { return nil }
      return .integer(Int64.random(in: 0..<bound))
    default: break
    }
    let value = operand.double
    return switch function {
    case .negate: .double(-value)
    case .abs: .double(Swift.abs(value))
    case .sqrt: .double(value.squareRoot())
    case .log: .double(log10(value))
    case .ln: .double(Foundation.log(value))
    case .exp: .double(Foundation.exp(value))
    case .floor: .double(value.rounded(.down))
    case .ceiling: .double(value.rounded(.up))
    case .trunc: .double(value.rounded(.towardZero))
    default: nil
    }
  }
}

extension Decimal {
  /// The floating number that is nearest; Foundation's own conversion can be off by some of the last bits.
  var nearestDouble: Double { Double(description) ?? .nan }
}
