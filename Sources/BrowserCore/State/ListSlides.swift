import CoreData

/// A row that is no longer at its place, shown a moment longer.
struct Ghost: Equatable, Sendable {
  enum Phase: Equatable, Sendable { case text, gap, gone }

  /// The row as it was.
  var row: ListRow
  /// `delete` or `move`.
  var kind: Mark.Kind
  /// How many rows of the buffer come before it.
  var at: Int
  /// When its object went; `nil` while that waits for an editor to close.
  var since: Double?
  /// Rows that close one after another wait for those before.
  var delay = 0.0

  /// When its text goes and its gap begins to close.
  var closes: Double? {
    since.map { $0 + (kind == .delete ? Timing.tombstone : Timing.moveCloses) + delay }
  }

  /// When nothing is left of it.
  func end(_ level: AnimationLevel) -> Double? { closes.map { level == .off ? $0 : $0 + Timing.step } }

  func phase(at now: Double, _ level: AnimationLevel) -> Phase {
    guard let closes, let end = end(level) else { return .text }
    if now + Timing.grain < closes { return .text }
    return now + Timing.grain < end ? .gap : .gone
  }
}

/// Changes that happened beyond the edges of the viewport, until somebody looks there.
struct Beyond: Equatable, Sendable {
  var above = 0
  var below = 0
  /// What moved beyond an edge, where it was one object that was in sight.
  var named: String?
  var since = 0.0

  var isEmpty: Bool { above == 0 && below == 0 }
  var end: Double { since + Timing.edge }
}

/// What is sliding in a list: rows that go, gaps that open, and where the eye stays meanwhile.
struct Slides: Equatable, Sendable {
  /// Rows that went, in the order they stand on screen.
  var ghosts: [Ghost] = []
  /// When the gaps of rows that came open.
  var openings: [ObjectKey: Double] = [:]
  /// The line on which the selection stays while rows above it come and go.
  var eye: Int?
  /// The selected object where it was deleted and still stands there.
  var fallen: ObjectKey?

  var isEmpty: Bool { ghosts.isEmpty && openings.isEmpty }

  /// Forgets what has come to rest.
  mutating func expire(at now: Double, _ level: AnimationLevel) {
    ghosts.removeAll { $0.phase(at: now, level) == .gone }
    if !openings.isEmpty { openings = openings.filter { $0.value + Timing.step > now + Timing.grain } }
    if let fallen, !ghosts.contains(where: { $0.row.key == fallen && $0.kind == .delete }) { self.fallen = nil }
    if isEmpty { eye = nil }
  }

  /// Rows were added at or taken from the start of the buffer.
  mutating func shift(by rows: Int) {
    for index in ghosts.indices { ghosts[index].at = max(0, ghosts[index].at + rows) }
  }
}

/// A row whose change waits until its editor is closed.
struct HeldRow: Equatable, Sendable {
  var row: ListRow
  var kind: Mark.Kind
  /// How many changes wait.
  var count = 1
}
