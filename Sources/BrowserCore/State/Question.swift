import CoreData
import CoreDataKit

/// Something a person is asked before it happens.
enum Question: Equatable, Sendable {
  /// Whether the store may be edited.
  case unlock
  /// Whether objects are deleted; what that takes along, once it is known.
  case delete([ObjectKey], title: String, DeletePreview?)
  /// Whether the edits of several objects are forgotten.
  case discard
  /// What happens to pending edits at the end.
  case leave
  /// What happens to edits that an earlier run left.
  case recovery(EditState)

  /// Where the keys that answer it are.
  var scope: Command.Scope {
    switch self {
    case .unlock: .unlock
    case .delete: .delete
    case .discard: .discard
    case .leave: .leave
    case .recovery: .recovery
    }
  }
}

/// Objects that were changed both here and in the store, and whose values are taken.
struct ConflictState: Equatable, Sendable {
  /// A property, or the object as a whole where it is gone.
  struct Line: Hashable, Sendable {
    var object: Int
    /// An index into the object's fields; `nil` for an object that is gone.
    var field: Int?
  }

  var conflicts: [EditConflict]
  /// The sides taken, by object and property; "" stands for an object that is gone.
  private(set) var sides: [ObjectKey: [String: EditConflict.Side]] = [:]
  /// The selected line.
  var selected = 0

  /// Conflicts; where only one side changed a property, its value is taken.
  init(_ conflicts: [EditConflict]) {
    self.conflicts = conflicts
    for conflict in conflicts {
      sides[conflict.key] = [:]
      for field in conflict.fields where !conflict.isGone {
        if field.mine == field.theirs || field.theirs == field.base { sides[conflict.key]?[field.property] = .mine }
        if field.mine == field.base { sides[conflict.key]?[field.property] = .theirs }
      }
    }
    selected = lines.firstIndex { side(of: $0) == nil } ?? 0
  }

  /// The lines there is something to choose on, in order.
  var lines: [Line] {
    conflicts.indices.flatMap { object -> [Line] in
      if conflicts[object].isGone { return [Line(object: object, field: nil)] }
      return conflicts[object].fields.indices.map { Line(object: object, field: $0) }
    }
  }

  /// The side taken on a line; `nil` while it is open.
  func side(of line: Line) -> EditConflict.Side? {
    sides[conflicts[line.object].key]?[property(of: line)]
  }

  /// How many lines are open.
  var openCount: Int { lines.count { side(of: $0) == nil } }

  /// Takes a side on the selected line, and goes on to the next open one.
  mutating func choose(_ side: EditConflict.Side) {
    guard lines.indices.contains(selected) else { return }
    take(side, on: lines[selected])
    let order = Array(lines.indices[(selected + 1)...]) + Array(lines.indices[..<selected])
    if let next = order.first(where: { self.side(of: lines[$0]) == nil }) { selected = next }
  }

  /// Takes a side on all lines of the selected object, and goes on to the next open one.
  mutating func chooseAll(_ side: EditConflict.Side) {
    guard lines.indices.contains(selected) else { return }
    let object = lines[selected].object
    for line in lines where line.object == object { take(side, on: line) }
    if let next = lines.indices.first(where: { self.side(of: lines[$0]) == nil }) { selected = next }
  }

  private func property(of line: Line) -> String {
    line.field.map { conflicts[line.object].fields[$0].property } ?? ""
  }

  private mutating func take(_ side: EditConflict.Side, on line: Line) {
    sides[conflicts[line.object].key, default: [:]][property(of: line)] = side
  }
}
