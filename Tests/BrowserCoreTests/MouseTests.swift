import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct MouseTests {
  private func browser(_ store: FakeStore = .festival(), _ width: Int = 120, _ height: Int = 36) async throws
    -> BrowserUnderTest
  {
    let browser = try BrowserUnderTest(store, size: Size(width: width, height: height))
    await browser.idle()
    return browser
  }

  @Test func `a click selects the row and the column under it`() async throws {
    let browser = try await browser()
    await browser.press(50, 8)
    let list = try #require(browser.session.state.list)
    #expect(list.cursor == 5)
    #expect(list.column > 0)
  }

  @Test func `a click gives a pane the keys`() async throws {
    let browser = try await browser()
    await browser.press(100, 6)
    #expect(browser.session.state.focus == .inspector)
    await browser.press(5, 3)
    #expect(browser.session.state.focus == .sidebar)
    #expect(browser.session.state.list?.query.entity == "Note")
  }

  @Test func `a double click opens`() async throws {
    let browser = try await browser()
    let x = try #require(column(of: "venue", browser))
    await browser.press(x, 4)
    await browser.press(x, 4, .doublePress)
    #expect(browser.session.state.list?.query.entity == "Venue")
  }

  @Test func `a click on a heading sorts, and the next one reverses`() async throws {
    let browser = try await browser()
    let x = try #require(column(of: "priority", browser))
    await browser.press(x, 2)
    #expect(browser.session.state.list?.query.sort.first?.ascending == true)
    await browser.press(x, 2)
    #expect(browser.session.state.list?.query.sort.first?.ascending == false)
  }

  @Test func `the wheel scrolls the list and takes the selection along at the edge`() async throws {
    let browser = try await browser()
    await browser.press(50, 10, .wheelDown)
    #expect(browser.session.state.list?.top == 3)
    #expect(browser.session.state.list?.cursor == 3)
    await browser.press(50, 10, .wheelUp)
    #expect(browser.session.state.list?.top == 0)
  }

  @Test func `dragging a border makes a pane wider`() async throws {
    let browser = try await browser()
    let border = try #require(browser.session.state.layout.sidebar).maxX - 1
    await browser.press(border, 10)
    await browser.press(35, 10, .drag)
    await browser.press(35, 10, .release)
    #expect(browser.session.state.layout.sidebar?.width == 36)
    await browser.press(50, 10, .drag)
    #expect(browser.session.state.layout.sidebar?.width == 36)
  }

  @Test func `dragging the scrollbar goes to any position`() async throws {
    let browser = try await browser(.festival(events: 2_000))
    let pane = try #require(browser.session.state.layout.list)
    let rows = Layout.rows(ofList: pane)
    await browser.press(pane.maxX - 1, rows.y + rows.height / 2)
    await browser.press(pane.maxX - 1, rows.maxY - 1, .drag)
    #expect(browser.session.state.selectedPosition == 1_999)
    await browser.press(pane.maxX - 1, rows.y, .drag)
    #expect(browser.session.state.selectedPosition == 0)
  }

  private func column(of name: String, _ browser: BrowserUnderTest) -> Int? {
    let canvas = browser.terminal.canvas
    return (0..<canvas.size.width - name.count).first { x in
      (0..<name.count).map { canvas[x + $0, 2].text }.joined() == name
    }
  }
}
