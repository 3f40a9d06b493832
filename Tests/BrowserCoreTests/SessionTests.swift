import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct SessionTests {
  @Test func `the first frame is drawn by start itself, before anything is known`() throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.open) })
    #expect(browser.terminal.frames.count == 1)
    #expect(browser.terminal.shows("opening Festival.sqlite…"))
    #expect(!browser.session.isIdle)
  }

  @Test func `at launch the list has the focus and its first object is inspected`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    #expect(browser.session.state.focus == .list)
    #expect(browser.terminal.shows("[2] Event"))
    #expect(browser.terminal.shows("[3] Opening 1"))
    #expect(browser.terminal.shows("1 of 40"))
  }

  @Test func `events and answers of one turn end in one frame`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let before = browser.session.frames
    browser.typeAhead("jjjjjjjj")
    #expect(browser.session.frames == before)
    await browser.idle()
    // One for the keys, and one for the record that came after.
    #expect(browser.session.frames - before <= 2)
    #expect(browser.session.state.list?.cursor == 8)
  }

  @Test func `an event that means nothing draws nothing and still ends idle`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let before = browser.session.frames
    var idles = 0
    browser.session.onIdle = { idles += 1 }
    browser.terminal.send(.key(KeyPress("W")))
    #expect(!browser.session.isIdle)
    await browser.quiet()
    #expect(idles == 1)
    #expect(browser.session.frames == before)
  }

  @Test func `nothing is drawn while nothing happens`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let before = browser.session.frames
    await browser.quiet()
    #expect(browser.session.frames == before)
  }

  @Test func `rows do not wait for counts or keys`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 500), prepare: { $0.hold(.count, .keys, .record) })
    await browser.quiet()
    #expect(browser.terminal.shows("Café concert 2"))
    #expect(browser.terminal.shows("1 of …"))
    await browser.quiet()
    browser.terminal.send(.key(KeyPress("G")))
    await browser.quiet()
    #expect(browser.terminal.shows("Reading 500") || browser.terminal.lines.contains { $0.contains(" 500 ") })
    #expect(browser.session.state.selectedPosition == nil)
    browser.service.release(.keys)
    await browser.quiet()
    #expect(browser.terminal.shows("500 of 500"))
    browser.service.release(.count, .record)
    await browser.idle()
    #expect(browser.session.isIdle)
  }

  @Test func `counts come one by one, and each shows when it is known`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.count) })
    await browser.quiet()
    #expect(browser.service.log.filter { $0.hasPrefix("count") } == ["count Event"])
    #expect(browser.terminal.lines.contains { $0.contains("Venue") && $0.contains("…") })
    browser.service.release(.count)
    await browser.idle()
    #expect(
      browser.service.log.filter { $0.hasPrefix("count") } == [
        "count Event", "count Note", "count Guest", "count Speaker", "count Tag", "count Venue",
      ])
    #expect(browser.terminal.lines.contains { $0.contains("Person") && $0.contains(" 7") })
  }

  @Test func `a newer inspection cancels the one before`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.record) })
    await browser.quiet()
    browser.typeAhead("jjj")
    await browser.quiet()
    #expect(browser.service.cancellations(of: .record) == 3)
    browser.service.release(.record)
    await browser.idle()
    #expect(browser.session.state.inspector.record?.key == ObjectKey(entity: 1, primaryKey: 4))
  }

  @Test func `leaving a list cancels what it has under way`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 500), prepare: { $0.hold(.keys) })
    await browser.quiet()
    browser.typeAhead("1G")
    await browser.quiet()
    #expect(browser.service.cancellations(of: .keys) == 1)
    #expect(browser.session.state.list?.query.entity == "Venue")
  }

  @Test func `a list whose rows are near does not flash up empty`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    browser.service.hold(.window)
    browser.terminal.send(.key(KeyPress("1")))
    await browser.quiet()
    let before = browser.session.frames
    browser.terminal.send(.key(KeyPress("G")))
    await browser.quiet()
    #expect(browser.session.frames == before)
    browser.clock.advance(by: 1)
    #expect(browser.session.frames == before + 1)
    #expect(browser.terminal.shows("reading Venue…"))
    browser.service.release(.window)
    await browser.idle()
    #expect(browser.terminal.shows("Old Harbour"))
  }

  @Test func `a store that does not open says so and q still quits`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.fail(.open, FakeFailure("Not a store: the file is a picture.")) })
    await browser.idle()
    #expect(browser.terminal.shows("✗ Not a store: the file is a picture."))
    await browser.type("jG<enter>!")
    #expect(browser.terminal.shows("Error"))
    await browser.type("<esc>q")
    #expect(browser.session.isOver)
    #expect(!browser.terminal.isStarted)
  }

  @Test func `an error is one line, and ! shows it in full`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    browser.service.fail(.record, FakeFailure("The row is torn.\nPage 7 does not add up."))
    await browser.type("j")
    #expect(browser.terminal.shows("✗ The row is torn."))
    #expect(!browser.terminal.shows("Page 7"))
    await browser.type("!")
    #expect(browser.terminal.shows("Page 7 does not add up."))
    browser.service.fail(.record, nil)
    await browser.type("<esc>j")
    #expect(!browser.terminal.shows("✗"))
  }

  @Test(arguments: [InputEvent.endOfInput, .hangUp, .interrupt])
  func `the end of the input ends the browser and gives the terminal back`(event: InputEvent) async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.window) })
    var ends = 0
    browser.session.onEnd = { ends += 1 }
    await browser.quiet()
    browser.terminal.send(event)
    #expect(ends == 1)
    #expect(!browser.terminal.isStarted)
    #expect(browser.service.cancellations(of: .window) == 1)
    browser.service.release(.window)
    await browser.quiet()
    #expect(browser.session.isIdle)
  }

  @Test func `control-Z suspends, and a frame follows`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let before = browser.session.frames
    await browser.type("<c-z>")
    #expect(browser.terminal.suspensions == 1)
    #expect(browser.session.frames > before)
  }

  @Test func `escape stops a query that runs`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    browser.service.hold(.window)
    browser.typeAhead("s")
    await browser.quiet()
    #expect(browser.session.state.list?.replacing != nil)
    browser.typeAhead("<esc>")
    await browser.quiet()
    #expect(browser.service.cancellations(of: .window) == 1)
    #expect(browser.terminal.shows("Stopped before the first row"))
    browser.service.release(.window)
    await browser.type("<enter>")
    #expect(browser.terminal.shows("title ↑"))
    #expect(browser.session.state.list?.buffer.rows.count == 40)
  }
}
