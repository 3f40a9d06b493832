import Testing
import TextCanvas

@Suite struct LineEditorTests {
  func type(_ keys: [String], into editor: LineEditor) -> LineEditor {
    var editor = editor
    for key in keys {
      let press = KeyPress(notation: key)
      #expect(press.map { editor.handle($0) } == true, "\(key)")
    }
    return editor
  }

  @Test(arguments: [
    (["a", "b", "c"], "abc", 3), (["a", "b", "<left>", "x"], "axb", 2),
    (["a", "b", "<home>", "x", "<end>", "y"], "xaby", 4),
    (["a", "b", "<backspace>"], "a", 1), (["a", "b", "<left>", "<left>", "<delete>"], "b", 0), (["<backspace>"], "", 0),
    (["a", "<space>", "b", "c", "^W"], "a ", 2), (["a", "b", "^A", "^K"], "", 0), (["a", "b", "<left>", "^U"], "b", 0),
    (["a", "<space>", "b", "c", "<c-left>", "x"], "a xbc", 3), (["a", "b", "^A", "<c-right>", "x"], "abx", 3),
    (["e", "\u{301}", "<backspace>"], "", 0), (["🍫", "<left>", "a"], "a🍫", 1), (["a", "b", "^A", "<a-d>"], "", 0),
  ]) func `keys edit the line`(_ keys: [String], _ text: String, _ cursor: Int) {
    #expect(type(keys, into: LineEditor()) == LineEditor(text, cursor: cursor))
  }

  @Test(arguments: ["<enter>", "<esc>", "<up>", "<tab>", "<f1>", "^S", "<a-x>"])
  func `keys of no meaning here are left to others`(_ key: String) throws {
    var editor = LineEditor("text", cursor: 2)
    #expect(!editor.handle(try #require(KeyPress(notation: key))))
    #expect(editor == LineEditor("text", cursor: 2))
  }

  @Test func `the view always shows the cursor`() {
    var generator = SeededGenerator(state: 9)
    for _ in 0..<500 {
      let text = RandomText.line(.random(in: 0...10, using: &generator), using: &generator)
      let editor = LineEditor(text, cursor: .random(in: 0...max(0, text.count), using: &generator))
      let columns = Int.random(in: 1...12, using: &generator)
      let view = editor.view(columns: columns)
      #expect((0..<columns).contains(view.cursorColumn))
      #expect(CellWidth.width(of: view.text) <= columns && SafeText.isSafe(view.text))
    }
    // A tab is shown in one column, a zero-width space in eight.
    #expect(LineEditor("a\tb\u{200B}").view(columns: 12) == ("a␉b⟨U+200B⟩", 11))
    #expect(LineEditor("abcdef").view(columns: 4) == ("def", 3))
    #expect(LineEditor("abc", cursor: 0).view(columns: 4) == ("abc", 0))
  }
}
