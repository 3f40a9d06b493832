/// How a predicate is written out.
package enum PredicateFormatStyle: Sendable {
  /// As `predicateFormat` prints it on Apple's platforms (PREDICATES.md, section 3), where some constants have no
  /// spelling that could be parsed again.
  case canonical
  /// The same, with every constant in a spelling that parses back to the same value.
  case parsable
}

extension PredicateTree {
  /// The predicate as text.
  package func format(_ style: PredicateFormatStyle = .canonical) -> String {
    switch simplified {
    case .value(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .block(let block): block.text
    case .comparison(let comparison): comparison.format(style)
    case .not(let child): "NOT " + child.formatAsChild(style)
    case .and(let children): children.map { $0.formatAsChild(style) }.joined(separator: " AND ")
    case .or(let children): children.map { $0.formatAsChild(style) }.joined(separator: " OR ")
    }
  }

  /// A compound is parenthesised inside a compound, always (rule 19).
  private func formatAsChild(_ style: PredicateFormatStyle) -> String {
    switch simplified {
    case .not, .and, .or: "(" + format(style) + ")"
    case .value, .block, .comparison: format(style)
    }
  }

  /// A compound of one child says what the child says; one of none is a constant.
  private var simplified: PredicateTree {
    switch self {
    case .and(let children) where children.isEmpty: .value(true)
    case .or(let children) where children.isEmpty: .value(false)
    case .and(let children) where children.count == 1: children[0].simplified
    case .or(let children) where children.count == 1: children[0].simplified
    default: self
    }
  }
}

extension PredicateTree.Comparison {
  func format(_ style: PredicateFormatStyle) -> String {
    let prefix =
      switch modifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    return "\(prefix)\(left.format(style)) \(op.text)\(options.text) \(right.format(style))"
  }
}

extension PredicateTree.Operator {
  /// The canonical spelling.
  package var text: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    case .utiConformsTo: "UTI-CONFORMS-TO"
    case .utiEquals: "UTI-EQUALS"
    case .selector(let name): name
    }
  }
}

extension PredicateTree.Options {
  /// `[cd]`, or nothing.
  package var text: String {
    guard !isEmpty else { return "" }
    let letters: [(Self, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    return "[" + letters.filter { contains($0.0) }.map(\.1).joined() + "]"
  }
}
