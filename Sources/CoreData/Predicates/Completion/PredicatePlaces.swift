/// Where the keys, variables and strings of a tree stand in the text that it was parsed from.
///
/// A tree keeps the order of its text, so that walking both side by side finds the place of each.
package struct PredicatePlaces {
  private enum Word: Equatable {
    case key(String)
    case variable(String)
    case string(String)
  }

  private var words: [(word: Word, place: Int)] = []
  private var next = 0

  /// The places in a text that parses.
  init(_ text: String) {
    var lexer = PredicateLexer(text)
    var previous = PredicateToken.end
    while let (token, start) = try? lexer.next(), token != .end {
      defer { previous = token }
      // What opens a parenthesis or has a colon is a function.
      if token == .symbol(.openParenthesis) || token == .symbol(.colon), case .word = previous, !words.isEmpty,
        case .key = words[words.count - 1].word
      {
        words.removeLast()
      }
      switch token {
      case .word(let word, let escaped):
        if escaped || previous == .symbol(.dot) || Self.canBeKey(word) { words.append((.key(word), start)) }
      case .collectionOperator(let name): words.append((.key(name), start))
      case .variable(let name): words.append((.variable(name), start))
      case .string(let content): words.append((.string(content), start))
      default: break
      }
    }
  }

  private static func canBeKey(_ word: String) -> Bool {
    switch PredicateKeyword(word) {
    case nil, .function, .ternary, .union, .intersect, .minus, .diacriticInsensitive, .di: true
    default: false
    }
  }

  mutating func key(_ name: String) -> Int? { find(.key(name)) }
  mutating func variable(_ name: String) -> Int? { find(.variable(name)) }
  mutating func string(_ content: String) -> Int? { find(.string(content)) }

  private mutating func find(_ word: Word) -> Int? {
    guard let index = words[next...].firstIndex(where: { $0.word == word }) else { return nil }
    next = index + 1
    return words[index].place
  }
}

extension PredicatePlaces {
  /// The names of the variables in a text that no subquery gives a value, each once.
  package static func variables(of text: String) -> [String] {
    var names: [String] = []
    for (name, _) in freeVariables(of: text) where !names.contains(name) { names.append(name) }
    return names
  }

  /// A text with literals in the place of variables.
  package static func replacing(_ literals: [String: String], in text: String) -> String {
    var bytes = Array(text.utf8)
    for (name, range) in freeVariables(of: text).reversed() {
      guard let literal = literals[name] else { continue }
      bytes.replaceSubrange(range, with: literal.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Variables with their places; those that stand for the elements of a subquery are left out.
  private static func freeVariables(of text: String) -> [(name: String, range: Range<Int>)] {
    var lexer = PredicateLexer(text)
    var found: [(name: String, range: Range<Int>)] = []
    var bound: Set<String> = []
    var brackets: [(isSubquery: Bool, commas: Int)] = []
    var isSubquery = false
    while let (token, start) = try? lexer.next(), token != .end {
      switch token {
      case .symbol(.openParenthesis), .symbol(.openBrace), .symbol(.openBracket): brackets.append((isSubquery, 0))
      case .symbol(.closeParenthesis), .symbol(.closeBrace), .symbol(.closeBracket): _ = brackets.popLast()
      case .symbol(.comma):
        if !brackets.isEmpty { brackets[brackets.count - 1].commas += 1 }
      case .variable(let name):
        found.append((name, start..<lexer.position))
        if let innermost = brackets.last, innermost.isSubquery, innermost.commas == 1 { bound.insert(name) }
      default: break
      }
      isSubquery = if case .word(let word, false) = token { PredicateKeyword(word) == .subquery } else { false }
    }
    return found.filter { !bound.contains($0.name) }
  }
}
