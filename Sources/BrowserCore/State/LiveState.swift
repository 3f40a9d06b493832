import CoreData
import Foundation

/// How the store is followed, and what has come in.
struct LiveState: Equatable, Sendable {
  /// A change that waits to be shown.
  enum Waiting: Equatable, Sendable {
    case store(StoreChanges)
    case list(Int, ListUpdate)
    /// More steps of a list than are kept: its rows are to be read again.
    case reload(Int, KeyList)
  }

  /// More steps of a list are not kept while they wait.
  static let mostSteps = 100

  /// How the store is followed; `nil` until that is told.
  var liveness: StoreLiveness?
  /// Whether changes are held until the person goes on.
  var isPaused = false
  /// Changes that wait for the end of a pause or for their frame, in the order they came.
  var waiting: [Waiting] = []
  /// Changes of the store and of the list that come before these instants join one frame.
  var storeGate = 0.0
  var listGate = 0.0
  /// When the last change was noticed.
  var lastChange: Date?
  /// How many objects changed since the store was opened.
  var changeCount = 0
  /// When batches came in during the last second, of the list and of the store.
  var listArrivals: [Double] = []
  var storeArrivals: [Double] = []
  /// Many changes at once.
  var storm: Storm?
  /// Whether the list is to be read again when the editor closes, for it cannot be told what changed in it.
  var owesReading = false
  /// When the live light pulsed.
  var pulse: Double?
  /// What happened, newest first.
  var activity: [Activity] = []
  /// What happened to the objects of each entity a moment ago.
  var badges: [String: Badge] = [:]
  /// When each entity's objects were counted.
  var countedAt: [String: Double] = [:]
  /// Entities to count again, for something changed while they were counted.
  var recount: Set<String> = []

  /// Lets a step of a list wait.
  mutating func wait(_ update: ListUpdate, of id: Int) {
    var steps = 0
    for waiting in waiting {
      switch waiting {
      case .list: steps += 1
      case .reload: steps += Self.mostSteps
      case .store: break
      }
    }
    guard steps >= Self.mostSteps else { return waiting.append(.list(id, update)) }
    waiting.removeAll { if case .store = $0 { false } else { true } }
    waiting.append(.reload(id, update.keys))
  }

  /// How many objects are in the changes that are held.
  var heldCount: Int {
    waiting.reduce(0) { sum, waiting in
      if case .store(let changes) = waiting { return sum + changes.changes.count }
      return sum
    }
  }

  /// The pulse of the live light.
  var lightFade: Fade? {
    pulse.map { Fade(since: $0, hold: Timing.pulse.hold, fade: Timing.pulse.fade) }
  }

  /// Notes a batch, and tells whether they come in faster than twenty a second.
  static func note(_ now: Double, in arrivals: inout [Double]) -> Bool {
    arrivals.removeAll { $0 <= now - 1 }
    arrivals.append(now)
    return arrivals.count > 20
  }
}

/// Many changes at once: counted, not shown one by one.
struct Storm: Equatable, Sendable {
  /// A larger share of the rows on screen makes a storm.
  static let share = 0.3
  /// So few rows never do.
  static let least = 3

  /// When the last stormy batch came.
  var last: Double
  var tally = Tally()

  var end: Double { last + Timing.calm }
}

/// What happened to the objects of an entity a moment ago.
struct Badge: Equatable, Sendable {
  var since: Double
  var tally = Tally()

  var fade: Fade { Fade(since: since, hold: Timing.badge.hold, fade: Timing.badge.fade) }
  /// What the badge means as a whole.
  var kind: Mark.Kind {
    tally.inserts >= tally.deletes ? (tally.inserts > 0 ? .insert : .update) : .delete
  }
}
