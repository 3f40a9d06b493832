import BrowserTestSupport
import CoreData
import Foundation
import Testing
import TextCanvas

@testable import BrowserCore

/// Pause, frames that gather, tombstones, counts, edges and storms.
@Suite struct LiveReducerTests {
  private func browser(_ events: Int = 40) -> LiveSimulation {
    LiveSimulation(events: events, size: Size(width: 120, height: 30))
  }

  // MARK: Gathering and pause

  @Test func `the first change shows at once and those within 100 ms join one frame`() {
    var browser = browser()
    browser.change(at: 10) { $0.set(event(1), "priority", .integer(500)) }
    #expect(browser.state.marks[event(1)] != nil)
    browser.change(at: 10.03) { $0.set(event(2), "priority", .integer(500)) }
    browser.change(at: 10.06) { $0.set(event(3), "priority", .integer(500)) }
    #expect(browser.state.marks[event(2)] == nil)
    #expect(browser.plan(at: 10.06).next == 10.1)
    browser.tick(to: 10.1)
    #expect(browser.state.marks[event(2)]?.since == 10.1)
    #expect(browser.state.marks[event(3)]?.since == 10.1)
    #expect(browser.state.live.changeCount == 3)
    browser.change(at: 10.3) { $0.set(event(4), "priority", .integer(500)) }
    #expect(browser.state.marks[event(4)]?.since == 10.3)
  }

  @Test func `pause holds changes, says how many, and releases them together`() {
    var browser = browser()
    browser.send(.intent(.togglePause))
    let rows = browser.state.list?.buffer.rows
    browser.change(at: 10) { $0.set(event(1), "title", text: "Held") }
    browser.change(at: 20) { store in
      store.remove(event(5))
      store.addEvent(50, title: "New")
      store.addEvent(51, title: "Newer")
    }
    #expect(browser.state.list?.buffer.rows == rows)
    #expect(browser.state.counts["Event"] == 40)
    // The deleted event's venue and tags lost it, too.
    #expect(browser.state.live.heldCount == 6)
    #expect(browser.plan(at: 20).next == nil)
    browser.state.now = 30
    browser.send(.intent(.togglePause))
    #expect(browser.state.live.waiting.isEmpty)
    #expect(browser.state.counts["Event"] == 41)
    #expect(browser.state.listCount == 41)
    #expect(browser.state.marks[event(1)]?.since == 30)
    #expect(browser.state.list?.slides.ghosts.map(\.since) == [30])
  }

  @Test func `a long pause keeps no more than a hundred steps, and then reads the rows again`() {
    var browser = browser()
    browser.send(.intent(.togglePause))
    for step in 0..<150 {
      browser.change(at: 10 + Double(step)) { $0.set(event(1), "priority", .integer(Int64(1_000 + step))) }
    }
    let steps = browser.state.live.waiting.count { if case .store = $0 { false } else { true } }
    #expect(steps <= LiveState.mostSteps)
    browser.send(.intent(.togglePause))
    #expect(browser.state.list?.buffer.rows.first?.cells[1] == .integer(1_149))
    #expect(browser.state.live.changeCount == 150)
  }

  // MARK: Tombstones

  @Test func `a tombstone takes no commands and says why`() {
    var browser = browser()
    browser.change(at: 10) { $0.remove(event(1)) }
    let open = CommandTable.all.first { $0.id == "list.open" }
    #expect(open?.intent(in: browser.state) == .refuse("Opening 1 was deleted."))
    browser.send(.intent(.open))
    #expect(browser.state.message == Message(text: "Opening 1 was deleted.", kind: .warning))
    #expect(browser.state.inspector.isGone)
    #expect(browser.state.inspector.record?.key == event(1))
    // The row below it is the next one.
    browser.send(.intent(.move(.down)))
    #expect(browser.selected == event(2))
  }

  @Test func `a step up from a tombstone goes to the row before it`() {
    var browser = browser()
    for _ in 0..<5 { browser.send(.intent(.move(.down))) }
    browser.change(at: 10) { $0.remove(event(6)) }
    #expect(browser.selected == event(6))
    browser.send(.intent(.move(.up)))
    #expect(browser.selected == event(5))
    #expect(browser.line(of: event(5), at: 10) == 4)
  }

  @Test func `steps beside a tombstone do not make the list jump`() {
    var browser = browser()
    for _ in 0..<5 { browser.send(.intent(.move(.down))) }
    browser.change(at: 10) { $0.remove(event(2)) }
    let line = browser.line(of: event(7), at: 10)
    browser.send(.intent(.move(.down)))
    #expect(browser.selected == event(7))
    #expect(browser.line(of: event(7), at: 10) == line)
  }

  // MARK: Edges

  @Test func `changes out of sight are counted at their edge until somebody looks or six seconds pass`() {
    var browser = browser()
    browser.change(at: 10) { store in
      store.set(event(39), "priority", .integer(1))
      store.addEvent(50, title: "New")
    }
    #expect(browser.state.list?.beyond.below == 2)
    #expect(browser.state.list?.beyond.above == 0)
    browser.send(.intent(.scroll(.list, 3)))
    #expect(browser.state.list?.beyond == Beyond())
    browser.change(at: 20) { $0.set(event(1), "priority", .integer(1)) }
    #expect(browser.state.list?.beyond.above == 1)
    browser.tick(to: 26)
    #expect(browser.state.list?.beyond == Beyond())
  }

  // MARK: Counts, badges, activity

  @Test func `counts are kept by what comes and goes, without counting again`() {
    var browser = browser()
    #expect(browser.state.counts["Event"] == 40)
    browser.change(at: 10) { store in
      store.addEvent(50, title: "a")
      store.addEvent(51, title: "b")
      store.remove(event(3))
    }
    #expect(browser.state.counts["Event"] == 41)
    #expect(browser.state.counting == nil)
    #expect(browser.state.live.badges["Event"]?.tally == Tally(inserts: 2, updates: 0, deletes: 1))
    browser.tick(to: 12)
    #expect(browser.state.live.badges.isEmpty)
  }

  @Test func `a count during which something changed is read again`() {
    var browser = browser()
    browser.state.counting = "Event"
    browser.change(at: 10) { $0.addEvent(50, title: "a") }
    #expect(browser.state.live.recount == ["Event"])
    browser.send(.answer(.counted(entity: "Event", 41)))
    #expect(browser.state.counts["Event"] == 41)
    #expect(browser.state.live.recount.isEmpty)
  }

  @Test func `the activity tells who changed how much of what, and joins what one author does at once`() {
    var browser = browser()
    browser.change(at: 10, by: "importer") { store in
      store.addEvent(50, title: "a")
      store.remove(ObjectKey(entity: 6, primaryKey: 5))
    }
    browser.change(at: 11, by: "importer") { $0.addEvent(51, title: "b") }
    browser.change(at: 12, isOwn: true) { $0.set(event(2), "title", text: "Mine") }
    #expect(browser.state.live.activity.map(\.author) == ["you", "importer"])
    #expect(browser.state.live.activity[0].property == "title")
    #expect(browser.state.live.activity[1].tally.inserts == 2)
    #expect(browser.state.live.activity[1].entities.first == "Event")
  }

  // MARK: Storms

  @Test func `more than 30 per cent of the rows on screen make a storm of counts without washes`() {
    var browser = browser()
    let height = browser.state.listHeight
    browser.change(at: 10) { store in
      for number in 1...(height * 3 / 10) { store.set(event(number), "priority", .integer(1)) }
    }
    #expect(browser.state.live.storm == nil)
    browser.change(at: 20) { store in
      for number in 1...(height * 3 / 10 + 1) { store.set(event(number), "priority", .integer(2)) }
      store.remove(event(30))
    }
    #expect(browser.state.live.storm?.tally == Tally(inserts: 0, updates: height * 3 / 10 + 1, deletes: 1))
    #expect(browser.plan(at: 20).lines.allSatisfy { $0.strength == 0 })
    #expect(browser.state.list?.slides == Slides())
    #expect(browser.state.live.pulse == 20)
    browser.tick(to: 21.5)
    #expect(browser.state.live.storm == nil)
  }

  @Test func `more than twenty batches a second make a storm, and calm ends it`() {
    var browser = browser()
    for batch in 0..<25 {
      browser.change(at: 10 + Double(batch) * 0.04) { $0.set(event(2), "priority", .integer(Int64(1000 + batch))) }
    }
    #expect(browser.state.live.storm != nil)
    browser.rest()
    #expect(browser.state.live.storm == nil)
    #expect(browser.plan(at: browser.state.now).next == nil)
    #expect(browser.state.live.changeCount == 25)
  }

  // MARK: Inspector, history, keys to come

  @Test func `the inspector is read again, keeps what was until the next change, and marks what was deleted`() {
    var browser = browser()
    browser.change(at: 10) { $0.set(event(1), "priority", .integer(7)) }
    #expect(browser.state.marks.was(event(1)) == ["priority": .integer(27)])
    #expect(browser.state.inspector.record?.fields.first { $0.property.name == "priority" }?.value == .integer(7))
    browser.rest()
    #expect(browser.state.marks.was(event(1)) == ["priority": .integer(27)])
    browser.change(at: 50) { $0.set(event(1), "title", text: "New") }
    #expect(browser.state.marks.was(event(1)) == ["title": .text("Opening 1", length: 9)])
  }

  @Test func `a list gone back to is read again`() {
    var browser = browser()
    browser.state.list?.column = 3
    browser.send(.intent(.open))
    #expect(browser.state.list?.query.entity == "Venue")
    browser.change(at: 10) { store in
      store.set(event(1), "title", text: "Renamed")
      store.remove(event(2))
    }
    browser.send(.intent(.back))
    #expect(browser.state.list?.buffer.rows.first?.cells.first == .text("Renamed", length: 7))
    #expect(browser.state.listCount == 39)
    #expect(browser.selected == event(1))
    #expect(browser.state.list?.isOutdated == false)
  }

  @Test func `before the keys are known a change reads the rows on screen again, quietly`() {
    var browser = browser(400)
    browser.state.list?.keys = nil
    browser.state.list?.stageTwo = .loading
    browser.send(.intent(.move(.down)))
    browser.store.set(event(1), "title", text: "Renamed")
    let changes = StoreChanges(
      [StoreChanges.Change(.update, event(1))], date: Date(timeIntervalSinceReferenceDate: 0), source: .pages)
    browser.send(.answer(.store(.changes(changes))))
    #expect(browser.state.list?.buffer.rows.first?.cells.first == .text("Renamed", length: 7))
    #expect(browser.selected == event(2))
    #expect(browser.state.list?.isQuiet == false)
  }

  @Test func `where it cannot be told what changed, rows, counts and the inspector are read again, quietly`() {
    for keysAreKnown in [true, false] {
      var browser = browser(400)
      browser.send(.intent(.move(.down)))
      if !keysAreKnown {
        browser.state.list?.keys = nil
        browser.state.list?.stageTwo = .loading
      }
      browser.store.set(event(1), "title", text: "Renamed")
      browser.store.set(event(2), "title", text: "Also")
      browser.store.addEvent(401, title: "New")
      var changes = StoreChanges([], date: Date(timeIntervalSinceReferenceDate: 0), source: .comparison)
      changes.isComplete = false
      browser.send(.answer(.store(.changes(changes))))
      #expect(browser.state.list?.buffer.rows.first?.cells.first == .text("Renamed", length: 7))
      #expect(browser.selected == event(2))
      #expect(browser.state.inspector.record?.fields.contains { $0.value == .text("Also", length: 4) } == true)
      #expect(browser.state.counts["Event"] == 401)
      #expect(browser.state.live.lastChange == nil && browser.state.live.activity.isEmpty)
    }
  }

  @Test func `liveness is told, and a lost store says so`() {
    var browser = browser()
    browser.send(.answer(.store(.liveness(.polling(reason: "network file system")))))
    #expect(browser.state.live.liveness == .polling(reason: "network file system"))
    browser.send(.answer(.store(.liveness(.disconnected(reason: "file replaced")))))
    #expect(browser.state.message?.text == "The store is not followed any more: file replaced.")
  }
}
