import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// Keys, mouse, resizes and pastes at random, with changes streaming in and time passing.
@MainActor @Suite struct LiveRandomTests {
  private static let keys = [
    "j", "k", "<pgdn>", "<pgup>", "<c-d>", "<c-u>", "g", "G", "h", "l", "<tab>", "<s-tab>", "1", "2", "3", "+",
    "<enter>", "<backspace>", "[", "]", "s", "f", "n", "N", "<lt>", ">", "?", "!", "<esc>", "<esc>", "a", "é", "日",
    "<up>", "<down>", "p",
  ]
  nonisolated static let runs = LongRun.isOn ? 100 : 10
  nonisolated static let eventsPerRun = 200

  @Test(arguments: 0..<runs) func `random events with changes streaming in never break the browser`(seed: Int)
    async throws
  {
    var random = SplitMix(seed: UInt64(seed + 5_000))
    func size() -> Size {
      Size(width: Int.random(in: 1...200, using: &random), height: Int.random(in: 1...60, using: &random))
    }
    let browser = try BrowserUnderTest(
      .festival(events: [0, 3, 40, 700][seed % 4]), size: size(), unicode: seed % 5 != 3)
    await browser.rest()
    var next = 10_000
    let clock = ContinuousClock()
    for _ in 0..<Self.eventsPerRun where !browser.session.isOver {
      let start = clock.now
      switch Int.random(in: 0..<24, using: &random) {
      case 0: browser.terminal.resize(size())
      case 1, 2:
        let point = Point(x: Int.random(in: 0...210, using: &random), y: Int.random(in: 0...62, using: &random))
        let kinds: [MouseEvent.Kind] = [.press, .doublePress, .drag, .release, .wheelUp, .wheelDown]
        browser.terminal.send(
          .mouse(MouseEvent(position: point, kind: kinds[Int.random(in: 0..<kinds.count, using: &random)])))
      case 3: browser.terminal.send(.paste("two\nlines \u{1B}[2J"))
      case 4...11: change(browser, &random, &next)
      default:
        let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        browser.terminal.send(.key(try #require(KeyPress(notation: key))))
      }
      #expect(clock.now - start < .milliseconds(2_000), "an event holds the main thread up")
      if Bool.random(using: &random) { await browser.wait(Double.random(in: 0...0.6, using: &random)) }
      check(browser)
    }
    guard !browser.session.isOver else { return }
    if browser.session.state.live.isPaused { browser.session.handle(.key(KeyPress("p"))) }
    await browser.rest()
    #expect(browser.session.isIdle)
    guard !browser.session.state.live.isPaused, let list = browser.session.state.list else { return }
    let all = browser.service.store.ordered(list.query)
    #expect(list.keys == KeyList(all))
    if let start = list.buffer.position {
      #expect(list.buffer.rows.map(\.key) == Array(all[start..<min(all.count, start + list.buffer.rows.count)]))
    }
  }

  private func change(_ browser: BrowserUnderTest, _ random: inout SplitMix, _ next: inout Int) {
    // Drawn beforehand: the edit must not hold the generator.
    let kind = Int.random(in: 0..<10, using: &random)
    let isOwn = Int.random(in: 0..<5, using: &random) == 0
    let number = Int64.random(in: -9...99, using: &random)
    let key = browser.service.store.keys(of: "Event").randomElement(using: &random)
    next += 100
    let first = next
    browser.service.change(by: isOwn ? nil : "writer", isOwn: isOwn) { store in
      switch kind {
      case 0...2: store.addEvent(first, title: "New \(first)", priority: Int(number))
      case 3, 4: if let key { store.remove(key) }
      case 5, 6: if let key { store.set(key, "priority", .integer(number)) }
      case 7: if let key { store.set(key, "title", text: "\u{1B}[31mChanged \(number)") }
      case 8: store.set(ObjectKey(entity: 7, primaryKey: 1), "seats", .integer(number))
      default: for offset in 0..<60 { store.addEvent(first + offset, title: "Burst \(offset)", priority: offset) }
      }
    }
  }

  private func check(_ browser: BrowserUnderTest) {
    let state = browser.session.state
    for line in browser.terminal.lines where !SafeText.isSafe(line) { Issue.record("\(SafeText.visible(line))") }
    if let list = state.list, !list.buffer.rows.isEmpty {
      #expect(list.cursor >= list.top && list.cursor < list.top + state.listHeight)
      #expect(list.buffer.rows.indices.contains(list.cursor))
    }
    #expect(AnimationPlan(state, now: state.now).lines.count <= state.listHeight)
  }
}
