import CoreData
import TextCanvas

extension ListState {
  /// The marks of the objects that an update tells of.
  func marks(of update: ListUpdate, _ context: PatchContext) -> [ObjectKey: Mark] {
    guard update.list.count <= ListUpdate.rowLimit else { return [:] }
    var changes: [ObjectKey: StoreChanges.Change] = [:]
    for change in update.changes.changes { changes[change.key] = change }
    var rows: [ObjectKey: ListRow] = [:]
    for row in buffer.rows { rows[row.key] = row }
    var marks: [ObjectKey: Mark] = [:]
    func add(_ kind: Mark.Kind, _ key: ObjectKey) {
      guard !context.isHeld(key) else { return }
      let change = changes[key]
      let old = kind == .insert ? [:] : differences(from: rows[key], to: update.rows[key], change)
      // An object that only shows something of another one did not change itself.
      if kind == .update, change == nil, old.isEmpty { return }
      let isSoft = context.isStorm || change?.isOwn == true
      marks[key] = Mark(kind: kind, since: context.now, isSoft: isSoft, old: old)
    }
    for place in update.list.inserts { add(.insert, place.key) }
    for step in update.list.updates { add(.update, step.key) }
    for step in update.list.moves { add(.move, step.key) }
    return marks
  }

  /// The cells that a change made other than they were, by property.
  private func differences(
    from old: ListRow?, to new: ListRow?, _ change: StoreChanges.Change?
  ) -> [String: CellValue] {
    guard let old, let new else { return [:] }
    var cells: [String: CellValue] = [:]
    for (index, column) in columns.enumerated()
    where old.cells.indices.contains(index) && new.cells.indices.contains(index) {
      guard old.cells[index] != new.cells[index] else { continue }
      if let properties = change?.properties {
        guard properties[column.name] != nil else { continue }
      } else if change == nil, column.property.kind.target != nil {
        continue
      }
      cells[column.name] = old.cells[index]
    }
    return cells
  }

  /// Lets rows that went stay a moment, and gaps for rows that came open; `self` has the new rows already.
  mutating func slide(_ old: ListState, _ update: ListUpdate, _ context: PatchContext) {
    let own = Set(update.changes.changes.lazy.filter(\.isOwn).map(\.key))
    let inserted = Set(update.list.inserts.map(\.key))
    let deleted = Set(update.list.deletes.map(\.key)).subtracting(inserted)
    let moved = Set(update.list.moves.map(\.key))
    carryGhosts(old, deleted: deleted, moved: moved, own: own, context)
    slides.ghosts.removeAll { inserted.contains($0.row.key) }
    openGaps(inserted, moved: moved, own: own, context)
    let selected = old.buffer.rows.indices.contains(old.cursor) ? old.buffer.rows[old.cursor].key : nil
    if old.slides.fallen == nil, let selected, deleted.contains(selected) { slides.fallen = selected }
    if let fallen = slides.fallen, !slides.ghosts.contains(where: { $0.row.key == fallen && $0.kind == .delete }) {
      slides.fallen = nil
    }
  }

  /// Brings ghosts to their places among the new rows, those that are new included.
  private mutating func carryGhosts(
    _ old: ListState, deleted: Set<ObjectKey>, moved: Set<ObjectKey>, own: Set<ObjectKey>, _ context: PatchContext
  ) {
    var indices: [ObjectKey: Int] = [:]
    for (index, row) in buffer.rows.enumerated() { indices[row.key] = index }
    var ghosts: [Ghost] = []
    var waiting: [Ghost] = []
    var carried = old.slides.ghosts[...]
    func flush(_ at: Int) {
      for var ghost in waiting {
        ghost.at = at
        ghosts.append(ghost)
      }
      waiting = []
    }
    for index in 0...old.buffer.rows.count {
      while let ghost = carried.first, ghost.at <= index {
        carried.removeFirst()
        let isReplaced = ghost.kind == .move && (moved.contains(ghost.row.key) || deleted.contains(ghost.row.key))
        if !isReplaced { waiting.append(ghost) }
      }
      guard index < old.buffer.rows.count else { break }
      let row = old.buffer.rows[index]
      let isVisible = index >= old.top && index < old.top + context.height
      let isSelected = index == old.cursor && old.slides.fallen == nil
      let isShown = isVisible && !context.isStorm && !own.contains(row.key)
      if deleted.contains(row.key) {
        if context.isHeld(row.key) {
          waiting.append(Ghost(row: row, kind: .delete, at: 0, since: nil))
        } else if isShown {
          waiting.append(Ghost(row: row, kind: .delete, at: 0, since: context.now))
        }
      } else if moved.contains(row.key) {
        if isShown, !isSelected, context.level != .off {
          waiting.append(Ghost(row: row, kind: .move, at: 0, since: context.now))
        }
      } else if let new = indices[row.key] {
        flush(new)
      }
    }
    flush(buffer.rows.count)
    let fresh = ghosts.indices.filter { ghosts[$0].since == context.now && ghosts[$0].kind == .delete }
    if fresh.count <= Timing.slidesAtMost, context.level != .off {
      for (number, index) in fresh.enumerated() { ghosts[index].delay = Double(number) * Timing.step }
    }
    slides.ghosts = ghosts
  }

  /// Rows that came into sight open their gaps one after another, or all at once where they are many.
  private mutating func openGaps(
    _ inserted: Set<ObjectKey>, moved: Set<ObjectKey>, own: Set<ObjectKey>, _ context: PatchContext
  ) {
    guard !context.isStorm, context.level != .off else { return }
    let visible = buffer.rows.indices.clamped(to: max(0, top)..<max(0, top) + context.height)
    let coming = visible.filter { inserted.contains(buffer.rows[$0].key) && !own.contains(buffer.rows[$0].key) }
    if coming.count <= Timing.slidesAtMost {
      for (number, index) in coming.enumerated() {
        slides.openings[buffer.rows[index].key] = context.now + Double(number) * Timing.step
      }
    }
    let selected = selectedRow?.key
    for index in visible {
      let key = buffer.rows[index].key
      if moved.contains(key), key != selected, !own.contains(key) { slides.openings[key] = context.now }
    }
  }

  /// Counts what happened beyond the edges of the viewport.
  mutating func countBeyond(_ old: ListState, _ update: ListUpdate, _ context: PatchContext) {
    guard let start = buffer.position, let oldStart = old.buffer.position else { return }
    let shown = start + top..<start + top + max(1, context.height)
    let shownBefore = oldStart + old.top..<oldStart + old.top + max(1, context.height)
    let own = Set(update.changes.changes.lazy.filter(\.isOwn).map(\.key))
    var (above, below) = (0, 0)
    func count(_ key: ObjectKey, _ position: Int, _ range: Range<Int>) {
      guard !own.contains(key) else { return }
      if position < range.lowerBound { above += 1 }
      if position >= range.upperBound { below += 1 }
    }
    for place in update.list.deletes { count(place.key, place.position, shownBefore) }
    for place in update.list.inserts { count(place.key, place.position, shown) }
    for step in update.list.updates { count(step.key, step.to, shown) }
    for step in update.list.moves { count(step.key, step.to, shown) }
    guard above + below > 0 else { return }
    let left = update.list.moves.filter { shownBefore.contains($0.from) && !shown.contains($0.to) }
    let isAlone = above + below == 1 && beyond.isEmpty
    beyond.named = isAlone && left.count == 1 ? old.title(of: left[0].key) : nil
    beyond.above += above
    beyond.below += below
    beyond.since = context.now
  }

  /// Why a row that is still shown takes no commands.
  func reason(ofGhost index: Int) -> String {
    guard slides.ghosts.indices.contains(index) else { return "The object is gone." }
    let ghost = slides.ghosts[index]
    let name = title(of: ghost.row).map { SafeText.visible($0) } ?? "The object"
    return ghost.kind == .delete ? "\(name) was deleted." : "\(name) has moved."
  }

  /// The display name of a row at hand: the first of name, title, label, the first string attribute.
  func title(of key: ObjectKey) -> String? {
    buffer.rows.first { $0.key == key }.flatMap { title(of: $0) }
  }

  /// The display name of a row, as far as the grid knows it.
  func title(of row: ListRow) -> String? {
    let strings = columns.indices.filter { columns[$0].property.kind == .string }
    let named = ["name", "title", "label"].compactMap { name in strings.first { columns[$0].name == name } }
    for index in named.prefix(1) + (named.isEmpty ? Array(strings.prefix(1)) : []) {
      if row.cells.indices.contains(index), case .text(let text, _) = row.cells[index] { return text }
    }
    return nil
  }
}
