import Foundation

extension PredicateSQL {
  /// A text compared with a constant one.
  ///
  /// Without options SQLite compares bytes, as the evaluator does, and a prefix is a range that an index can serve. With
  /// options, and for patterns, `cd_holds` compares.
  func text(
    _ value: SQLTerm, _ op: PredicateTree.Operator, _ text: String, _ options: PredicateTree.Options
  ) -> SQLFragment? {
    guard value.kind == .text else { return nil }
    let bound = SQLFragment("\(bound: .text(text))")
    if options.isEmpty || options == .normalized {
      switch op {
      case .equalTo: return "\(value.sql) = \(bound)"
      case .notEqualTo: return "\(value.sql) <> \(bound)"
      case .lessThan: return "\(value.sql) < \(bound)"
      case .lessThanOrEqualTo: return "\(value.sql) <= \(bound)"
      case .greaterThan: return "\(value.sql) > \(bound)"
      case .greaterThanOrEqualTo: return "\(value.sql) >= \(bound)"
      case .contains: return "instr(\(value.sql), \(bound)) > 0"
      case .beginsWith:
        guard let end = text.endOfPrefixRange else { return "\(value.sql) >= \(bound)" }
        return "(\(value.sql) >= \(bound) AND \(value.sql) < \(bound: .text(end)))"
      default: return nil
      }
    }
    switch op {
    case .equalTo, .notEqualTo, .beginsWith, .endsWith, .contains:
      guard !options.contains(.localeSensitive) else { return nil }
      let test = RowTest(needle: StringNeedle(text, options), op: op)
      return "cd_holds(\(bound: .test(test)), \(value.sql))"
    default: return nil
    }
  }
}

extension String {
  /// The least text that is greater than every text with this prefix, byte by byte; `nil` when there is none.
  fileprivate var endOfPrefixRange: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars + [scalar])
        return text
      }
    }
    return nil
  }
}
