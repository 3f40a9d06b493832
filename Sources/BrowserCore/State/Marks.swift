import CoreData
import TextCanvas

/// How long things are seen, in seconds (UI.md, "Changes animate in").
enum Timing {
  /// One step of a gap that opens or closes.
  static let step = 0.05
  /// More rows than this come or go as one step.
  static let slidesAtMost = 8
  /// Changes that follow the first one of a quiet list within this time join one frame.
  static let gather = 0.1
  /// The glyph in the gutter.
  static let glyph = 5.0
  /// A deleted row stays, taking no commands.
  static let tombstone = 0.9
  /// The old place of a moved row closes as its new place opens.
  static let moveCloses = 0.05
  /// Counts at the edges, unless somebody looks there first.
  static let edge = 6.0
  /// Calm, after a storm.
  static let calm = 1.5
  /// One pulse of the live light.
  static let pulse = (hold: 0.3, fade: 0.8)
  /// Badges in the sidebar.
  static let badge = (hold: 0.7, fade: 1.2)
  /// Instants closer than this are the same: sums of seconds are not exact.
  static let grain = 1e-6
}

/// How much of the motion is shown.
enum AnimationLevel: Equatable, Sendable {
  /// Marks appear and disappear without steps.
  case off
  /// Fades have two steps, where there are few colours.
  case twoSteps
  /// Fades have eight steps.
  case full

  /// The steps of a fade; none when marks go at once.
  var steps: Int {
    switch self {
    case .off: 0
    case .twoSteps: 2
    case .full: 8
    }
  }
}

/// A hold at full strength and a fade to nothing, as a function of time.
struct Fade: Equatable, Sendable {
  var since: Double
  var hold: Double
  var fade: Double

  var end: Double { since + hold + fade }

  /// What is left, from 8 (all) to 0 (nothing).
  func strength(at now: Double, _ level: AnimationLevel) -> UInt8 {
    let age = now - since + Timing.grain
    if age >= hold + fade { return 0 }
    guard age >= hold, level.steps > 0, fade > 0 else { return 8 }
    let steps = Double(level.steps)
    return UInt8(((1 - (age - hold) / fade) * steps).rounded(.up) * 8 / steps)
  }

  /// When it next looks different; `nil` once it is over.
  func next(after now: Double, _ level: AnimationLevel) -> Double? {
    if now + Timing.grain >= end { return nil }
    guard level.steps > 0 else { return end }
    let steps = Double(level.steps)
    let passed = max(0, (now + Timing.grain - since - hold) / fade * steps).rounded(.down)
    return since + hold + (passed + 1) * fade / steps
  }
}

/// That an object changed, until it has been seen.
///
/// A new change of the object replaces it.
struct Mark: Equatable, Sendable {
  enum Kind: Hashable, Sendable {
    case insert, update, delete, move
  }

  var kind: Kind
  /// When it began, in seconds of the session's clock.
  var since: Double
  /// Whether only the glyph is shown: an own edit, or one of a storm.
  var isSoft = false
  /// The changed cells as they were, by property.
  var old: [String: CellValue] = [:]

  /// The wash; `nil` where only the glyph is shown.
  var fade: Fade? {
    if isSoft { return nil }
    switch kind {
    case .insert: return Fade(since: since, hold: 0.7, fade: 1.2)
    case .update: return Fade(since: since, hold: 0.5, fade: 1.0)
    case .delete: return Fade(since: since, hold: Timing.tombstone, fade: 0)
    case .move: return Fade(since: since, hold: 0.2, fade: 0.1)
    }
  }

  /// When nothing of it is seen any more.
  var end: Double { since + Timing.glyph }
}

extension Mark.Kind {
  /// What it means, for text and wash.
  var role: Role {
    switch self {
    case .insert: .added
    case .update: .changed
    case .delete: .removed
    case .move: .moved
    }
  }

  /// What stands in the gutter.
  var glyph: String {
    switch self {
    case .insert: "+"
    case .update: "~"
    case .delete: "-"
    case .move: "↕"
    }
  }
}

/// The marks of all objects that changed lately, and what their values were.
struct Marks: Equatable, Sendable {
  /// What is kept of values that were, so that a day of changes takes no memory to speak of.
  static let mostRemembered = 500

  private(set) var objects: [ObjectKey: Mark] = [:]
  private var was: [ObjectKey: [String: CellValue]] = [:]
  private var order: [ObjectKey] = []

  subscript(key: ObjectKey) -> Mark? { objects[key] }

  /// The changed values of an object as they were before its last change, by property.
  func was(_ key: ObjectKey) -> [String: CellValue] { was[key] ?? [:] }

  /// A new change replaces the mark of its object.
  mutating func set(_ mark: Mark, for key: ObjectKey) {
    objects[key] = mark
    remember(mark.old, of: key)
  }

  /// Keeps the values that were until the next change of the object.
  mutating func remember(_ values: [String: CellValue], of key: ObjectKey) {
    if values.isEmpty {
      was[key] = nil
      return
    }
    if was.updateValue(values, forKey: key) == nil { order.append(key) }
    while order.count > Self.mostRemembered { was[order.removeFirst()] = nil }
  }

  /// Keeps the values that differ between two readings of an object.
  mutating func remember(_ old: RecordDetail, changedTo new: RecordDetail) {
    var values: [String: CellValue] = [:]
    for (before, after) in zip(old.fields, new.fields)
    where before.property == after.property && before.value != after.value {
      values[before.property.name] = before.value
    }
    if !values.isEmpty { remember(values, of: new.key) }
  }

  /// Forgets marks that are not seen any more.
  mutating func expire(at now: Double) {
    guard objects.contains(where: { $0.value.end <= now + Timing.grain }) else { return }
    objects = objects.filter { $0.value.end > now + Timing.grain }
  }

  mutating func removeAll() { objects = [:] }
}
