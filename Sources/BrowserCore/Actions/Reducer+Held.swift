import CoreData

/// Rows that are being edited stay as they are until the editor closes.
extension BrowserState {
  /// Shows the changes of rows that are not being edited any more.
  mutating func releaseHeld() -> [Effect] {
    releaseHeldRows()
    let effects = live.owesReading && editor == nil ? rereadList() : []
    guard inspector.isOutdated, let key = inspector.key, !isHeld(key) else { return effects }
    inspector.isOutdated = false
    return effects + [.record(key)]
  }

  private mutating func releaseHeldRows() {
    guard var list else { return }
    let free = list.heldRows.keys.filter { !isHeld($0) }
    let ghosts = list.slides.ghosts.indices.filter {
      list.slides.ghosts[$0].since == nil && !isHeld(list.slides.ghosts[$0].row.key)
    }
    guard !free.isEmpty || !ghosts.isEmpty else { return }
    for key in free {
      guard let held = list.heldRows.removeValue(forKey: key),
        let index = list.buffer.rows.firstIndex(where: { $0.key == key })
      else { continue }
      let old = list.buffer.rows[index]
      list.buffer.rows[index] = held.row
      list.widen(for: [held.row])
      var cells: [String: CellValue] = [:]
      for (column, (before, after)) in zip(list.columns, zip(old.cells, held.row.cells)) where before != after {
        cells[column.name] = before
      }
      if !cells.isEmpty { marks.set(Mark(kind: held.kind, since: now, old: cells), for: key) }
    }
    for index in ghosts { list.slides.ghosts[index].since = now }
    self.list = list
  }

  /// How many changes of an object wait until its editor is closed.
  func heldChanges(of key: ObjectKey) -> Int {
    let rows = list?.heldRows[key]?.count ?? 0
    let ghosts = list?.slides.ghosts.count { $0.row.key == key && $0.since == nil } ?? 0
    return rows + ghosts
  }

  /// Why a deleted row takes no commands; `nil` where none is selected.
  var fallenReason: String? {
    guard let list, let fallen = list.slides.fallen else { return nil }
    let ghost = list.slides.ghosts.firstIndex { $0.row.key == fallen && $0.kind == .delete }
    return ghost.map { list.reason(ofGhost: $0) }
  }
}
