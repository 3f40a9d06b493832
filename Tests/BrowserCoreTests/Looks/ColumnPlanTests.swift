import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// Which columns are shown, in what order, and which stay (UI.md, `c` and `|`).
@MainActor @Suite struct ColumnPlanTests {
  private func list(_ names: String...) -> ListState {
    var list = ListState(id: 1, query: ListQuery(entity: "E"), columns: [])
    list.columns = names.map {
      Column(property: PropertyOutline(name: $0, kind: .integer, isSortable: true), natural: 6)
    }
    return list
  }

  private func shown(_ list: ListState) -> [String] { list.shownColumns.map { list.columns[$0].name } }

  private func onScreen(_ list: ListState, _ width: Int) -> [String] {
    ColumnArrangement(list, width: width).slots.map { list.columns[$0.index].name }
  }

  private func toggle(_ column: Int, of list: inout ListState, isPossible: Bool) {
    let wasPossible = list.toggle(column: column, width: 40)
    #expect(wasPossible == isPossible)
  }

  @Test func `a hidden column takes no room, and the last one that is shown stays`() {
    var list = list("a", "b", "c")
    list.column = 1
    toggle(1, of: &list, isPossible: true)
    #expect(shown(list) == ["a", "c"])
    #expect(list.column == 0)
    toggle(0, of: &list, isPossible: true)
    #expect(shown(list) == ["c"])
    #expect(list.column == 2)
    toggle(2, of: &list, isPossible: false)
    #expect(shown(list) == ["c"])
    toggle(0, of: &list, isPossible: true)
    #expect(shown(list) == ["a", "c"])
  }

  @Test func `a column that is frozen stands behind those that stay, and goes back to its place`() {
    var list = list("a", "b", "c", "d", "e", "f", "g", "h")
    list.column = 6
    list.revealColumn(width: 40)
    #expect(onScreen(list, 40) == ["a", "d", "e", "f", "g"])
    list.toggleFrozen(column: 6, width: 40)
    #expect(shown(list) == ["a", "g", "b", "c", "d", "e", "f", "h"])
    #expect(list.frozenCount == 2)
    // What scrolls stays where it was.
    #expect(onScreen(list, 40) == ["a", "g", "d", "e", "f"])
    list.moveColumn(by: 6, width: 40)
    #expect(list.columns[list.column].name == "h")
    #expect(onScreen(list, 40) == ["a", "g", "e", "f", "h"])
    list.toggleFrozen(column: 6, width: 40)
    #expect(shown(list) == ["a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(list.frozenCount == 1)
  }

  @Test func `the first column can be let go, too`() {
    var list = list("a", "b", "c", "d", "e", "f", "g", "h")
    list.toggleFrozen(column: 0, width: 40)
    #expect(list.frozenCount == 0)
    #expect(shown(list).first == "a")
    list.moveColumn(by: 7, width: 40)
    #expect(onScreen(list, 40) == ["d", "e", "f", "g", "h"])
    #expect(ColumnArrangement(list, width: 40).hidesLeading)
  }

  @Test func `whatever the plan, the current column is on screen, and no slots overlap`() {
    var random = SplitMix(seed: 11)
    let kinds: [PropertyOutline.Kind] = [.string, .integer, .date, .boolean, .toOne(entity: "E"), .binary]
    for round in 0..<3_000 {
      var list = ListState(id: 1, query: ListQuery(entity: "E"), columns: [])
      list.columns = (0..<Int.random(in: 1...9, using: &random)).map {
        Column(
          property: PropertyOutline(
            name: "c\($0)", kind: kinds[Int.random(in: 0..<kinds.count, using: &random)], isSortable: true),
          natural: Int.random(in: 0...50, using: &random))
      }
      let width = Int.random(in: 1...120, using: &random)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let column = Int.random(in: 0..<list.columns.count, using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0: _ = list.toggle(column: column, width: width)
        case 1: list.toggleFrozen(column: list.column, width: width)
        case 2: _ = list.move(columnAt: column, by: Int.random(in: -3...3, using: &random))
        default: list.moveColumn(by: Int.random(in: -5...5, using: &random), width: width)
        }
      }
      list.revealColumn(width: width)
      let arrangement = ColumnArrangement(list, width: width)
      for (left, right) in zip(arrangement.slots, arrangement.slots.dropFirst()) {
        #expect(left.x + left.width + 2 <= right.x, "round \(round)")
      }
      #expect(Set(arrangement.slots.map(\.index)).count == arrangement.slots.count, "round \(round)")
      #expect(Set(list.orderedColumns) == Set(list.columns.indices), "round \(round)")
      #expect(list.shownColumns.contains(list.column), "round \(round)")
      #expect(arrangement.slots.allSatisfy { $0.width > 0 && $0.x + $0.width <= width }, "round \(round)")
      let position = list.shownColumns.firstIndex(of: list.column) ?? 0
      let isSeen = arrangement.slots.contains { $0.index == list.column }
      #expect(isSeen || width < 12 || (position < list.frozenCount && position >= arrangement.frozen), "round \(round)")
    }
  }

  // MARK: In the browser

  @Test func `columns are hidden and moved while one looks, and stay so for the entity`() async throws {
    let browser = try BrowserUnderTest(size: Size(width: 80, height: 24))
    await browser.idle()
    let before = try #require(browser.session.state.list)
    await browser.type("cj<space>jJ<esc>")
    let list = try #require(browser.session.state.list)
    let names = before.columns.map(\.name)
    #expect(shown(list) == [names[0], names[3], names[2]] + names[4...])
    #expect(!browser.terminal.shows(" \(names[1]) "))
    // Nothing was read for it.
    #expect(browser.service.log.count { $0.hasPrefix("window Event") } == 1)
    // Another list of the entity looks the same.
    await browser.type("1jk2")
    #expect(browser.session.state.list?.plan == list.plan)
    await browser.type("cr<esc>")
    #expect(browser.session.state.list?.plan == ColumnPlan())
  }

  @Test func `Enter goes to the column, and shows it`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("cjjj<space><enter>")
    let list = try #require(browser.session.state.list)
    #expect(list.column == 3)
    #expect(list.plan.hidden.isEmpty)
    #expect(browser.session.state.overlay == nil)
  }

  @Test func `a command on a cell works on the column that is seen there`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let columns = try #require(browser.session.state.list?.columns.map(\.name))
    await browser.type("cj<space><esc>lv")
    #expect(browser.service.log.contains { $0.hasPrefix("value 1 ") && $0.hasSuffix(" \(columns[2])") })
  }

  @Test func `freezing is told, and a line stands between what stays and what scrolls`() async throws {
    let browser = try BrowserUnderTest(size: Size(width: 200, height: 24))
    await browser.idle()
    await browser.type("ll|")
    #expect(browser.terminal.shows("stays while the others scroll"))
    let pane = try #require(browser.session.state.layout.list)
    let row = Layout.rows(ofList: pane).y
    let line = (pane.x + 1..<pane.maxX - 1).filter { browser.terminal.canvas[$0, row].text == "│" }
    #expect(line.count == 1)
    await browser.type("|")
    #expect(browser.terminal.shows("scrolls with the others"))
  }
}
