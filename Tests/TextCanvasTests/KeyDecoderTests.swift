import Testing
import TextCanvas

@Suite struct KeyDecoderTests {
  typealias Item = KeyDecoder.Item

  static func key(_ notation: String) -> Item? { KeyPress(notation: notation).map { .event(.key($0)) } }

  @Test(arguments: [
    ("j", ["j"]), ("jk", ["j", "k"]), ("\r", ["<enter>"]), ("\n", ["<enter>"]), ("\t", ["<tab>"]),
    ("\u{7F}", ["<backspace>"]),
    ("\u{13}", ["^S"]), ("\u{1A}", ["^Z"]), ("\u{0}", ["<c-space>"]), ("\u{8}", ["^H"]), ("é漢", ["é", "漢"]),
    ("\u{1B}[A", ["<up>"]), ("\u{1B}OB", ["<down>"]), ("\u{1B}[1;5C", ["<c-right>"]), ("\u{1B}[1;2D", ["<s-left>"]),
    ("\u{1B}[H\u{1B}[F", ["<home>", "<end>"]), ("\u{1B}[5~\u{1B}[6~", ["<pgup>", "<pgdn>"]),
    ("\u{1B}[3;3~", ["<a-delete>"]),
    ("\u{1B}OP\u{1B}[15~\u{1B}[24~", ["<f1>", "<f5>", "<f12>"]), ("\u{1B}[Z", ["<s-tab>"]), ("\u{1B}x", ["<a-x>"]),
    ("\u{1B}\u{1B}[A", ["<esc>", "<up>"]), ("\u{1B}[115;5u", ["^S"]), ("\u{1B}[27;5;115~", ["^S"]),
    ("\u{1B}[[A", ["<f1>"]),
    ("\u{1B}é", ["<a-é>"]), ("\u{1B}\r", ["<a-enter>"]), ("\u{1B}[?1;2c", []), ("\u{1B}[99~x", ["x"]), ("\u{1B}[I", []),
    ("\u{1B}[97;2u", ["A"]), ("\u{1B}[13;2u", ["<s-enter>"]), ("\u{1B}[5^", ["<c-pgup>"]), ("\u{1B}[1\u{1}", ["^A"]),
  ]) func `bytes become keys, in one piece or byte by byte`(_ text: String, _ notations: [String]) {
    let expected = notations.map(Self.key)
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == expected)
    #expect(decoder.patience == nil)
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == expected)
  }

  @Test func `control C is an interrupt`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([3]) == [.event(.interrupt)])
    #expect(decoder.decode("\u{1B}[99;5u".utf8) == [.event(.interrupt)])
  }

  @Test func `a lone escape is the escape key once nothing follows`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.patience == .milliseconds(25))
    #expect(decoder.flush() == [Self.key("<esc>")])
    #expect(decoder.patience == nil)
    #expect(decoder.decode([0x1B, 0x5B]) == [])
    #expect(decoder.flush() == [Self.key("<a-[>")])
    #expect(decoder.decode([0x61]) == [Self.key("a")])
  }

  @Test func `bytes that are not UTF-8 are passed over`() {
    var decoder = KeyDecoder()
    #expect(
      decoder.decode([0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x63]) == [Self.key("a"), Self.key("b"), Self.key("c")])
    #expect(decoder.decode([0xE2]) == [] && decoder.decode([0x82]) == [])
    #expect(decoder.decode([0xAC]) == [Self.key("€")])
  }

  @Test(arguments: [
    ("\u{1B}[<0;3;2M", MouseEvent(position: Point(x: 2, y: 1), kind: .press)),
    ("\u{1B}[<0;3;2m", MouseEvent(position: Point(x: 2, y: 1), kind: .release)),
    ("\u{1B}[<34;300;99M", MouseEvent(position: Point(x: 299, y: 98), kind: .drag, button: .right)),
    ("\u{1B}[<64;1;1M", MouseEvent(position: Point(x: 0, y: 0), kind: .wheelUp, button: .none)),
    ("\u{1B}[<81;1;1M", MouseEvent(position: Point(x: 0, y: 0), kind: .wheelDown, button: .none, modifiers: .control)),
    ("\u{1B}[M !!", MouseEvent(position: Point(x: 0, y: 0), kind: .press)),
    ("\u{1B}[M#!!", MouseEvent(position: Point(x: 0, y: 0), kind: .release, button: .none)),
  ]) func `mouse reports become mouse events`(_ text: String, _ event: MouseEvent) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == [.event(.mouse(event))])
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == [.event(.mouse(event))])
  }

  @Test func `a paste is one event, with line feeds, however it is cut`() {
    let text = "x\u{1B}[200~one\rtwo\r\n\u{1B}[20three\u{1B}[201~y"
    let expected = [Self.key("x"), .event(.paste("one\ntwo\n\u{1B}[20three")), Self.key("y")]
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      #expect(decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...]) == expected)
    }
    var decoder = KeyDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
  }

  @Test func `a paste that never ends is given up`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[200~abc".utf8) == [])
    #expect(decoder.patience == .seconds(1))
    #expect(decoder.flush() == [.event(.paste("abc"))])
    #expect(decoder.decode("q".utf8) == [Self.key("q")])
  }

  @Test func `the terminal's own sequences come first, the longest of them`() {
    var decoder = KeyDecoder(
      sequences: [Array("\u{1B}[A".utf8): KeyPress(.function(9)), Array("\u{1B}[A~".utf8): KeyPress(.insert)], erase: 8)
    #expect(decoder.decode("\u{1B}[A".utf8) == [Self.key("<f9>")])
    #expect(decoder.decode("\u{1B}[A~".utf8) == [Self.key("<insert>")])
    #expect(decoder.decode([8]) == [Self.key("<backspace>")])
  }

  @Test func `a mode report is no key`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[?2026;2$y".utf8) == [.modeReport(mode: 2026, setting: 2)])
  }

  @Test func `any bytes are survived, and a letter after them is heard`() {
    var generator = SeededGenerator(state: 5)
    let liked: [UInt8] = [0x1B, 0x5B, 0x3C, 0x3B, 0x4D, 0x31, 0x7E, 0x4F, 0xC3, 0xF0]
    for _ in 0..<3_000 {
      var decoder = KeyDecoder()
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? liked.randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
      }
      _ = decoder.decode(bytes)
      _ = decoder.flush()
      #expect(decoder.decode("q".utf8) == [Self.key("q")], "\(bytes)")
    }
  }

  @Test func `two presses in one cell within a moment are a double press, the third is single`() {
    var tracker = ClickTracker()
    let start = ContinuousClock.now
    let press = MouseEvent(position: Point(x: 1, y: 1), kind: .press)
    let kinds = [0, 200, 300, 900, 1_000].map { tracker.refine(press, at: start + .milliseconds($0)).kind }
    #expect(kinds == [.press, .doublePress, .press, .press, .doublePress])
    var elsewhere = press
    elsewhere.position.x = 2
    #expect(tracker.refine(press, at: start + .seconds(9)).kind == .press)
    #expect(tracker.refine(elsewhere, at: start + .seconds(9)).kind == .press)
  }
}
