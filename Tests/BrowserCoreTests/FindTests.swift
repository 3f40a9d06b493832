import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct FindTests {
  private func selected(_ browser: BrowserUnderTest) -> Int64? {
    browser.session.state.list?.selectedRow?.key.primaryKey
  }

  @Test func `finding goes to the first match from here, and n and N go through them around the corner`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("jjjfcafe<enter>")
    // Café concert 2, 9, 16, 23, 30, 37, and what the summaries say.
    let state = browser.session.state
    let matches = try #require(state.list?.find?.matches)
    let expected = (0..<matches.count).map { matches[$0].primaryKey }
    let first = try #require(expected.first { $0 >= 4 })
    #expect(selected(browser) == first)
    #expect(
      browser.terminal.shows("“cafe”  \(expected.firstIndex(of: first).map { $0 + 1 } ?? 0) of \(expected.count)"))
    var index = try #require(expected.firstIndex(of: first))
    for _ in 0..<expected.count {
      await browser.type("n")
      index = (index + 1) % expected.count
      #expect(selected(browser) == expected[index])
    }
    for _ in 0..<expected.count {
      await browser.type("N")
      index = (index + expected.count - 1) % expected.count
      #expect(selected(browser) == expected[index])
    }
  }

  @Test func `a match far away is reached by its position`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 3_000), size: Size(width: 80, height: 24))
    await browser.idle()
    await browser.type("f2999<enter>")
    #expect(selected(browser) == 2_999)
    #expect(browser.terminal.shows("2,999 of 3,000"))
  }

  @Test func `a match is reached without the keys of the list, too`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 3_000), prepare: { $0.hold(.keys) })
    await browser.quiet()
    browser.typeAhead("f2500<enter>")
    await browser.quiet()
    // Stage two is about to tell where the match lies; when it is stopped, the key alone has to do.
    browser.typeAhead("<esc>")
    await browser.quiet()
    #expect(browser.session.state.list?.find == nil)
    browser.typeAhead("<esc>")
    await browser.quiet()
    #expect(browser.session.state.list?.stageTwo == .stopped)
    browser.typeAhead("f2500<enter>")
    await browser.quiet()
    #expect(selected(browser) == 2_500)
    let rows = browser.session.state.list?.buffer.rows.map(\.key.primaryKey) ?? []
    #expect(rows.contains(2_499) && rows.contains(2_501))
  }

  @Test func `the first match is shown while the others are still looked for`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 3_000), prepare: { $0.hold(.matches) })
    await browser.quiet()
    browser.typeAhead("jjf2500<enter>")
    await browser.quiet()
    #expect(selected(browser) == 2_500)
    #expect(browser.session.state.list?.find?.matches == nil)
    #expect(browser.terminal.shows("looking for “2500”"))
    // What one does meanwhile is not undone when the others are known.
    browser.typeAhead("j")
    await browser.quiet()
    browser.service.release(.matches)
    await browser.idle()
    #expect(browser.session.state.list?.find?.matches?.count == 1)
    #expect(selected(browser) == 2_501)
  }

  @Test func `the selected object is the first match where it is one, and Esc ends both searches`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.matches, .first) })
    await browser.quiet()
    browser.typeAhead("jfcafe<enter>")
    await browser.quiet()
    browser.service.release(.first)
    await browser.quiet()
    #expect(selected(browser) == 2)
    browser.typeAhead("fquiz<enter><esc>")
    await browser.quiet()
    #expect(browser.session.state.list?.find == nil)
    #expect(browser.service.cancellations(of: .matches) > 0)
  }

  @Test func `text that is nowhere is told and leaves no search`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("fzzz<enter>")
    #expect(browser.terminal.shows("No Event contains “zzz”."))
    #expect(browser.session.state.list?.find == nil)
    await browser.type("n")
    #expect(browser.terminal.shows("Nothing is being looked for"))
  }

  @Test func `matches are highlighted on screen`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("fnight<enter>")
    let canvas = browser.terminal.canvas
    let state = browser.session.state
    let (list, pane) = (try #require(state.list), try #require(state.layout.list))
    let line = Layout.rows(ofList: pane).y + list.cursor - list.top
    let row = (0..<canvas.size.width).filter { canvas[$0, line].style.role == .match }
    #expect(String(row.map { Character(canvas[$0, line].text) }).hasPrefix("night"))
  }

  @Test func `the search goes on in a sorted list`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("fquiz<enter>ls")
    let list = try #require(browser.session.state.list)
    #expect(list.query.sort == [ListSortKey("priority")])
    #expect(list.cursor == 0)
    #expect(list.find?.text == "quiz")
    #expect(list.find?.matches != nil)
    await browser.type("n")
    #expect(browser.terminal.shows("“quiz”  1 of "))
  }

  @Test func `empty text goes on with the search before`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("fquiz<enter>")
    let first = selected(browser)
    await browser.type("f<enter>")
    #expect(browser.session.state.list?.find?.text == "quiz")
    #expect(selected(browser) != first)
  }

  @Test func `positions of matches are found by one walk`() {
    let keys = KeyList((0..<10_000).map { ObjectKey(entity: 1, primaryKey: $0) })
    let matches = KeyList([3, 4_095, 4_096, 9_999].map { ObjectKey(entity: 1, primaryKey: $0) })
    #expect(keys.ranks(of: matches) == [3, 4_095, 4_096, 9_999])
    let strangers = KeyList([3, 123_456, 7].map { ObjectKey(entity: 1, primaryKey: $0) })
    #expect(keys.ranks(of: strangers) == [3, 7])
  }
}
