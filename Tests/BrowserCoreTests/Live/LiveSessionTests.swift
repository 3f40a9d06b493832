import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

/// Frames come only while something moves, and no faster than thirty a second.
@MainActor @Suite struct LiveSessionTests {
  @Test func `a change shows in the next frame, and all is quiet when its mark is gone`() async throws {
    let browser = try BrowserUnderTest()
    await browser.rest()
    #expect(browser.clock.next == nil)
    await browser.wait(1)
    let before = browser.session.frames
    browser.service.change { $0.set(event(2), "priority", .integer(777)) }
    await browser.quiet()
    #expect(browser.terminal.shows("777"))
    #expect(browser.session.frames > before)
    #expect(!browser.session.isIdle)
    await browser.rest()
    #expect(browser.session.isIdle)
    #expect(browser.clock.next == nil)
    // A hold needs no frames, a fade one a step.
    #expect(browser.session.frames - before < 30)
    #expect(!browser.terminal.lines.contains { $0.contains("~ ") })
  }

  @Test func `changes that pour in make no more than thirty frames a second`() async throws {
    let browser = try BrowserUnderTest()
    await browser.rest()
    await browser.wait(1)
    let before = browser.session.frames
    for number in 0..<500 {
      browser.service.change { $0.set(event(2), "priority", .integer(Int64(1_000 + number))) }
      await browser.wait(0.002)
    }
    #expect(browser.session.frames - before <= 32)
    await browser.rest()
    #expect(browser.terminal.shows("1499"))
    #expect(browser.session.state.live.changeCount == 500)
  }

  @Test func `p pauses and goes on, and the title bar says so`() async throws {
    let browser = try BrowserUnderTest()
    await browser.rest()
    #expect(browser.terminal.shows("● live"))
    await browser.type("p")
    await browser.wait(1)
    browser.service.change { store in
      for number in 1...4 { store.set(event(number), "title", text: "Held \(number)") }
    }
    await browser.quiet()
    #expect(browser.terminal.shows("◌ paused (4 held)"))
    #expect(!browser.terminal.shows("Held 1"))
    browser.typeAhead("p")
    await browser.rest()
    #expect(browser.terminal.shows("Held 1") && browser.terminal.shows("● live"))
    #expect(browser.terminal.shows("4 changes"))
  }

  @Test func `every way of following a store is named`() async throws {
    let browser = try BrowserUnderTest()
    await browser.rest()
    let ways: [(StoreLiveness, String)] = [
      (.polling(reason: "network file system"), "◌ polling (network file system)"), (.snapshot, "snapshot"),
      (.copy, "copy"), (.disconnected(reason: "file replaced"), "disconnected: file replaced"), (.live, "● live"),
    ]
    for (liveness, words) in ways {
      browser.service.tell(liveness)
      await browser.quiet()
      #expect(browser.terminal.shows(words))
    }
  }

  @Test func `without animation and without colours nothing moves`() async throws {
    let service = FakeService(.festival())
    let clock = ManualClock()
    let terminal = FakeTerminal(size: Size(width: 120, height: 36))
    let session = Session(
      service: service, terminal: terminal, options: SessionOptions(zone: .utc, theme: .monochrome), clock: clock)
    try session.start()
    await session.idle()
    #expect(session.state.animation == .off)
    let shown = Theme.monochrome.appearance(of: Style(.text, wash: .changed))
    #expect(shown == Theme.monochrome.appearance(of: Style(.text)))
    let still = Session(
      service: service, terminal: FakeTerminal(size: Size(width: 80, height: 24)),
      options: SessionOptions(animation: false), clock: clock)
    try still.start()
    await still.idle()
    #expect(still.state.animation == .off)
    session.end()
    still.end()
  }

  @Test func `a slow link drops the motion and takes it up again`() {
    var link = LinkSpeed(usual: .full)
    link.note(backlog: 0, presenting: 0.001, at: 1)
    link.note(backlog: 900, presenting: 0.001, at: 2)
    link.note(backlog: 900, presenting: 0.001, at: 2.09)
    #expect(link.level == .full)
    link.note(backlog: 900, presenting: 0.001, at: 2.11)
    #expect(link.level == .off)
    link.note(backlog: 0, presenting: 0.001, at: 5)
    #expect(link.level == .off)
    link.note(backlog: 0, presenting: 0.001, at: 7.2)
    #expect(link.level == .full)
    link.note(backlog: 0, presenting: 0.2, at: 8)
    #expect(link.level == .off)
  }
}
