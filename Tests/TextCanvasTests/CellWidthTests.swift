import Testing

@testable import TextCanvas

@Suite struct CellWidthTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ア", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("🍫", 2), ("👍🏽", 2), ("❤", 1), ("❤️", 2), ("👨‍👩‍👧", 2), ("🏳️‍🌈", 2), ("🇩🇪", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("a\u{FE0F}", 1),
    ("\u{1B}", 0), ("\n", 0), ("\r\n", 0), ("\u{85}", 0), ("\u{200B}", 0), ("\u{202E}", 0), ("\u{301}", 0),
    ("\u{2028}", 0),
    ("🫨", 2), ("─", 1), ("…", 1), ("ﷺ", 1), ("कि", 2), ("กำ", 2), ("ש\u{5C1}", 1), ("\u{FF9E}", 1), ("𠀀", 2), ("⌚", 2),
  ]) func `each kind of cluster has its width`(_ text: String, _ width: Int) {
    #expect(CellWidth.width(of: text) == width)
    #expect(text.count == 1 && CellWidth.width(of: Character(text)) == width)
  }

  @Test func `the ranges ascend and do not touch`() {
    for (lower, upper) in zip(WideRanges.all, WideRanges.all.dropFirst()) {
      #expect(lower.first <= lower.last && lower.last + 1 < upper.first)
    }
  }

  @Test func `a text is as wide as its clusters together`() {
    var generator = SeededGenerator(state: 7)
    for _ in 0..<4_000 {
      var text = RandomText.scalars(.random(in: 0...6, using: &generator), using: &generator)
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        guard let latin = Unicode.Scalar(UInt32.random(in: 0...0x320, using: &generator)) else { continue }
        text.unicodeScalars.append(latin)
        if Bool.random(using: &generator) { text = String(String.UnicodeScalarView([latin])) }
      }
      #expect(
        CellWidth.width(of: text) == text.reduce(0) { $0 + CellWidth.width(of: $1) },
        "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func `a fitted text is a beginning that never exceeds its columns`() {
    var generator = SeededGenerator(state: 3)
    for _ in 0..<3_000 {
      let text = RandomText.line(.random(in: 0...12, using: &generator), using: &generator)
      let columns = Int.random(in: -1...14, using: &generator)
      let total = CellWidth.width(of: text)
      for ellipsis in [true, false] {
        let fitted = CellWidth.fit(text, columns: columns, ellipsis: ellipsis)
        #expect(fitted.columns <= max(0, columns))
        #expect(fitted.columns == CellWidth.width(of: fitted.text))
        if total <= columns, columns > 0 {
          #expect(fitted.text == text)
        } else if total > columns, columns > 0, ellipsis {
          #expect(fitted.text.hasSuffix("…") && text.hasPrefix(fitted.text.dropLast()))
        } else {
          #expect(text.hasPrefix(fitted.text))
        }
        // As much as fits: what was left has no room.
        if total > columns, columns > 0 { #expect(fitted.columns >= columns - 2) }
      }
    }
  }

  @Test func `fitting cuts before a character that a mark follows`() {
    #expect(CellWidth.fit("abcde\u{301}", columns: 5).text == "abcde\u{301}")
    #expect(CellWidth.fit("abcde\u{301}f", columns: 5).text == "abcd…")
    #expect(CellWidth.fit("abc", columns: 2) == ("a…", 2))
    #expect(CellWidth.fit("漢字", columns: 3) == ("漢…", 3))
    #expect(CellWidth.fit("漢字", columns: 1) == ("…", 1))
    #expect(CellWidth.fit("abc", columns: 0) == ("", 0))
  }
}
