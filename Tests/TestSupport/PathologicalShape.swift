/// Shapes of predicates that bring parsers down: nests, chains, and things without an end.
public enum PathologicalShape: String, CaseIterable, Sendable {
  case parentheses, openParentheses, negations, exclamationMarks, nestedNegations, braces, openBraces, indexes
  case nestedIndexes, minuses, tildes, subqueries, openSubqueries, calls, ternaries, casts, conjunctions, disjunctions
  case alternating, sums, powers, keyPaths, sets, assignments, nestedSums, literal, unterminatedLiteral, backslashes
  case digits, hexadecimal, word, conversions, wideConversion, list, blanks, selectors, quantifiers, variablePaths
  case operators, options, closings, emoji, percents, operands

  /// A text of about so many characters.
  public func text(_ length: Int) -> String {
    func repeated(_ piece: String, _ share: Int = 1) -> String {
      String(repeating: piece, count: max(1, length / share / piece.utf8.count))
    }
    return switch self {
    case .parentheses: repeated("(", 2) + "a == 1" + repeated(")", 2)
    case .openParentheses: repeated("(")
    case .negations: repeated("NOT ") + "a == 1"
    case .exclamationMarks: repeated("!") + "(a == 1)"
    case .nestedNegations: repeated("NOT (", 2) + "a == 1" + String(repeating: ")", count: max(1, length / 2 / 5))
    case .braces: "a IN " + repeated("{", 2) + "1" + repeated("}", 2)
    case .openBraces: "a IN " + repeated("{")
    case .indexes: "a" + repeated("[0]") + " == 1"
    case .nestedIndexes: repeated("a[", 2) + "0" + String(repeating: "]", count: max(1, length / 4)) + " == 1"
    case .minuses: "a == " + repeated("-") + "1"
    case .tildes: "a == " + repeated("~") + "1"
    case .subqueries:
      repeated("SUBQUERY(a, $x, ", 2) + "$x == 1" + String(repeating: ").@count > 0", count: max(1, length / 32))
    case .openSubqueries: repeated("SUBQUERY(a,$x,")
    case .calls: repeated("abs:(", 2) + "1" + String(repeating: ")", count: max(1, length / 10)) + " == 1"
    case .ternaries:
      repeated("TERNARY(a == 1, ", 2) + "1" + String(repeating: ", 2)", count: max(1, length / 32)) + " == 1"
    case .casts: repeated("CAST(", 2) + "1" + String(repeating: ", 'NSString')", count: max(1, length / 10)) + " == 1"
    case .conjunctions: repeated("a == 1 AND ") + "a == 1"
    case .disjunctions: repeated("a == 1 || ") + "a == 1"
    case .alternating: repeated("a == 1 AND b2 == 2 OR NOT ") + "a == 1"
    case .sums: "a == " + repeated("1 + ") + "1"
    case .powers: "a == " + repeated("1 ** ") + "1"
    case .keyPaths: repeated("a.") + "a == 1"
    case .sets: "a IN " + repeated("a UNION ") + "a"
    case .assignments: repeated("$a := ") + "1 == 1"
    case .nestedSums:
      // The deepest trees: a chain within a chain, on its left.
      "a == " + String(repeating: "(", count: max(1, length / 2_002)) + "1"
        + String(repeating: String(repeating: " + 1", count: 500) + ")", count: max(1, length / 2_002))
    case .literal: "name == '" + repeated("x") + "'"
    case .unterminatedLiteral: "name == '" + repeated("x")
    case .backslashes: "name == '" + repeated("\\\\") + "'"
    case .digits: "a == " + repeated("9")
    case .hexadecimal: "a == 0x" + repeated("f")
    case .word: repeated("a") + " == 1"
    case .conversions: repeated("%@ == %K AND ") + "a == 1"
    case .wideConversion: "a == %" + repeated("0") + "d"
    case .list: "a IN {" + repeated("1, ") + "1}"
    case .blanks: "a" + repeated(" ") + "== 1"
    case .selectors: repeated("a:") + "(1) == 1"
    case .quantifiers: repeated("ANY ") + "a == 1"
    case .variablePaths: repeated("$a.") + "$a == 1"
    case .operators: "a " + repeated("== ") + "1"
    case .options: "name ==[" + repeated("cd") + "] 'x'"
    case .closings: "a == 1" + repeated(")")
    case .emoji: "name == '" + repeated("👨‍👩‍👧") + "'"
    case .percents: "a == " + repeated("%")
    case .operands: repeated("a ") + "== 1"
    }
  }
}
