import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct RandomKeysTests {
  private static let keys = [
    "j", "k", "<pgdn>", "<pgup>", "<c-d>", "<c-u>", "g", "G", "h", "l", "<tab>", "<s-tab>", "1", "2", "3", "+",
    "<enter>",
    "<backspace>", "[", "]", "s", "f", "n", "N", "<lt>", ">", "?", "!", "<esc>", "<esc>", "a", "é", "日", "<up>",
    "<down>", "/", "=", "-", "F", "w", "C", "'", "y",
  ]

  @Test(arguments: 0..<24) func `no keys at any size break the browser, and the selection stays in sight`(
    seed: Int
  ) async throws {
    var random = SplitMix(seed: UInt64(seed))
    func size() -> Size {
      Size(width: Int.random(in: 1...200, using: &random), height: Int.random(in: 1...60, using: &random))
    }
    let browser = try BrowserUnderTest(
      .festival(events: [0, 1, 3, 40, 700][seed % 5]), size: seed == 0 ? Size(width: 1, height: 1) : size(),
      unicode: seed % 4 != 3)
    await browser.idle()
    for _ in 0..<150 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: browser.terminal.resize(size())
      case 1:
        browser.terminal.resize(
          Size(width: Int.random(in: 1...12, using: &random), height: Int.random(in: 1...9, using: &random)))
      case 2, 3:
        let point = Point(x: Int.random(in: 0...210, using: &random), y: Int.random(in: 0...62, using: &random))
        let kinds: [MouseEvent.Kind] = [.press, .doublePress, .drag, .release, .wheelUp, .wheelDown]
        browser.terminal.send(
          .mouse(MouseEvent(position: point, kind: kinds[Int.random(in: 0..<kinds.count, using: &random)])))
      case 4: browser.terminal.send(.paste("two\nlines \u{1B}[2J"))
      default:
        let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        browser.terminal.send(.key(try #require(KeyPress(notation: key))))
      }
      if Bool.random(using: &random) { await browser.idle() }
    }
    await browser.idle()
    // The command that ends the program can be run from the help.
    if browser.session.isOver {
      #expect(!browser.terminal.isStarted)
    } else {
      check(browser)
    }
  }

  @Test(arguments: 0..<6) func `nothing in a store can drive the terminal, whatever is pressed`(seed: Int) async throws
  {
    var random = SplitMix(seed: UInt64(seed + 1_000))
    let browser = try BrowserUnderTest(
      .hostile(),
      size: Size(width: Int.random(in: 20...160, using: &random), height: Int.random(in: 5...50, using: &random)))
    await browser.idle()
    for _ in 0..<80 {
      let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
      browser.terminal.send(.key(try #require(KeyPress(notation: key))))
      await browser.idle()
      for line in browser.terminal.lines where !SafeText.isSafe(line) {
        Issue.record("after \(key): \(SafeText.visible(line))")
      }
    }
  }

  private func check(_ browser: BrowserUnderTest) {
    let state = browser.session.state
    #expect(browser.terminal.canvas.size == browser.terminal.size)
    if let list = state.list, !list.buffer.rows.isEmpty {
      #expect(list.cursor >= list.top && list.cursor < list.top + state.listHeight)
      #expect(list.buffer.rows.indices.contains(list.cursor))
      #expect(state.inspector.key == state.selectedKey)
    }
    #expect(state.sidebar.selected >= state.sidebar.top)
    #expect(state.sidebar.selected < state.sidebar.top + max(1, state.sidebarHeight))
  }

  @Test func `a resize keeps the selected object selected and in sight`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 300), size: Size(width: 120, height: 36))
    await browser.idle()
    await browser.type("<pgdn><pgdn><pgdn>jjj")
    let key = browser.session.state.list?.selectedRow?.key
    for size in [
      Size(width: 40, height: 10), Size(width: 20, height: 5), Size(width: 1, height: 1), Size(width: 300, height: 100),
      Size(width: 80, height: 24),
    ] {
      browser.terminal.resize(size)
      await browser.idle()
      #expect(browser.session.state.list?.selectedRow?.key == key)
      check(browser)
    }
  }
}
