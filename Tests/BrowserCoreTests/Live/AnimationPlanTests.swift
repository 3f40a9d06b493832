import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

/// What the list shows at any instant, and when it next looks different (UI.md, "Changes animate in").
@Suite struct AnimationPlanTests {
  private func browser() -> LiveSimulation { LiveSimulation(events: 12, size: Size(width: 120, height: 20)) }

  @Test func `at rest nothing is to come`() {
    let browser = browser()
    #expect(browser.plan(at: 0).next == nil)
    #expect(browser.words(at: 0).first == " 1")
  }

  @Test func `an insert opens a gap, its row has a wash that holds and fades, and its glyph stays five seconds`() {
    var browser = browser()
    browser.send(.intent(.move(.last)))
    browser.send(.intent(.move(.up)))
    browser.change(at: 10) { $0.addEvent(20, title: "New") }
    func last(_ now: Double) -> String { browser.words(at: 10 + now).last ?? "" }
    #expect(last(0) == "+=/4")
    #expect(last(0.049) == "+=/4")
    #expect(last(0.05) == "+20/8")
    #expect(last(0.699) == "+20/8")
    // 1,200 ms in eight steps.
    #expect(
      [0.71, 0.86, 1.01, 1.16, 1.31, 1.46, 1.61, 1.76, 1.89].map(last) == [
        "+20/8", "+20/7", "+20/6", "+20/5", "+20/4", "+20/3", "+20/2", "+20/1", "+20/1",
      ])
    #expect(last(1.9) == "+20")
    #expect(last(4.99) == "+20")
    #expect(last(5) == " 20")
  }

  @Test func `the plan names exactly the instants at which something changes`() {
    var browser = browser()
    browser.change(at: 10) { store in
      store.addEvent(20, title: "New")
      store.remove(event(3))
    }
    browser.change(at: 10.2) { $0.set(event(2), "priority", .integer(7)) }
    var now = 10.2
    var instants: [Double] = []
    while let next = browser.plan(at: now).next {
      #expect(next > now)
      // Between here and there nothing changes.
      for share in [0.25, 0.5, 0.99] {
        let between = now + (next - now) * share
        #expect(browser.words(at: between) == browser.words(at: now), "between \(now) and \(next)")
      }
      browser.tick(to: next)
      now = next
      instants.append(next)
    }
    #expect(instants.count < 50)
    #expect(browser.words(at: now).allSatisfy { $0.hasPrefix(" ") })
    #expect(browser.state.list?.slides == Slides())
  }

  @Test func `an update washes the changed cells alone, half a second and then a second's fade`() throws {
    var browser = browser()
    browser.change(at: 10) { $0.set(event(2), "priority", .integer(7)) }
    func line(_ now: Double) -> AnimationPlan.Line { browser.plan(at: 10 + now).lines[1] }
    #expect(line(0).old == ["priority": .integer(64)])
    #expect([0, 0.49, 0.63, 1.4, 1.5, 4.9].map { line($0).strength } == [8, 8, 7, 1, 0, 0])
    #expect(line(4.9).kind == .update)
    #expect(line(5).kind == nil)
  }

  @Test func `a deleted row stays 900 ms, then its gap closes, and only then the selection goes on`() {
    var browser = browser()
    browser.send(.intent(.move(.down)))
    browser.change(at: 10) { $0.remove(event(2)) }
    #expect(browser.selected == event(2))
    #expect(Array(browser.words(at: 10).prefix(3)) == [" 1", "-2†/8", " 3"])
    #expect(Array(browser.words(at: 10.89).prefix(3)) == [" 1", "-2†/8", " 3"])
    #expect(Array(browser.words(at: 10.9).prefix(3)) == [" 1", "-=/4", " 3"])
    #expect(Array(browser.words(at: 10.95).prefix(3)) == [" 1", " 3", " 4"])
    browser.tick(to: 10.9)
    #expect(browser.selected == event(2))
    browser.tick(to: 10.95)
    #expect(browser.selected == event(3))
    #expect(browser.state.inspector.key == event(3))
  }

  @Test func `a move closes the old place and opens the new one, both washed, for 300 ms`() {
    var browser = LiveSimulation(events: 40, size: Size(width: 120, height: 20), sort: ListSortKey("priority"))
    let before = browser.words(at: 0)
    let moving = browser.state.list?.buffer.rows[8].key ?? event(0)
    browser.change(at: 10) { $0.set(moving, "priority", .integer(-15)) }
    // The selected first row keeps its line, so the row that comes before it is out of sight.
    #expect(browser.words(at: 10).first == before.first)
    #expect(browser.state.list?.beyond.above == 1)
    #expect(browser.words(at: 10)[8].hasPrefix("↕") && browser.words(at: 10)[8].contains("†"))
    #expect(browser.words(at: 10.05)[8] == "↕=/4")
    #expect(!browser.words(at: 10.1)[8].contains("↕"))

    browser = LiveSimulation(events: 12, size: Size(width: 120, height: 20), sort: ListSortKey("priority"))
    let other = browser.state.list?.buffer.rows[3].key ?? event(0)
    browser.change(at: 30) { $0.set(other, "priority", .integer(200)) }
    let opening = browser.words(at: 30)
    #expect(opening.contains("↕=/4"))
    #expect(opening.contains("↕\(other.primaryKey)†/8"))
    #expect(browser.words(at: 30.05).contains("↕\(other.primaryKey)/8"))
    #expect(browser.words(at: 30.31).contains("↕\(other.primaryKey)"))
    #expect(!browser.words(at: 35).contains { $0.hasPrefix("↕") })
  }

  @Test func `up to eight rows slide one after another, more come as one step`() {
    var browser = LiveSimulation(events: 12, size: Size(width: 120, height: 60))
    browser.change(at: 10) { store in
      for number in 20..<25 { store.addEvent(number, title: "New") }
    }
    #expect([0.0, 0.05, 0.1, 0.15, 0.2, 0.25].map { browser.words(at: 10 + $0).count } == [13, 14, 15, 16, 17, 17])
    browser.rest()
    browser.change(at: 100) { store in
      for number in 30..<39 { store.addEvent(number, title: "New") }
    }
    #expect(browser.words(at: 100).count == 26)
    #expect(browser.words(at: 100).filter { $0.hasSuffix("/8") }.count == 9)
  }

  @Test func `own edits show the glyph only`() {
    var browser = browser()
    browser.change(at: 10, isOwn: true) { store in
      store.set(event(2), "priority", .integer(7))
      store.addEvent(20, title: "Mine")
      store.remove(event(5))
    }
    let words = browser.words(at: 10)
    #expect(words[1] == "~2")
    #expect(words.contains("+20"))
    #expect(!words.contains { $0.contains("†") || $0.contains("/") || $0.contains("=") })
  }

  @Test func `a new change replaces its object's mark`() {
    var browser = browser()
    browser.change(at: 10) { $0.addEvent(20, title: "New") }
    browser.change(at: 12) { $0.set(event(20), "title", text: "Newer") }
    #expect(browser.words(at: 12).last == "~20/8")
    browser.change(at: 14, isOwn: true) { $0.set(event(20), "title", text: "Mine") }
    #expect(browser.words(at: 14).last == "~20")
    #expect(browser.words(at: 18.9).last == "~20")
    #expect(browser.words(at: 19).last == " 20")
  }

  @Test func `without motion marks appear and disappear in one step each`() {
    var browser = browser()
    browser.state.animation = .off
    browser.change(at: 10) { store in
      store.addEvent(20, title: "New")
      store.remove(event(3))
    }
    #expect(browser.words(at: 10).last == "+20/8")
    #expect(browser.words(at: 11.89).last == "+20/8")
    #expect(browser.words(at: 11.9).last == "+20")
    #expect(browser.words(at: 10.89).contains("-3†/8"))
    #expect(!browser.words(at: 10.9).contains { $0.hasPrefix("-") })
    var instants = 0
    while let next = browser.plan(at: browser.state.now).next {
      browser.tick(to: next)
      instants += 1
    }
    #expect(instants <= 6)
  }

  @Test func `with few colours fades have two steps`() {
    let fade = Fade(since: 0, hold: 0.5, fade: 1)
    #expect([0, 0.6, 0.99, 1.01, 1.4, 1.5].map { fade.strength(at: $0, .twoSteps) } == [8, 8, 8, 4, 4, 0])
    #expect(fade.next(after: 0, .twoSteps) == 1.0)
    #expect(fade.next(after: 1, .twoSteps) == 1.5)
    #expect(fade.next(after: 1.5, .twoSteps) == nil)
  }

  @Test func `a key that comes back takes its tombstone's place`() {
    var browser = browser()
    browser.change(at: 10) { $0.remove(event(5)) }
    browser.change(at: 10.3) { $0.addEvent(5, title: "Back") }
    let words = browser.words(at: 10.4)
    #expect(words.filter { $0.contains("5") && !$0.contains("†") }.count >= 1)
    #expect(!words.contains { $0.contains("†") })
  }
}
