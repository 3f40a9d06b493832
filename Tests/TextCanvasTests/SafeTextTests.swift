import Testing
import TextCanvas

@Suite struct SafeTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("\u{1B}[31m", "␛[31m"), ("a\nb\tc\r\nd", "a␊b␉c␍␊d"), ("\u{7F}\u{0}", "␡␀"),
    ("\u{9B}1m", "⟨U+009B⟩1m"),
    ("\u{202E}txt", "⟨U+202E⟩txt"), ("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩"), ("a\u{200B}b", "a⟨U+200B⟩b"),
    ("pass\u{AD}word", "pass⟨U+00AD⟩word"), ("a\u{200D}b", "a⟨U+200D⟩b"), ("a\u{2028}b", "a⟨U+2028⟩b"),
    ("\u{E000}", "⟨U+E000⟩"),
    ("a\u{E0041}", "a⟨U+E0041⟩"), ("\u{301}x", "◌\u{301}x"), ("\n\u{301}", "␊◌\u{301}"), ("\u{FEFF}x", "⟨U+FEFF⟩x"),
    ("\u{FFFF}", "⟨U+FFFF⟩"), ("a\u{FE0F}", "a⟨U+FE0F⟩"), ("\u{3164}", "⟨U+3164⟩"), ("\u{378}", "⟨U+0378⟩"),
  ]) func `what hides or acts is shown`(_ text: String, _ shown: String) {
    let visible = SafeText.visible(text)
    #expect(visible.unicodeScalars.elementsEqual(shown.unicodeScalars), "\(visible)")
    #expect(SafeText.isSafe(text) == (text == shown))
  }

  @Test(arguments: [
    "Éclair 🍫", "e\u{301}", "👨‍👩‍👧", "🏳️‍🌈", "❤️", "👩🏽‍🚀", "1️⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्‍ष", "क्षि", "می‌خواهم", "שׁ", "漢字", "葛\u{E0100}",
    "한글", "\u{1112}\u{1161}\u{11AB}", "กำ", "ﷺ", "a\u{A0}b", "Z\u{30C}\u{323}", "العربية",
  ]) func `what can be displayed stays`(_ text: String) {
    #expect(SafeText.isSafe(text), "\(SafeText.visible(text))")
  }

  @Test func `Latin signs and letters stay as they are, and what has no glyph among them is told`() {
    for value in UInt32(0x80)...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isHidden = [.control, .format].contains(scalar.properties.generalCategory)
      let shown = isHidden ? "⟨U+00\(String(value, radix: 16, uppercase: true))⟩" : String(scalar)
      for (before, after) in [("", ""), ("a", "b"), ("é", "é"), ("", "\u{301}")] where !isHidden || after != "\u{301}" {
        #expect(
          SafeText.visible(before + String(scalar) + after).unicodeScalars.elementsEqual(
            (before + shown + after).unicodeScalars))
      }
    }
  }

  @Test func `a pile of combining marks is capped and told`() {
    let pile = "a" + String(repeating: "\u{301}", count: 40) + "b"
    #expect(SafeText.visible(pile) == "a" + String(repeating: "\u{301}", count: 8) + "⟨+32⟩b")
  }

  @Test(arguments: 0..<8) func `no hidden scalar survives outside a cluster that needs it`(_ seed: Int) {
    var generator = SeededGenerator(state: UInt64(seed))
    for _ in 0..<2_000 {
      let text = RandomText.scalars(.random(in: 1...12, using: &generator), using: &generator)
      let visible = SafeText.visible(text)
      let scalars = Array(visible.unicodeScalars)
      for (index, scalar) in scalars.enumerated() {
        let before = index > 0 ? scalars[index - 1] : nil
        #expect(
          isAllowed(scalar, after: before),
          "U+\(String(scalar.value, radix: 16)) of \(text.unicodeScalars.map(\.value))")
      }
      #expect(SafeText.isSafe(visible), "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }
  }

  /// Written apart from the code under test: nothing invisible, but joiners and selectors behind what they belong to.
  private func isAllowed(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return false
    default: break
    }
    guard properties.isDefaultIgnorableCodePoint else {
      return !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    }
    guard let before, before.value > 0x7F || (scalar.value & ~1) == 0xFE0E else { return false }
    return switch scalar.value {
    case 0x200D, 0x200C, 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180F: true
    default: false
    }
  }
}
