import BrowserTestSupport
import CoreData
import Foundation
import Testing
import TextCanvas

@testable import BrowserCore

/// Whole screens at the beginning, a quarter, half and the end of each kind of change.
@MainActor @Suite struct AnimationScreenTests {
  /// A change, and how long it is seen.
  enum Scene: String, CaseIterable, CustomTestStringConvertible {
    case insert, update, delete, move, storm

    var testDescription: String { rawValue }

    /// The time after which nothing of the wash or the motion is left.
    var duration: Double {
      switch self {
      case .insert: 1.9
      case .update: 1.5
      case .delete: 0.95
      case .move: 0.3
      case .storm: 1.5
      }
    }

    /// The instants shown: for what comes and goes within frames, the frames; for the rest, the quarters.
    var instants: [(name: String, seconds: Double)] {
      switch self {
      case .delete: [("0", 0), ("1-4", 0.9), ("1-2", 0.95), ("1", 5)]
      case .move: [("0", 0), ("1-4", 0.05), ("1-2", 0.15), ("1", 0.3)]
      default: [("0", 0), ("1-4", duration / 4), ("1-2", duration / 2), ("1", duration)]
      }
    }

    func apply(_ store: inout FakeStore) {
      switch self {
      case .insert:
        // One in sight, one beyond the lower edge.
        store.addEvent(50, title: "Afterparty", priority: 9)
        store.addEvent(51, title: "Zoo visit", priority: 95)
      case .update:
        store.set(event(8), "priority", .integer(-12))
        store.set(event(8), "rating", .real(4.5))
        store.set(event(12), "title", text: "Sold out")
        store.set(event(5), "priority", .integer(12))
        store.set(event(5), "summary", text: "Sold out")
      case .delete:
        let keys = store.ordered(ListQuery(entity: "Event", sort: [ListSortKey("priority")]))
        for key in keys[3...4] { store.remove(key) }
      case .move:
        let keys = store.ordered(ListQuery(entity: "Event", sort: [ListSortKey("priority")]))
        store.set(keys[8], "priority", .integer(-1))
        store.set(keys[7], "priority", .integer(99))
      case .storm:
        for number in 1...30 { store.set(event(number), "rating", .real(Double(number))) }
        for number in 100...160 { store.addEvent(number, title: "Imported \(number)", priority: number) }
        store.remove(event(40))
      }
    }
  }

  nonisolated static let sizes = [Size(width: 80, height: 24), Size(width: 120, height: 36)]

  @Test(arguments: Scene.allCases, sizes)
  func `changes look as their golden files show them at every quarter`(scene: Scene, size: Size) async throws {
    let browser = try BrowserUnderTest(size: size)
    await browser.rest()
    if scene != .update { await browser.type("ls") }
    await browser.type("jjjj")
    await browser.wait(1)
    browser.service.change(by: "importer", date: Date(timeIntervalSinceReferenceDate: 43_471), scene.apply)
    let start = browser.clock.now
    await browser.quiet()
    for (name, seconds) in scene.instants {
      await browser.wait(max(0, start + seconds - browser.clock.now))
      let mismatch = Golden.mismatch(
        browser.terminal.canvas, cursor: browser.terminal.cursor, name: "\(scene.rawValue)-at-\(name)",
        beside: #filePath)
      if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
    }
    await browser.rest()
    let list = browser.session.state.list
    let fresh = browser.service.store.ordered(list?.query ?? ListQuery(entity: ""))
    #expect(list?.keys == KeyList(fresh))
    #expect(browser.session.isIdle)
  }
}
