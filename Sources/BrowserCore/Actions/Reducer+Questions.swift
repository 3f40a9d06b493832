import CoreData
import CoreDataKit

extension BrowserState {
  /// Yes to the question on screen.
  mutating func confirm() -> [Effect] {
    guard case .question(let question) = overlay else { return [] }
    switch question {
    case .unlock:
      overlay = nil
      message = Message(text: "Unlocking…")
      editing.lock = .unlocking
      return [.editing(.unlock)]
    case .delete(let keys, _, let preview):
      // What is not known yet is not agreed to.
      guard let preview, !preview.isDenied else { return [] }
      overlay = nil
      return perform(.delete(keys))
    case .discard:
      overlay = nil
      return perform(.discard)
    case .recovery(let state):
      overlay = nil
      if editing.lock == .unlocked { return perform(.restore(state)) }
      let isUnderWay = editing.lock == .unlocking
      editing.lock = .unlocking
      return perform(.restore(state)) + (isUnderWay ? [] : [.editing(.unlock)])
    case .leave: return []
    }
  }

  /// No to the question on screen, for good.
  mutating func decline() -> [Effect] {
    guard case .question(.recovery) = overlay else { return dismissOverlay() }
    overlay = nil
    return perform(.discard)
  }

  /// Esc: the question is asked again another time, and nothing has happened.
  mutating func dismissOverlay() -> [Effect] {
    defer { overlay = nil }
    switch overlay {
    case .question(.unlock): editing.afterUnlock = nil
    case .question(.delete): return [.cancel([.preview])]
    case .question(.recovery(let state)):
      message = Message(text: "The edits of \(Self.objects(state.objects.count)) are kept for the next start.")
    case .conflict: message = Message(text: "Nothing was saved; the edits wait.")
    default: break
    }
    return []
  }

  /// The end of the program, unless edits wait.
  mutating func quit() -> [Effect] {
    guard pendingCount > 0 else { return [.quit] }
    overlay = .question(.leave)
    return []
  }

  mutating func leave(_ way: EditIntent.Leaving) -> [Effect] {
    overlay = nil
    switch way {
    case .keep: return [.quit]
    case .save, .discard:
      editing.quitsWhenDone = true
      return perform(way == .save ? .save : .discard)
    }
  }

  // MARK: Conflicts

  mutating func changeConflict(_ change: (inout ConflictState) -> Void) {
    guard case .conflict(var shown) = overlay else { return }
    change(&shown)
    overlay = .conflict(shown)
  }

  /// Saves with the sides taken, once there is one for every property.
  mutating func resolve() -> [Effect] {
    guard case .conflict(let shown) = overlay else { return [] }
    guard shown.openCount == 0 else { return [] }
    overlay = nil
    return perform(.resolve(shown.sides))
  }
}
