import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// Applying updates to the rows at hand: these equal a window of a fresh fetch, and the selection stays.
@Suite struct ListPatchingTests {
  /// One random change of the festival.
  private static func edit(_ store: inout FakeStore, _ random: inout SplitMix, _ next: inout Int) {
    let keys = store.keys(of: "Event")
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        next += 1
        store.addEvent(next, title: "New \(next)", priority: Int.random(in: -20...100, using: &random))
      }
    case 2:
      for key in keys.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) { store.remove(key) }
    case 3:
      for key in keys.shuffled(using: &random).prefix(3) {
        store.set(key, "priority", .integer(Int64.random(in: -20...100, using: &random)))
      }
    case 4:
      guard let key = keys.randomElement(using: &random) else { return }
      store.set(key, "summary", text: "Changed \(Int.random(in: 0...9, using: &random))")
    default:
      // Everything at once, and a key that comes back.
      guard let key = keys.randomElement(using: &random) else { return }
      store.remove(key)
      if Bool.random(using: &random) { store.addEvent(Int(key.primaryKey), title: "Back", priority: 5) }
      next += 1
      store.addEvent(next, title: "New \(next)", priority: Int.random(in: -20...100, using: &random))
    }
  }

  @Test(arguments: 0..<(LongRun.isOn ? 400 : 24))
  func `after any updates the rows equal a window of a fresh fetch and the selected object stays on its line`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: UInt64(seed))
    let sort = [nil, ListSortKey("priority"), ListSortKey("priority", ascending: false)][seed % 3]
    var next = 10_000
    var browser = LiveSimulation(
      events: [0, 1, 5, 30, 200, 900][seed % 6], size: Size(width: 100, height: [12, 24, 40][seed % 3]), sort: sort)
    browser.state.animation = seed % 5 == 4 ? .off : .full
    for _ in 0..<Int.random(in: 0...60, using: &random) { browser.send(.intent(.move(.down))) }
    if seed % 4 == 3 { browser.send(.intent(.move(.last))) }
    for _ in 0..<40 {
      let selected = browser.selected
      let isThere = browser.state.list?.slides.fallen == nil
      let line = selected.flatMap { browser.line(of: $0, at: browser.state.now) }
      let rests = Bool.random(using: &random)
      browser.change(at: browser.state.now + Double.random(in: 0.2...2, using: &random), tellsStore: false) {
        Self.edit(&$0, &random, &next)
      }
      check(browser)
      if isThere { checkSelection(browser, was: selected, line: line, isAtRest: rests) }
      if rests {
        browser.rest()
        #expect(browser.state.list?.slides == Slides())
        check(browser)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let motions: [BrowserCore.Motion] = [.up, .down, .pageDown, .pageUp, .first, .last]
        browser.send(.intent(.move(try #require(motions.randomElement(using: &random)))))
        check(browser)
      }
    }
  }

  /// The rows at hand are those of a fresh fetch, and the viewport lies within them.
  private func check(_ browser: LiveSimulation) {
    guard let list = browser.state.list else { return }
    let all = browser.store.ordered(list.query)
    let fresh = browser.store.window(list.query, columns: list.columns.map(\.name), at: .start, limit: all.count)
    #expect(list.keys == KeyList(all))
    guard let start = list.buffer.position else {
      Issue.record("the position is not known")
      return
    }
    guard start + list.buffer.rows.count <= all.count else {
      Issue.record("more rows than there are")
      return
    }
    #expect(list.buffer.rows == Array(fresh.rows[start..<start + list.buffer.rows.count]))
    #expect(list.buffer.reachesStart == (start == 0))
    #expect(list.buffer.reachesEnd == (start + list.buffer.rows.count == all.count))
    #expect(list.cursor >= list.top && list.cursor < list.top + browser.state.listHeight || all.isEmpty)
    #expect(list.replacing == nil)
    let plan = browser.plan(at: browser.state.now)
    #expect(plan.lines.count <= browser.state.listHeight)
    #expect(plan.lines.count >= min(browser.state.listHeight, all.count - list.slides.openings.count))
  }

  private func checkSelection(_ browser: LiveSimulation, was key: ObjectKey?, line: Int?, isAtRest: Bool) {
    guard let key, let line, let list = browser.state.list else { return }
    let all = browser.store.ordered(list.query)
    guard let position = all.firstIndex(of: key) else {
      // A deleted object stays selected for a moment, unless much happened at once.
      if browser.state.live.storm == nil { #expect(browser.selected == key) }
      return
    }
    #expect(browser.selected == key)
    var rested = browser
    rested.rest()
    let height = browser.state.listHeight
    let top = min(max(0, position - line), max(0, all.count - height))
    #expect(rested.line(of: key, at: rested.state.now) == position - top)
    // Nothing jumps before something slides.
    if list.slides.openings.isEmpty, list.slides.ghosts.isEmpty { return }
    if position >= line, all.count - position > height {
      #expect(browser.line(of: key, at: browser.state.now) == line)
    }
  }

  @Test func `positions of rows that stay follow from what goes and comes`() {
    // 0 1 2 3 4 5 → 1 goes, 4 moves to the front, two come at 1 and 4: 4 a 0 2 b 3 5
    let changes = ListChanges(
      deletes: [.init(event(1), at: 1)], inserts: [.init(event(10), at: 1), .init(event(11), at: 4)],
      moves: [.init(event(4), from: 4, to: 0)])
    let shifts = RowShifts(changes)
    #expect([0, 2, 3, 5].map { shifts.position(of: $0) } == [2, 3, 5, 6])
    // What goes is followed by the next one that stays.
    #expect(shifts.position(of: 1) == 3)
  }

  @Test func `where rows are missing the window is read again around the selected object`() {
    var browser = LiveSimulation(events: 900, size: Size(width: 100, height: 24))
    for _ in 0..<30 { browser.send(.intent(.move(.down))) }
    let line = browser.line(of: event(31), at: 0)
    browser.change(at: 1) { store in
      for number in 0..<700 { store.addEvent(20_000 + number, title: "x") }
      for number in 1...20 { store.remove(event(number)) }
    }
    #expect(browser.selected == event(31))
    #expect(browser.line(of: event(31), at: 1) == min(10, line ?? 0))
    #expect(browser.state.listCount == 1_580)
    check(browser)
  }

  @Test func `changes of a row that is being edited wait, and others go on`() throws {
    var browser = LiveSimulation(events: 30)
    let old = browser.state.list
    let before = browser.store
    browser.store.set(event(2), "title", text: "Theirs")
    browser.store.set(event(3), "title", text: "Others")
    browser.store.remove(event(4))
    let query = ListQuery(entity: "Event")
    let update = try #require(
      ListUpdate(
        StoreChanges(browser.store.changes(since: before), date: .distantPast, source: .pages),
        from: before.ordered(query), to: browser.store.ordered(query),
        columns: old?.columns.map(\.name) ?? [], store: browser.store))
    var list = try #require(old)
    var context = PatchContext(now: 5, height: 20, level: .full)
    context.isHeld = { $0 == event(2) || $0 == event(4) }
    let patch = list.apply(update, context)
    #expect(list.buffer.rows[1].cells == old?.buffer.rows[1].cells)
    #expect(list.buffer.rows[2].cells.first == .text("Others", length: 6))
    #expect(Set(patch.marks.keys) == [event(3)])
    #expect(list.heldRows[event(2)]?.count == 1)
    #expect(list.slides.ghosts.map(\.since) == [nil])
    browser.state.list = list
    #expect(browser.state.heldChanges(of: event(2)) == 1)
    #expect(browser.state.heldChanges(of: event(4)) == 1)
    #expect(browser.plan(at: 500).lines.contains { $0.kind == .delete })
    // The editors are closed: what waited is shown from now on.
    browser.tick(to: 600)
    #expect(browser.state.list?.buffer.rows[1].cells.first == .text("Theirs", length: 6))
    #expect(browser.state.marks[event(2)]?.since == 600)
    #expect(browser.state.list?.slides.ghosts.map(\.since) == [600])
    browser.rest()
    check(browser)
  }

  @Test func `an object that moves far away is followed, and stays on its line`() {
    var browser = LiveSimulation(events: 900, size: Size(width: 100, height: 24), sort: ListSortKey("title"))
    for _ in 0..<30 { browser.send(.intent(.move(.down))) }
    guard let key = browser.selected, let line = browser.line(of: key, at: 0) else {
      Issue.record("nothing is selected")
      return
    }
    browser.change(at: 1) { $0.set(key, "title", text: "Reading 5") }
    #expect(browser.selected == key)
    #expect(browser.line(of: key, at: 1) == line)
    check(browser)
  }
}
