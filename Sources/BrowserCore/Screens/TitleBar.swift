import TextCanvas

/// The line at the top: the program, the file, how it is read, where its model came from, and the lock.
enum TitleBar {
  static func draw(_ state: BrowserState, in rect: Rect, into canvas: inout Canvas) {
    canvas.fill(rect, style: Style(.bar, wash: .bar))
    let lock = lock(state)
    let name = SafeText.visible(state.outline?.name ?? state.storeName)
    // What is least missed goes first when the line is short.
    var parts: [(weight: Int, piece: Piece)] = [
      (1, Piece("storebrowser", Style(.accent, wash: .bar, [.bold]))),
      (4, Piece(name, Style(.title, wash: .bar, [.bold]))),
    ]
    if let outline = state.outline {
      if let access = access(outline.access) { parts.append((3, Piece(access, Style(.warning, wash: .bar)))) }
      parts.append((2, Piece(SafeText.visible(outline.modelSource), Style(.dim, wash: .bar))))
    }
    let room = rect.width - 2 - (lock.isEmpty ? 0 : lock.width + 3)
    while parts.count > 1, width(of: parts.map(\.piece)) > room,
      let least = parts.indices.min(by: { parts[$0].weight < parts[$1].weight })
    {
      parts.remove(at: least)
    }
    let gap = Piece("   ", Style(.bar, wash: .bar))
    let pieces = parts.map(\.piece).reduce(into: [Piece]()) { $0 += $0.isEmpty ? [$1] : [gap, $1] }
    let line = rect.inset(horizontal: 1, vertical: 0)
    canvas.write(pieces, in: line)
    if lock.width + 4 < rect.width { canvas.write(lock, in: line.trailing(lock.width).part) }
  }

  private static func width(of pieces: [Piece]) -> Int { pieces.width + 3 * max(0, pieces.count - 1) }

  /// How the file is read, where that is not simply in place.
  private static func access(_ access: StoreAccess) -> String? {
    switch access {
    case .inPlace: nil
    case .snapshot: "snapshot"
    case .copy: "copy"
    }
  }

  private static func lock(_ state: BrowserState) -> [Piece] {
    guard let outline = state.outline else { return [] }
    return [Piece(outline.isReadOnly ? "read-only" : "locked", Style(.locked, wash: .bar))]
  }
}
