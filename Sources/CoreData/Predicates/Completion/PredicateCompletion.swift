/// What could be typed at a place of a filter: the part of the text that it takes the place of, and the candidates.
///
/// Stands on the parser: the text before the word at the caret is parsed, and what the parser expects where it breaks off
/// is what can be typed there. Any text has an answer; a text that is wrong before the caret has no candidates.
package struct PredicateCompletion: Equatable, Sendable {
  /// Something that can be typed.
  package struct Candidate: Hashable, Sendable {
    /// What a candidate is.
    package enum Kind: String, Hashable, Sendable {
      case key, relationship, `operator`, connective, keyword, function, value, variable, option
    }

    /// What takes the place of the range.
    package var text: String
    package var kind: Kind
    /// A word or two: the type of a key, the destination of a relationship, the meaning of an operator.
    package var detail: String

    package init(_ text: String, _ kind: Kind, _ detail: String = "") {
      (self.text, self.kind, self.detail) = (text, kind, detail)
    }
  }

  /// The attribute whose values could stand at the caret.
  package struct Values: Hashable, Sendable {
    /// The entity that the attribute is looked up in.
    package var entity: String
    package var attribute: String
    /// What is typed of the value so far, without its quote.
    package var prefix: String

    package init(entity: String, attribute: String, prefix: String) {
      (self.entity, self.attribute, self.prefix) = (entity, attribute, prefix)
    }
  }

  /// What a candidate takes the place of, in UTF-8 bytes; empty at the caret where no word is begun.
  package let range: Range<Int>
  /// What is typed of a word so far.
  package let prefix: String
  /// The most useful first.
  package let candidates: [Candidate]
  /// Whose values could stand here as well.
  package let values: Values?

  /// The completion at a caret, in UTF-8 bytes from the start of the text, of a filter of an entity's objects.
  ///
  /// `dateForm` is a date as it could be written, to show the form by.
  package init(_ text: String, caret: Int, entity: NSEntityDescription, dateForm: String = "2025-01-31") {
    let word = WordAtCaret(text, caret: caret)
    range = word.range
    prefix = word.prefix
    guard !word.isClosed, let place = CompletionPlace(before: word, in: text, entity: entity) else {
      (candidates, values) = ([], nil)
      return
    }
    let found = place.found(dateForm: dateForm)
    values =
      word.kind == .name ? nil : found.values.map { Values(entity: $0.entity, attribute: $0.key, prefix: word.content) }
    candidates = word.kind == .string ? [] : Self.matching(word.prefix, found.candidates)
  }

  /// The candidates that begin with what is typed, then those that contain it, each in their order.
  private static func matching(_ prefix: String, _ candidates: [Candidate]) -> [Candidate] {
    guard !prefix.isEmpty else { return candidates }
    let typed = prefix.lowercased()
    var (starting, containing): ([Candidate], [Candidate]) = ([], [])
    for candidate in candidates {
      let text = candidate.text.lowercased()
      if text.hasPrefix(typed) || text.hasPrefix("#") && text.dropFirst().hasPrefix(typed) || "#" + text == typed
        || typed.hasPrefix("#") && text.hasPrefix(typed.dropFirst())
      {
        starting.append(candidate)
      } else if typed.count > 1,
        candidate.kind == .key || candidate.kind == .relationship || candidate.kind == .operator,
        text.contains(typed)
      {
        containing.append(candidate)
      }
    }
    return starting + containing
  }
}

/// The word that the caret stands in or behind.
struct WordAtCaret {
  enum Kind { case none, name, number, string }

  var range: Range<Int>
  var prefix = ""
  /// The prefix without a quote.
  var content = ""
  var kind = Kind.none
  /// Whether the caret touches something that nothing can be joined to.
  var isClosed = false

  init(_ text: String, caret: Int) {
    let utf8 = text.utf8
    let caret = min(max(0, caret), utf8.count)
    range = caret..<caret
    func part(_ from: Int, _ to: Int) -> String {
      String(decoding: utf8.dropFirst(from).prefix(max(0, to - from)), as: UTF8.self)
    }
    var lexer = PredicateLexer(text)
    while true {
      lexer.skipBlanks()
      let start = lexer.position
      guard start < caret else { return }
      let token = try? lexer.next().token
      let end = token == nil ? utf8.count : lexer.position
      guard end >= caret else { continue }
      let first = utf8[utf8.index(utf8.startIndex, offsetBy: start)]
      switch token {
      case .end?: return
      case .word?, .variable?, .collectionOperator?: (kind, range) = (.name, start..<end)
      case .integer?, .double?, .decimal?: (kind, range) = (.number, start..<end)
      case .string? where end == caret: isClosed = true
      case .string?: (kind, range) = (.string, start..<end)
      case nil where first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"): (kind, range) = (.string, start..<end)
      case nil where "$#@".utf8.contains(first): (kind, range) = (.name, start..<min(end, start + 1))
      case .symbol(.closeParenthesis)?, .symbol(.closeBracket)?, .symbol(.closeBrace)?: isClosed = true
      case .symbol?: return
      case .conversion?, nil: isClosed = true
      }
      prefix = part(range.lowerBound, caret)
      content = kind == .string ? String(prefix.dropFirst()) : prefix
      return
    }
  }
}
