import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct TextAreaTests {
  private func rows(_ area: TextArea, _ width: Int) -> [String] {
    area.lines(width: width).map { String(area.characters[$0]) }
  }

  private func type(_ keys: String, in area: inout TextArea, width: Int = 10, height: Int = 3) throws {
    for press in try KeySequence.keys(of: keys).get() { _ = area.handle(press, width: width, height: height) }
  }

  @Test func `lines break at line breaks and at spaces, and words that are too long within`() {
    #expect(rows(TextArea("one two three"), 8) == ["one two ", "three"])
    #expect(rows(TextArea("a\n\nb\n"), 8) == ["a", "", "b", ""])
    #expect(rows(TextArea("abcdefghijkl"), 5) == ["abcde", "fghij", "kl"])
    #expect(rows(TextArea("日本語"), 4) == ["日本", "語"])
    #expect(rows(TextArea(""), 4) == [""])
  }

  @Test func `up and down keep to the column where they began`() throws {
    var area = TextArea("a long line\nx\nanother one", cursor: 8)
    try type("<down>", in: &area, width: 40)
    #expect(area.cursor == 13)
    try type("<down>", in: &area, width: 40)
    #expect(area.cursor == 22)
    try type("<up><up>", in: &area, width: 40)
    #expect(area.cursor == 8)
  }

  @Test func `enter makes a line, and home, end and kill stay within theirs`() throws {
    var area = TextArea("one two", cursor: 3)
    try type("<enter>", in: &area, width: 40)
    #expect(area.text == "one\n two")
    try type("^", in: &area)
    try type("<backspace><end>!<home>><up><end>?", in: &area, width: 40)
    #expect(area.text == "one?\n> two!")
    try type("<down><home><c-k>", in: &area, width: 40)
    #expect(area.text == "one?\n")
    try type("<backspace>", in: &area, width: 40)
    #expect(area.text == "one?")
  }

  @Test func `the cursor stays on screen`() throws {
    var area = TextArea("1\n2\n3\n4\n5\n6", cursor: 0)
    try type("<down><down><down><down>", in: &area)
    #expect(area.top == 2)
    try type("<pgup><pgup>", in: &area)
    #expect(area.top == 0)
  }

  @Test(arguments: 0..<30) func `any keys keep the cursor within the text, and lines hold all of it`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let keys = [
      "a", "日", " ", "<enter>", "<left>", "<right>", "<up>", "<down>", "<home>", "<end>", "<backspace>", "<delete>",
      "<pgup>", "<pgdn>", "<c-k>", "<c-u>", "<c-w>", "<a-b>", "<a-f>", "<a-d>", "<c-a>", "<c-e>", "<tab>",
    ]
    var area = TextArea("The quick brown fox\njumps over", cursor: Int.random(in: 0...20, using: &random))
    for _ in 0..<200 {
      let width = Int.random(in: 2...12, using: &random)
      try type(keys[Int.random(in: 0..<keys.count, using: &random)], in: &area, width: width)
      #expect(area.cursor >= 0 && area.cursor <= area.characters.count)
      let lines = area.lines(width: width)
      let breaks = area.characters.count(where: \.isNewline)
      #expect(lines.reduce(0) { $0 + $1.count } + breaks == area.characters.count)
      #expect(area.top <= area.place(in: lines).line)
    }
  }
}
