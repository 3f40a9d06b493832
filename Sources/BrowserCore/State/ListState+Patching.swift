import CoreData

/// Where rows that stay come to stand, by FRC.md's arithmetic: what goes is taken out, then what comes is put in.
struct RowShifts {
  private let removed: [Int]
  private let added: [Int]

  init(_ changes: ListChanges) {
    removed = (changes.deletes.map(\.position) + changes.moves.map(\.from)).sorted()
    added = (changes.inserts.map(\.position) + changes.moves.map(\.to)).sorted()
  }

  /// The new position of a row that stays, or of the next one that stays after a row that goes.
  func position(of old: Int) -> Int {
    let rank = old - removed.partitioningIndex { $0 >= old }
    var (low, high) = (0, added.count)
    while low < high {
      let middle = (low + high) / 2
      if added[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }
}

/// How an update is to be shown.
struct PatchContext {
  var now: Double
  var height: Int
  var level: AnimationLevel
  /// Whether rows are neither washed nor slid.
  var isStorm = false
  /// Objects whose rows wait, since they are being edited.
  var isHeld: (ObjectKey) -> Bool = { _ in false }
}

/// What an update asks for beside the list itself.
struct Patch {
  var marks: [ObjectKey: Mark] = [:]
  var requests: [WindowRequest] = []
}

extension ListState {
  /// Takes the next state of the list in: the selected object stays selected and on its line of the screen.
  ///
  /// Where the rows at hand do not suffice, the window is read anew around the selected object.
  mutating func apply(_ update: ListUpdate, _ context: PatchContext) -> Patch {
    let old = self
    keys = update.keys
    stageTwo = .done
    revision += 1
    extending = []
    find?.positions = nil
    hold(update, context)
    var patch = Patch(marks: marks(of: update, context))
    let shifts = RowShifts(update.list)
    let line = old.slides.eye ?? max(0, old.cursor - old.top)
    guard let rows = patched(update, shifts, context), select(among: rows, after: old, update, shifts) else {
      patch.requests = reread(near: old.buffer.position.map { shifts.position(of: $0 + old.cursor) }, context.height)
      // What is on screen stays until the rows come; where it lies is not known any more.
      if replacing != nil { buffer.position = nil }
      return patch
    }
    buffer = rows
    top = max(0, cursor - line)
    slide(old, update, context)
    slides.eye = slides.isEmpty ? nil : line
    widen(for: buffer.rows.filter { update.rows[$0.key] != nil })
    patch.requests = settle(height: context.height)
    countBeyond(old, update, context)
    return patch
  }

  /// Keeps the rows back that are being edited.
  private mutating func hold(_ update: ListUpdate, _ context: PatchContext) {
    let steps = update.list.updates.map { ($0, Mark.Kind.update) } + update.list.moves.map { ($0, .move) }
    for (step, kind) in steps where context.isHeld(step.key) {
      guard let row = update.rows[step.key] else { continue }
      let count = heldRows[step.key]?.count ?? 0
      heldRows[step.key] = HeldRow(row: row, kind: kind, count: count + 1)
    }
  }

  /// The rows at hand as they are after an update; `nil` when some are missing.
  private func patched(_ update: ListUpdate, _ shifts: RowShifts, _ context: PatchContext) -> RowBuffer? {
    guard let start = buffer.position else { return nil }
    let gone = Set(update.list.deletes.map(\.key) + update.list.moves.map(\.key))
    let staying = buffer.rows.indices.filter { !gone.contains(buffer.rows[$0].key) }
    var known: [ObjectKey: ListRow] = [:]
    for row in buffer.rows { known[row.key] = row }
    let keys = update.keys
    func row(at position: Int) -> ListRow? {
      let key = keys[position]
      if context.isHeld(key), let row = known[key] { return row }
      return update.rows[key] ?? known[key]
    }
    var from = min(shifts.position(of: start + (staying.first ?? cursor)), keys.count)
    var end = from
    var rows: [ListRow] = []
    if let first = staying.first, let last = staying.last {
      end = shifts.position(of: start + last) + 1
      guard end <= keys.count, keys[from] == buffer.rows[first].key else { return nil }
      for position in from..<end {
        guard let row = row(at: position) else { return nil }
        rows.append(row)
      }
      guard keys[end - 1] == buffer.rows[last].key else { return nil }
    }
    let most = rows.count + ListUpdate.rowLimit
    while end < keys.count, rows.count < most, let row = row(at: end) {
      rows.append(row)
      end += 1
    }
    while from > 0, rows.count < most, let row = row(at: from - 1) {
      rows.insert(row, at: 0)
      from -= 1
    }
    if rows.isEmpty, keys.count > 0 { return nil }
    return RowBuffer(rows: rows, reachesStart: from == 0, reachesEnd: end == keys.count, position: from)
  }

  /// Selects the object that was selected, or the one after it; false when that is not at hand.
  private mutating func select(
    among rows: RowBuffer, after old: ListState, _ update: ListUpdate, _ shifts: RowShifts
  ) -> Bool {
    guard let start = old.buffer.position, let first = rows.position else { return false }
    guard old.buffer.rows.indices.contains(old.cursor) else {
      cursor = 0
      return true
    }
    let key = old.buffer.rows[old.cursor].key
    if old.slides.fallen == nil || !update.list.moves.contains(where: { $0.key == key }),
      let index = rows.rows.firstIndex(where: { $0.key == key })
    {
      cursor = index
      return true
    }
    let wasDeleted = update.list.deletes.contains { $0.key == key }
    // An object that moved out of the rows at hand is followed.
    guard wasDeleted || old.slides.fallen != nil else { return false }
    let next = shifts.position(of: start + old.cursor) - first
    guard next >= 0, next < rows.rows.count || rows.reachesEnd else { return false }
    cursor = max(0, min(next, rows.rows.count - 1))
    return true
  }

  /// The request for the rows around the selected object, or else around a position; it keeps its line of the screen.
  mutating func reread(near position: Int?, _ height: Int) -> [WindowRequest] {
    guard let keys else { return [] }
    let line = max(0, min(slides.eye ?? (cursor - top), height - 1))
    // Where rows are on their way, the person is about to go there.
    if replacing != nil, !isQuiet { return [] }
    guard keys.count > 0 else {
      buffer = RowBuffer(reachesStart: true, reachesEnd: true, position: 0)
      (cursor, top, replacing, isQuiet) = (0, 0, nil, false)
      return []
    }
    let selected = slides.fallen == nil ? selectedRow.flatMap { keys.position(of: $0.key) } : nil
    let target = max(0, min(selected ?? position ?? buffer.position.map { $0 + cursor } ?? 0, keys.count - 1))
    let owed = owed
    let limit = Self.limit(height: height)
    let from = max(0, min(target - limit / 2, keys.count - limit))
    let range = from..<min(keys.count, from + limit)
    var request = replace(.row(target - from, line: line), place: .keys(keys[range]), height: height)
    request.range = range
    (self.owed, isQuiet) = (owed, true)
    return [request]
  }

  /// Whether the rows at hand are those that the keys tell at their positions.
  var isConsistent: Bool {
    guard let keys else { return true }
    guard let start = buffer.position, start + buffer.rows.count <= keys.count else { return buffer.rows.isEmpty }
    if buffer.reachesEnd, start + buffer.rows.count != keys.count { return false }
    return buffer.rows.indices.allSatisfy { keys[start + $0] == buffer.rows[$0].key }
  }
}
