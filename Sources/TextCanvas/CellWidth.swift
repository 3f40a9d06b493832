/// How many columns text takes, by a table of our own: the C library's answer depends on the locale.
public enum CellWidth {
  /// The columns of one grapheme cluster: 0 for controls and lone marks, 1, 2, or more for a conjunct of several spacing
  /// signs.
  public static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return width(of: first) }
    if isEmojiSequence(scalars, first: first) { return 2 }
    var total = 0
    for scalar in scalars { total += width(of: scalar) }
    return total
  }

  /// The columns of a line of text: the sum over its clusters.
  public static func width(of text: some StringProtocol) -> Int {
    var total = 0
    var plain = true
    for byte in text.utf8 {
      if byte >= 0x80 {
        plain = false
        break
      }
      if byte >= 0x20, byte != 0x7F { total += 1 }
    }
    return plain ? total : text.reduce(0) { $0 + width(of: $1) }
  }

  /// The columns of a line of text: the sum over its clusters.
  public static func width(of text: String) -> Int {
    var text = text
    return text.withUTF8(simpleWidth) ?? text.reduce(0) { $0 + width(of: $1) }
  }

  /// The columns of a text of ASCII and Latin alone, which nothing joins; nil for another.
  private static func simpleWidth(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var total = 0
    var lead: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x20..<0x7F: total += 1
      case 0..<0x20, 0x7F: break
      case 0xC2...0xCB: lead = byte
      case 0x80..<0xC0 where lead > 0:
        // Below U+00A0 are controls.
        if lead > 0xC2 || byte >= 0xA0 { total += 1 }
        lead = 0
      default: return nil
      }
    }
    return total
  }

  /// The longest beginning of `text` that takes at most `columns` columns, and the columns it takes.
  ///
  /// A text that is cut ends in "…" when `ellipsis` is true. A long text is read no further than needed.
  public static func fit(_ text: String, columns: Int, ellipsis: Bool = true) -> (text: String, columns: Int) {
    guard columns > 0 else { return ("", 0) }
    let room = ellipsis ? columns - 1 : columns
    let plain = plainPrefix(of: text, limit: columns)
    if plain <= columns, plain == text.utf8.count { return (text, plain) }
    // What follows a plain character but the last cannot join it; the last is measured with what follows.
    var used = min(max(0, plain - 1), room)
    // Where to cut, if the text turns out too long.
    var (cut, cutColumns) = (text.utf8.index(text.startIndex, offsetBy: used), used)
    var index = cut
    while index < text.endIndex {
      let next = text.index(after: index)
      used += width(of: text[index])
      if used > columns {
        return (String(text[..<cut]) + (ellipsis ? "…" : ""), cutColumns + (ellipsis ? 1 : 0))
      }
      if used <= room { (cut, cutColumns) = (next, used) }
      index = next
    }
    return (text, used)
  }

  /// The longest end of `text` that takes at most `columns` columns; one that is cut begins with "…".
  public static func fitEnd(_ text: String, columns: Int) -> String {
    guard columns > 0 else { return "" }
    guard width(of: text) > columns else { return text }
    var (start, used) = (text.endIndex, 1)
    while start > text.startIndex {
      let before = text.index(before: start)
      used += width(of: text[before])
      if used > columns { break }
      start = before
    }
    return "…" + text[start...]
  }

  /// How many bytes at the start are ASCII with a glyph, counted no further than one past `limit`.
  private static func plainPrefix(of text: String, limit: Int) -> Int {
    var count = 0
    for byte in text.utf8 {
      if count > limit || byte < 0x20 || byte >= 0x7F { break }
      count += 1
    }
    return count
  }

  /// The columns of one scalar: 0 for controls and what combines with the scalar before it.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    if value < 0x300 { return value < 0xA0 ? 0 : 1 }
    switch value {
    case 0x2500...0x259F: return 1
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: return 2
    // Vowels and final consonants of Hangul join the syllable before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: return 0
    case .format: return isVisibleFormat(scalar) ? 1 : 0
    default: return WideRanges.contain(value) ? 2 : 1
    }
  }

  /// Whether a cluster two columns wide is one glyph, as against two spacing signs side by side.
  static func isOneGlyph(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return false }
    return width(of: first) == 2 || isEmojiSequence(scalars, first: first)
  }

  /// Number signs and the like that stand before what they belong to: of category Cf, yet drawn.
  static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// A flag, or emoji joined by ZWJ, asked for by variation selector 16, or with a skin tone.
  private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView, first: Unicode.Scalar) -> Bool {
    if isRegionalIndicator(first) { return scalars.dropFirst().first.map(isRegionalIndicator) ?? false }
    guard first.properties.isEmoji else { return false }
    return scalars.dropFirst().contains { scalar in
      switch scalar.value {
      case 0xFE0F: true
      case 0x200D, 0x1F3FB...0x1F3FF: first.value > 0xFF
      default: false
      }
    }
  }

  static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }
}
