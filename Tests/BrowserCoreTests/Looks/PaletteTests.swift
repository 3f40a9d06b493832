import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

/// What can be done or gone to by a few letters (UI.md, `:`).
@MainActor @Suite struct PaletteTests {
  @Test func `letters fit a title where they occur in order, best at the starts of words`() {
    #expect(FuzzyMatch.match("vn", in: "Venue")?.characters == [0, 2])
    #expect(FuzzyMatch.match("en", in: "Venue")?.characters == [1, 2])
    #expect(FuzzyMatch.match("nv", in: "Venue") == nil)
    #expect(FuzzyMatch.match("", in: "Venue")?.characters == [])
    #expect(FuzzyMatch.match("ct", in: "ConcertTicket")?.characters == [0, 7])
    #expect(FuzzyMatch.match("ÉC", in: "éclair")?.characters == [0, 1])
    let word = FuzzyMatch.match("mo", in: "move up")?.score ?? 0
    let within = FuzzyMatch.match("mo", in: "remove")?.score ?? 0
    let apart = FuzzyMatch.match("mo", in: "make one")?.score ?? 0
    #expect(word > within)
    #expect(apart > within)
  }

  @Test func `an entity is gone to by a few letters`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type(":venu<enter>")
    #expect(browser.session.state.list?.query.entity == "Venue")
    #expect(browser.session.state.focus == .list)
    #expect(browser.session.state.overlay == nil)
  }

  @Test func `a command of another pane is run there`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("1:column<enter>")
    guard case .columns? = browser.session.state.overlay else {
      Issue.record("the columns are not shown")
      return
    }
    #expect(browser.session.state.focus == .list)
  }

  @Test func `a command is found by what it does, and one that cannot be run says why`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type(":clipboard json")
    #expect(browser.terminal.shows("copy object"))
    await browser.type("<esc>:error")
    #expect(browser.terminal.shows("Nothing went wrong so far."))
    await browser.type("<enter>")
    #expect(browser.session.state.message?.text == "Nothing went wrong so far.")
  }

  @Test func `every entry can be run, and the palette opens nowhere where it leads nowhere`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let count = browser.session.state.paletteEntries(matching: "").count
    #expect(count > CommandTable.all.count { $0.scope == .list })
    for index in 0..<count {
      let browser = try BrowserUnderTest()
      await browser.idle()
      await browser.type(":")
      browser.session.send(.intent(.choosePalette(index)))
      await browser.type("<enter>")
      if case .palette? = browser.session.state.overlay { Issue.record("entry \(index) left the palette open") }
    }
  }
}
