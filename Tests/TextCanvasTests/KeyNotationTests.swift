import Testing
import TextCanvas

@Suite struct KeyNotationTests {
  @Test(arguments: [
    ("j", KeyPress(.character("j"))), ("G", KeyPress(.character("G"))), ("<enter>", KeyPress(.enter)),
    ("^S", KeyPress(.character("s"), .control)), ("<c-s>", KeyPress(.character("s"), .control)),
    ("<C-S>", KeyPress(.character("s"), .control)), ("<up>", KeyPress(.up)), ("<a-x>", KeyPress(.character("x"), .alt)),
    ("<tab>", KeyPress(.tab)), ("<s-tab>", KeyPress(.tab, .shift)), ("<esc>", KeyPress(.escape)),
    ("<backspace>", KeyPress(.backspace)), ("<pgup>", KeyPress(.pageUp)), ("<f1>", KeyPress(.function(1))),
    ("<space>", KeyPress(.character(" "))), (" ", KeyPress(.character(" "))), ("<lt>", KeyPress(.character("<"))),
    ("<", KeyPress(.character("<"))), (">", KeyPress(.character(">"))), ("^", KeyPress(.character("^"))),
    ("^I", KeyPress(.tab)), ("^[", KeyPress(.escape)), ("<c-a-left>", KeyPress(.left, [.control, .alt])),
    ("<s-f5>", KeyPress(.function(5), .shift)), ("|", KeyPress(.character("|"))), ("é", KeyPress(.character("é"))),
    ("<a-G>", KeyPress(.character("G"), .alt)), ("<c-space>", KeyPress(.character(" "), .control)),
    ("<c-lt>", KeyPress(.character("<"), .control)), ("<c-->", KeyPress(.character("-"), .control)),
  ]) func `a notation is read, and written so that it reads the same`(_ text: String, _ press: KeyPress) {
    #expect(KeyPress(notation: text) == press)
    #expect(KeyPress(notation: press.notation) == press, "\(press.notation)")
  }

  @Test(arguments: [("<c-s>", "^S"), ("<S-TAB>", "<s-tab>"), ("<", "<lt>"), (" ", "<space>"), ("<pageup>", "<pgup>")])
  func `there is one way of writing`(_ text: String, _ written: String) {
    #expect(KeyPress(notation: text)?.notation == written)
  }

  @Test(arguments: ["", "ab", "<>", "<nokey>", "<x-a>", "<f0>", "<f>", "<j>", "^ab"])
  func `what is no key is refused`(_ text: String) {
    #expect(KeyPress(notation: text) == nil)
  }
}
