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

extension PredicateSymbol {
  /// The sign of one byte.
  init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "("): self = .openParenthesis
    case UInt8(ascii: ")"): self = .closeParenthesis
    case UInt8(ascii: "{"): self = .openBrace
    case UInt8(ascii: "}"): self = .closeBrace
    case UInt8(ascii: "["): self = .openBracket
    case UInt8(ascii: "]"): self = .closeBracket
    case UInt8(ascii: ","): self = .comma
    case UInt8(ascii: "."): self = .dot
    case UInt8(ascii: ":"): self = .colon
    case UInt8(ascii: "<"): self = .less
    case UInt8(ascii: ">"): self = .greater
    case UInt8(ascii: "&"): self = .ampersand
    case UInt8(ascii: "|"): self = .bar
    case UInt8(ascii: "^"): self = .caret
    case UInt8(ascii: "~"): self = .tilde
    case UInt8(ascii: "!"): self = .not
    case UInt8(ascii: "+"): self = .plus
    case UInt8(ascii: "-"): self = .minus
    case UInt8(ascii: "*"): self = .times
    case UInt8(ascii: "/"): self = .divide
    default: return nil
    }
  }
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

  /// Words of up to eight bytes by their letters packed into a number, which is quicker to look up; the others by name.
  private static let short = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { keyword in packed(keyword.rawValue).map { ($0, keyword) } })
  private static let long = Dictionary(
    uniqueKeysWithValues: allCases.filter { packed($0.rawValue) == nil }.map { ($0.rawValue, $0) })
  private static let longest = 20  // DIACRITICINSENSITIVE

  /// The keyword spelled by `word`, in any case.
  init?(_ word: String) {
    let keyword: PredicateKeyword? =
      if let packed = Self.packed(word) {
        Self.short[packed]
      } else {
        word.utf8.count <= Self.longest ? Self.long[word.uppercased()] : nil
      }
    guard let keyword else { return nil }
    self = keyword
  }

  /// The letters in upper case, a byte each; nil for a longer word.
  private static func packed(_ word: String) -> UInt64? {
    guard word.utf8.count <= 8 else { return nil }
    return word.utf8.reduce(0) { packed, byte in
      let isLowercase = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
      return packed << 8 | UInt64(isLowercase ? byte & 0xDF : byte)
    }
  }
}
