/// Text from a store, made harmless: nothing in it can drive the terminal or hide.
public enum SafeText {
  /// `text` with everything invisible or active turned into visible glyphs, on one line.
  ///
  /// Controls become their pictures (␛ ␊ ␉), other scalars without a glyph (C1, bidi controls, zero-width ones outside a
  /// cluster that needs them, tags, line separators, private use, unassigned) become ⟨U+202E⟩. A mark without a base gets
  /// ◌ before it; of more than eight marks on one base the rest is told as ⟨+12⟩. What can be displayed stays as it is.
  public static func visible(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      index = text.index(after: index)
      let next = index < text.endIndex ? text.unicodeScalars[index] : nil
      append(character, before: next, to: &result)
    }
    return result
  }

  /// Whether `visible(_:)` would leave `text` as it is.
  public static func isSafe(_ text: String) -> Bool {
    // By scalars: the equality of strings takes canonically equivalent ones for one.
    isPlain(text) || visible(text).utf8.elementsEqual(text.utf8)
  }

  /// Whether a text is of ASCII and Latin letters and signs alone, each a glyph that nothing joins: most texts are.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var lead: UInt8 = 0
      for byte in bytes {
        switch (lead, byte) {
        case (0, 0x20..<0x7F): break
        // U+00A1 to U+02FF; but U+00AD, the soft hyphen, has no glyph.
        case (0, 0xC2...0xCB): lead = byte
        case (0xC2, 0xA1...0xBF) where byte != 0xAD: lead = 0
        case (0xC3...0xCB, _): lead = 0
        default: return false
        }
      }
      return lead == 0
    }
  }

  private static let mostMarks = 8

  private static func append(_ character: Character, before next: Unicode.Scalar?, to result: inout String) {
    let scalars = Array(character.unicodeScalars)
    if isSubdivisionFlag(scalars) {
      result.append(character)
      return
    }
    // Whether what stands before in this cluster was kept, for a mark or a joiner to work on.
    var hasBase = false
    var marks = 0
    var (dropped, droppedAny) = (0, false)
    for (position, scalar) in scalars.enumerated() {
      switch kind(of: scalar) {
      case .control:
        result.unicodeScalars.append(picture(of: scalar))
        hasBase = false
      case .hidden:
        if hasBase, !droppedAny, belongs(scalar, at: position, in: scalars, before: next) {
          result.unicodeScalars.append(scalar)
        } else {
          result += "⟨U+" + hexadecimal(scalar.value) + "⟩"
          hasBase = false
        }
      case .mark:
        marks += 1
        if marks > mostMarks {
          (dropped, droppedAny) = (dropped + 1, true)
          continue
        }
        if !hasBase { result.unicodeScalars.append("\u{25CC}") }
        hasBase = true
        result.unicodeScalars.append(scalar)
      case .glyph:
        result.unicodeScalars.append(scalar)
        hasBase = true
      }
    }
    if dropped > 0 { result += "⟨+\(dropped)⟩" }
  }

  private enum Kind { case glyph, mark, control, hidden }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    let value = scalar.value
    if value < 0x20 || value == 0x7F { return .control }
    if value < 0x7F { return .glyph }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: return .hidden
    case .format: return CellWidth.isVisibleFormat(scalar) ? .glyph : .hidden
    case .nonspacingMark, .enclosingMark, .spacingMark:
      return scalar.properties.isDefaultIgnorableCodePoint ? .hidden : .mark
    default: return scalar.properties.isDefaultIgnorableCodePoint ? .hidden : .glyph
    }
  }

  /// Whether a scalar without a glyph does its proper work where it stands.
  private static func belongs(
    _ scalar: Unicode.Scalar, at position: Int, in scalars: [Unicode.Scalar], before next: Unicode.Scalar?
  ) -> Bool {
    guard position > 0 else { return false }
    let previous = scalars[position - 1]
    let following = position + 1 < scalars.count ? scalars[position + 1] : nil
    switch scalar.value {
    case 0xFE0E, 0xFE0F:
      return previous.properties.isEmoji
    case 0xFE00...0xFE0D, 0xE0100...0xE01EF:
      return previous.properties.isIdeographic || (previous.value > 0x7F && previous.properties.isMath)
    case 0x180B...0x180D, 0x180F:
      return isMongolian(previous)
    case 0x200D:
      if previous.properties.canonicalCombiningClass == .virama { return following.map(isJoinable) ?? isJoinable(next) }
      return isEmojiPart(previous) && following.map { $0.value > 0xFF && $0.properties.isEmoji } ?? false
    case 0x200C:
      if previous.properties.canonicalCombiningClass == .virama { return isJoinable(following ?? next) }
      return isArabicLetter(previous) && (following ?? next).map(isArabicLetter) ?? false
    default:
      return false
    }
  }

  private static func isJoinable(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar.value > 0x7F && scalar.properties.generalCategory == .otherLetter
  }

  private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.value > 0xFF && scalar.properties.isEmoji)
  }

  private static func isMongolian(_ scalar: Unicode.Scalar) -> Bool {
    (0x1820...0x18AA).contains(scalar.value)
  }

  private static func isArabicLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620...0x6D5, 0x750...0x77F, 0x8A0...0x8C7, 0xFB50...0xFDFF, 0xFE70...0xFEFC:
      scalar.properties.isAlphabetic
    default: false
    }
  }

  /// The flags of England, Scotland and Wales: a black flag spelt out in tags, the only tags that may stay.
  private static func isSubdivisionFlag(_ scalars: [Unicode.Scalar]) -> Bool {
    guard scalars.count == 7, scalars[0].value == 0x1F3F4, scalars[6].value == 0xE007F else { return false }
    let letters = scalars[1..<6].map { UInt8(truncatingIfNeeded: $0.value) }
    return scalars[1..<6].allSatisfy { (0xE0061...0xE007A).contains($0.value) }
      && ["gbeng", "gbsct", "gbwls"].contains(String(decoding: letters, as: UTF8.self))
  }

  /// The picture of a C0 control or of delete, from the block Control Pictures.
  private static func picture(of control: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(control.value == 0x7F ? 0x2421 : 0x2400 + control.value) ?? "\u{FFFD}"
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
