import CoreData
import Foundation

/// One line of what happened: when, who, how much, and to what.
struct Activity: Equatable, Sendable {
  /// Changes of one author that follow within this time are told as one.
  static let together = 2.0
  /// More lines than this are forgotten, oldest first.
  static let most = 20

  var date: Date
  /// `you`, the author that history tells, or `outside`.
  var author: String
  var tally = Tally()
  /// The entities' names, the most changed first.
  var entities: [String]
  /// How often each entity was changed.
  var weights: [String: Int]
  /// The one property that changed, where it was one object and one property.
  var property: String?

  /// The line of a change set; `nil` when nothing changed.
  init?(_ changes: StoreChanges, entityName: (ObjectKey) -> String) {
    guard !changes.isEmpty else { return nil }
    date = changes.date
    let isOwn = changes.changes.allSatisfy(\.isOwn)
    author = isOwn ? "you" : changes.transaction?.author ?? "outside"
    weights = [:]
    for change in changes.changes {
      tally.count(change.kind)
      weights[entityName(change.key), default: 0] += 1
    }
    entities = Self.ordered(weights)
    if changes.changes.count == 1, let change = changes.changes.first, change.kind == .update,
      let properties = change.properties, properties.count == 1
    {
      property = properties.keys.first
    }
  }

  private static func ordered(_ weights: [String: Int]) -> [String] {
    weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Takes a later line of the same author in.
  mutating func join(_ later: Activity) {
    date = later.date
    tally.add(later.tally)
    property = property == later.property && entities == later.entities ? property : nil
    weights.merge(later.weights, uniquingKeysWith: +)
    entities = Self.ordered(weights)
  }
}

/// How many objects came, changed and went.
struct Tally: Equatable, Sendable {
  var inserts = 0
  var updates = 0
  var deletes = 0

  var total: Int { inserts + updates + deletes }

  mutating func count(_ kind: StoreChanges.Change.Kind) {
    switch kind {
    case .insert: inserts += 1
    case .update: updates += 1
    case .delete: deletes += 1
    }
  }

  mutating func add(_ other: Tally) {
    inserts += other.inserts
    updates += other.updates
    deletes += other.deletes
  }

  /// The parts that are not zero: `+1,204`, `~88`, `-3`.
  var parts: [(text: String, kind: Mark.Kind)] {
    [("+", inserts, Mark.Kind.insert), ("~", updates, .update), ("-", deletes, .delete)]
      .filter { $0.1 > 0 }.map { ($0.0 + ValueFormatter.grouped($0.1), $0.2) }
  }
}
