extension ModelCheck {
  /// What is wrong with a text that is still being typed; `nil` for one that is right as it stands.
  ///
  /// Where only something is missing at the end, what stands before it is checked all the same: a key that the model does
  /// not have is told as soon as the next word is begun.
  package static func problem(
    in text: String, entity: NSEntityDescription, reading: @escaping LiteralReader
  ) -> PredicateParseError? {
    let first: PredicateParseError
    do {
      _ = try tree(of: text, entity: entity, reading: reading)
      return nil
    } catch { first = error }
    let end = text.utf8.count
    guard first.offset >= end, let whole = completed(text) else { return first }
    do { _ = try tree(of: whole, entity: entity, reading: reading) } catch {
      // The last word may become another one yet.
      if error.offset < end, wordEnd(in: text, from: error.offset) < end {
        return PredicateParseError(format: text, offset: error.offset, expected: [], detail: error.detail)
      }
    }
    return first
  }

  /// A text with what is missing at its end, so that it parses; `nil` where that cannot be told.
  private static func completed(_ text: String) -> String? {
    var whole = text
    for _ in 0..<12 {
      do {
        _ = try PredicateForm(format: whole, arguments: [])
        return whole
      } catch {
        // What closes something comes first, or the text would go on without end.
        let pieces = error.expected.compactMap(piece)
        guard error.offset >= whole.utf8.count, let piece = pieces.first(where: closes) ?? pieces.first else {
          return nil
        }
        whole += piece
      }
    }
    return nil
  }

  private static func piece(for expectation: PredicateParseError.Expectation) -> String? {
    switch expectation {
    case .operand: " nil"
    // It asks nothing of its left side.
    case .comparisonOperator: " CONTAINS nil"
    case .connective: " AND TRUEPREDICATE"
    case .variable: " $x"
    case .option: "c]"
    case .symbol(let symbol): symbol
    default: nil
    }
  }

  private static func closes(_ piece: String) -> Bool { [")", "]", "}", "\"", "'"].contains(piece) }

  private static func wordEnd(in text: String, from offset: Int) -> Int {
    var lexer = PredicateLexer(String(decoding: text.utf8.dropFirst(offset), as: UTF8.self))
    return (try? lexer.next()) == nil ? text.utf8.count : offset + lexer.position
  }
}
