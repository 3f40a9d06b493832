import CoreData
import TextCanvas

/// The line at the top: the program, the file, how it is followed, where its model came from, the changes and the lock.
enum TitleBar {
  static func draw(_ state: BrowserState, in rect: Rect, into canvas: inout Canvas) {
    let wash = LockBadge.bar(state)
    canvas.fill(rect, style: Style(.bar, wash: wash))
    let lock = changes(state) + LockBadge.pieces(state)
    let name = SafeText.visible(state.outline?.name ?? state.storeName)
    // What is least missed goes first when the line is short.
    var parts: [(weight: Int, piece: Piece)] = [
      (1, Piece("storebrowser", Style(.accent, wash: wash, [.bold]))),
      (4, Piece(name, Style(.title, wash: wash, [.bold]))),
    ]
    if let outline = state.outline {
      parts += light(state, outline).map { ($0.weight, $0.piece) }
      parts.append((2, Piece(SafeText.visible(outline.modelSource), Style(.dim, wash: wash))))
    }
    let room = rect.width - 2 - (lock.isEmpty ? 0 : lock.width + 3)
    while parts.count > 1, width(of: parts.map(\.piece)) > room,
      let least = parts.indices.min(by: { parts[$0].weight < parts[$1].weight })
    {
      parts.remove(at: least)
    }
    let gap = Piece("   ", Style(.bar, wash: wash))
    let pieces = parts.map(\.piece).reduce(into: [Piece]()) { $0 += $0.isEmpty ? [$1] : [gap, $1] }
    let line = rect.inset(horizontal: 1, vertical: 0)
    canvas.write(pieces, in: line)
    if lock.width + 4 < rect.width { canvas.write(lock, in: line.trailing(lock.width).part) }
  }

  private static func width(of pieces: [Piece]) -> Int { pieces.width + 3 * max(0, pieces.count - 1) }

  /// How the store is followed, and when it last changed: `● live 12:04:31`.
  private static func light(_ state: BrowserState, _ outline: StoreOutline) -> [(weight: Int, piece: Piece)] {
    guard let (text, role) = words(state, outline) else { return [] }
    var style = Style(role, wash: LockBadge.bar(state))
    if let fade = state.live.lightFade {
      let strength = fade.strength(at: state.now, state.animation)
      if strength > 0 { style = Style(role, wash: .added, strength: strength, [.bold]) }
    }
    guard let date = state.live.lastChange, let time = CivilTime(date, in: state.zone) else {
      return [(3, Piece(text, style))]
    }
    return [(3, Piece("\(text) \(time.clock)", style))]
  }

  private static func words(_ state: BrowserState, _ outline: StoreOutline) -> (String, Role)? {
    if state.live.isPaused {
      let held = state.live.heldCount
      return ("◌ paused" + (held > 0 ? " (\(ValueFormatter.grouped(held)) held)" : ""), .warning)
    }
    switch state.live.liveness {
    case .live: return ("● live", .added)
    case .polling(let reason): return ("◌ polling (\(SafeText.visible(reason)))", .warning)
    case .snapshot: return ("snapshot", .warning)
    case .copy: return ("copy", .warning)
    case .disconnected(let reason): return ("✗ disconnected: \(SafeText.visible(reason))", .error)
    case nil:
      switch outline.access {
      case .inPlace: return nil
      case .snapshot: return ("snapshot", .warning)
      case .copy: return ("copy", .warning)
      }
    }
  }

  /// How many objects changed since the store was opened.
  private static func changes(_ state: BrowserState) -> [Piece] {
    let count = state.live.changeCount
    guard count > 0, state.size.width >= 80 else { return [] }
    let noun = count == 1 ? "change" : "changes"
    let wash = LockBadge.bar(state)
    return [
      Piece(ValueFormatter.grouped(count), Style(.number, wash: wash)), Piece(" \(noun)   ", Style(.dim, wash: wash)),
    ]
  }
}
