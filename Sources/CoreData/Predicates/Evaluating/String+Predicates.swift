extension String {
  /// Folded as both sides of a comparison are (rule 26): by ICU's tables, without a locale.
  package func folded(caseInsensitive: Bool, diacriticInsensitive: Bool) -> String {
    guard caseInsensitive || diacriticInsensitive else { return self }
    // ASCII has no diacritics and one case mapping.
    if utf8.allSatisfy({ $0 < 0x80 }) { return caseInsensitive ? lowercased() : self }
    var options: String.CompareOptions = []
    if caseInsensitive { options.insert(.caseInsensitive) }
    if diacriticInsensitive { options.insert(.diacriticInsensitive) }
    return folding(options: options, locale: nil)
  }

  /// Folded as the letters after an operator say; `n` says that it is folded already.
  func folded(_ options: PredicateTree.Options) -> String {
    guard !options.isEmpty, !options.contains(.normalized) else { return self }
    return folded(
      caseInsensitive: options.contains(.caseInsensitive),
      diacriticInsensitive: options.contains(.diacriticInsensitive))
  }

  // MARK: Comparisons, of the folded strings' code units

  func isEqual(to other: String, _ options: PredicateTree.Options) -> Bool {
    if options.contains(.localeSensitive) { return localeOrder(to: other, options) == .orderedSame }
    return folded(options).utf8.elementsEqual(other.folded(options).utf8)
  }

  func order(to other: String, _ options: PredicateTree.Options) -> ComparisonResult {
    if options.contains(.localeSensitive) { return localeOrder(to: other, options) }
    let (left, right) = (folded(options).utf8, other.folded(options).utf8)
    if left.elementsEqual(right) { return .orderedSame }
    return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
  }

  private func localeOrder(to other: String, _ options: PredicateTree.Options) -> ComparisonResult {
    folded(options).compare(other.folded(options), options: [], range: nil, locale: .current)
  }

  func begins(with part: String, _ options: PredicateTree.Options) -> Bool {
    folded(options).utf8.starts(with: part.folded(options).utf8)
  }

  func ends(with part: String, _ options: PredicateTree.Options) -> Bool {
    folded(options).utf8.reversed().starts(with: part.folded(options).utf8.reversed())
  }

  /// A substring test; the empty string is in every string, as SQL's search has it.
  func contains(_ part: String, _ options: PredicateTree.Options) -> Bool {
    let text = Array(folded(options).utf8)
    let part = Array(part.folded(options).utf8)
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
    }
  }

  // MARK: LIKE

  /// `?` is one character, `*` any number, a backslash makes either plain; the whole string has to match (rule 14).
  func isLike(_ pattern: String, _ options: PredicateTree.Options) -> Bool {
    let text = Array(folded(options))
    let pieces = LikePiece.pieces(of: pattern.folded(options))
    var (position, piece) = (0, 0)
    // Where to resume when a piece fails: after the last star, one character further on. Never exponential.
    var (starPiece, starPosition) = (-1, 0)
    while position < text.count {
      if piece < pieces.count, pieces[piece].matches(text[position]) {
        position += 1
        piece += 1
      } else if piece < pieces.count, pieces[piece] == .anyNumber {
        (starPiece, starPosition) = (piece, position)
        piece += 1
      } else if starPiece >= 0 {
        starPosition += 1
        (piece, position) = (starPiece + 1, starPosition)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .anyNumber }
  }
}

private enum LikePiece: Equatable {
  case one
  case anyNumber
  case plain(Character)

  func matches(_ character: Character) -> Bool {
    switch self {
    case .one: true
    case .anyNumber: false
    // By code units, as every other comparison: `==` would take two encodings of a letter for one.
    case .plain(let own): own.utf8.elementsEqual(character.utf8)
    }
  }

  static func pieces(of pattern: String) -> [LikePiece] {
    var pieces: [LikePiece] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        pieces.append(.plain(character))
        isEscaped = false
      case "\\": isEscaped = true
      case "?": pieces.append(.one)
      case "*": pieces.append(.anyNumber)
      default: pieces.append(.plain(character))
      }
    }
    if isEscaped { pieces.append(.plain("\\")) }
    return pieces
  }
}
