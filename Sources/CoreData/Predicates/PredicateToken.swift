/// A piece of a format string.
enum PredicateToken: Equatable {
  case end
  /// A key or a keyword.
  ///
  /// An escaped one (`#size`) is a key always.
  case word(String, escaped: Bool)
  /// `$name`, without the dollar sign.
  case variable(String)
  /// `@count`, with the sign: part of a key path.
  case collectionOperator(String)
  /// Without a sign: a minus is a token of its own.
  case integer(UInt64)
  case double(Double)
  /// A number of more digits than a floating number keeps.
  case decimal(Decimal)
  case string(String)
  case conversion(Conversion)
  case symbol(PredicateSymbol)

  /// What a `%` asks for: an object, a key path, or a number as printf names it.
  enum Conversion: Equatable {
    case object, keyPath, integer, floating, character
  }
}

/// Punctuation and the operators written in signs; spellings of one operator are one case.
enum PredicateSymbol: String, Equatable {
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBrace = "{"
  case closeBrace = "}"
  case openBracket = "["
  case closeBracket = "]"
  case comma = ","
  case dot = "."
  case colon = ":"
  case assign = ":="
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case leftShift = "<<"
  case rightShift = ">>"
  case ampersand = "&"
  case bar = "|"
  case and = "&&"
  case or = "||"
  case caret = "^"
  case tilde = "~"
  case not = "!"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
}

/// The reserved words (rule 8), found in any case.
enum PredicateKeyword: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case allOf = "ALL"
  case anyOf = "ANY"
  case someOf = "SOME"
  case noneOf = "NONE"
  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case null = "NULL"
  case `nil` = "NIL"
  case selfObject = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
  case anyKey = "ANYKEY"
  case subquery = "SUBQUERY"
  case fetch = "FETCH"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case utiConformsTo = "UTI-CONFORMS-TO"
  case utiEquals = "UTI-EQUALS"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  // Words that Apple reserves without a use in the grammar of section 2.
  case caseInsensitive = "CASEINSENSITIVE"
  case ci = "CI"
  case diacriticInsensitive = "DIACRITICINSENSITIVE"
  case di = "DI"

  private static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
  private static let longest = 20

  /// The keyword spelled by `word`, in any case.
  init?(_ word: String) {
    guard word.utf8.count <= Self.longest else { return nil }
    if let keyword = Self.byWord[word] {
      self = keyword
    } else if let keyword = Self.byWord[word.uppercased()] {
      self = keyword
    } else {
      return nil
    }
  }
}
