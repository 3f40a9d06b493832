/// Where the keys, variables and strings of a tree stand in the text that it was parsed from.
///
/// A tree keeps the order of its text, so that walking both side by side finds the place of each.
struct PredicatePlaces {
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
