extension PredicateEvaluator {
  /// A predefined function of values.
  func call(
    _ function: PredicateFunction, _ arguments: [PredicateValue]
  ) throws(PredicateError) -> PredicateValue {
    switch function {
    case .count:
      if arguments.count == 1, let elements = arguments[0].elements { return .integer(Int64(elements.count)) }
      return .integer(Int64(arguments.count))
    case .sum, .min, .max, .average, .median, .mode, .stddev:
      let values = arguments.count == 1 ? arguments[0].elements ?? arguments : arguments
      return try aggregate(function, of: values)
    case .objectAtIndex: return try element(at: arguments[1], of: arguments[0])
    case .noIndex: return arguments[0]
    case .now: return .constant(.date(Date()))
    case .random: return .integer(Int64.random(in: 0...Int64(Int32.max)))
    case .uppercase, .lowercase, .canonical, .length:
      if arguments[0].isNull { return .null }
      guard case .constant(.string(let text)) = arguments[0] else {
        throw PredicateError("\(function.rawValue) needs a string, not \(arguments[0].text)")
      }
      switch function {
      case .length: return .integer(Int64(text.utf16.count))
      case .uppercase: return .string(text.uppercased())
      case .lowercase: return .string(text.lowercased())
      default: return .string(text.folded(caseInsensitive: true, diacriticInsensitive: true))
      }
    case .distance: throw PredicateError("\(function.rawValue) cannot be evaluated here")
    default: return try arithmetic(function, arguments)
    }
  }

  // MARK: Arithmetic

  private func arithmetic(
    _ function: PredicateFunction, _ arguments: [PredicateValue]
  ) throws(PredicateError) -> PredicateValue {
    var operands: [PredicateNumber] = []
    for argument in arguments {
      if nulls == .fetch, argument.isMissing { return .null }
      guard case .constant(let constant) = argument, let number = PredicateNumber(constant) else {
        throw PredicateError("\(function.rawValue) needs numbers, not \(argument.text)")
      }
      operands.append(number)
    }
    // SQL knows no infinite quotient.
    if nulls == .fetch, function == .divide || function == .modulus, operands[1].double == 0 { return .null }
    guard let result = PredicateNumber.apply(function, operands) else {
      if nulls == .fetch { return .null }
      throw PredicateError("\(function.rawValue) has no result for \(arguments.map(\.text).joined(separator: ", "))")
    }
    return .constant(result.constant)
  }

  // MARK: Statistics

  /// A figure over numbers, or the least or greatest of comparable values.
  ///
  /// Nil counts as nothing for `min:` and `max:`; for the others as zero in memory, as key-value coding has it, and
  /// as nothing in a fetch, as SQL has it. The average of nothing is nil (ours: rule 29 leaves it open).
  private func aggregate(
    _ function: PredicateFunction, of values: [PredicateValue]
  ) throws(PredicateError) -> PredicateValue {
    let present = values.filter { nulls == .fetch ? !$0.isMissing : !$0.isNull }
    if function == .min || function == .max {
      var best: PredicateValue?
      for value in present {
        guard let current = best else {
          best = value
          continue
        }
        let order = try PredicateComparer.order(value, current, nil)
        if order == (function == .min ? .orderedAscending : .orderedDescending) { best = value }
      }
      return best ?? .null
    }
    var numbers: [PredicateNumber] = []
    for value in nulls == .memory ? values : present {
      guard case .constant(let constant) = value, let number = PredicateNumber(constant, nullAsZero: true) else {
        throw PredicateError("\(function.rawValue) needs numbers, not \(value.text)")
      }
      numbers.append(number)
    }
    let total = numbers.reduce(PredicateNumber.integer(0)) { PredicateNumber.apply(.add, [$0, $1]) ?? $0 }
    if function == .sum { return .constant(total.constant) }
    guard !numbers.isEmpty else { return .null }
    let doubles = numbers.map(\.double).sorted()
    let mean = total.double / Double(doubles.count)
    switch function {
    case .average: return .constant(.double(mean))
    case .median:
      let middle = doubles.count / 2
      return .constant(
        .double(doubles.count.isMultiple(of: 2) ? (doubles[middle - 1] + doubles[middle]) / 2 : doubles[middle]))
    case .mode:
      let counts = Dictionary(numbers.map { ($0.double, 1) }, uniquingKeysWith: +)
      let most = counts.values.max()
      let modes = counts.filter { $0.value == most }.keys.sorted()
      return .list(
        modes.compactMap { mode in numbers.first { $0.double == mode } }.map { .constant($0.constant) }, isOrdered: true
      )
    default:
      let squares = doubles.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
      return .constant(.double((squares / Double(doubles.count)).squareRoot()))
    }
  }
}
