import TextCanvas

/// What the title bar tells of editing: its colour, the lock, and how many objects wait to be saved.
enum LockBadge {
  /// The background of the bar.
  static func bar(_ state: BrowserState) -> Role { state.editing.lock == .unlocked ? .unlocked : .bar }

  static func pieces(_ state: BrowserState) -> [Piece] {
    guard let outline = state.outline else { return [] }
    let wash = bar(state)
    if outline.isReadOnly { return [Piece("read-only", Style(.locked, wash: wash))] }
    switch state.editing.lock {
    case .locked: return [Piece("locked", Style(.locked, wash: wash))]
    case .unlocking: return [Piece("unlocking…", Style(.locked, wash: wash))]
    case .unlocked: break
    }
    guard state.pendingCount > 0 else { return [Piece("unlocked", Style(.bar, wash: wash))] }
    return [Piece("● \(ValueFormatter.grouped(state.pendingCount)) unsaved", Style(.staged, wash: wash, [.bold]))]
  }
}
