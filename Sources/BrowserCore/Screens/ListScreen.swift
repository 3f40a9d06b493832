import CoreData
import TextCanvas

/// The list of objects: a heading, rows, and what is known of their number.
struct ListScreen {
  let state: BrowserState
  let pane: Rect
  let isFocused: Bool
  let formatter: ValueFormatter
  let pending: [ObjectKey: PendingRow]
  /// Whether a new object is selected instead of a row.
  let selectsNew: Bool
  private let match: TextMatch?

  init(_ state: BrowserState, pane: Rect) {
    self.state = state
    self.pane = pane
    isFocused = state.focus == .list
    formatter = state.formatter
    pending = state.pendingRows
    selectsNew = state.selectedNewObject != nil
    match = (state.list?.find?.text).map(TextMatch.init)
  }

  func draw(into canvas: inout Canvas) {
    var frame = Frame(number: 2, title: title, footer: footer, isFocused: isFocused)
    frame.corner = above
    frame.band = band
    frame.draw(in: pane, into: &canvas)
    guard let list = state.list else {
      Notice(lines: [Piece("No entities in this store", Style(.dim))]).draw(in: Layout.inside(pane), into: &canvas)
      return
    }
    let areas = state.listAreas(in: pane)
    let rows = areas.rows
    let arrangement = ColumnArrangement(list, width: rows.width - Layout.gutter)
    drawHeading(list, arrangement, into: &canvas)
    drawNew(areas, list, arrangement, into: &canvas)
    guard !list.buffer.rows.isEmpty || !list.slides.ghosts.isEmpty else {
      notice(list)?.draw(in: rows, into: &canvas)
      return
    }
    for (number, line) in AnimationPlan(state).lines.prefix(rows.height).enumerated() {
      draw(line, list, arrangement, in: rows.row(number), into: &canvas)
    }
    drawScrollbar(list, rows, into: &canvas)
  }

  // MARK: Frame

  private var title: [Piece] {
    guard let list = state.list else { return [Piece("Objects", Frame.name(isFocused: isFocused))] }
    let name = Frame.name(isFocused: isFocused)
    var pieces: [Piece] = []
    if list.trail.isEmpty {
      pieces.append(Piece(SafeText.visible(list.query.entity), name))
    } else {
      let steps = shortened(list.trail, width: max(8, pane.width - 16))
      for (index, step) in steps.enumerated() {
        if index > 0 { pieces.append(Piece(" › ", Style(.dim))) }
        pieces.append(Piece(step, index == steps.count - 1 ? name : Style(.dim)))
      }
    }
    let line = Piece(" ── ", Frame(number: 2, title: [], isFocused: isFocused).lines)
    let sort = list.query.sort.first.map {
      [line, Piece("\(SafeText.visible($0.key)) \($0.ascending ? "↑" : "↓")", Style(.dim))]
    }
    if let filter = list.filter {
      if let found { pieces += [line, Piece(found, Style(.dim))] }
      let room = pane.width - 9 - pieces.width - line.text.count - (sort?.width ?? 0)
      pieces += [line, Piece(CellWidth.fit(SafeText.visible(filter), columns: max(8, room)).text, Style(.accent))]
    }
    return pieces + (sort ?? [])
  }

  /// How many objects fulfil the filter, and of how many.
  private var found: String? {
    guard let list = state.list, let count = list.keys?.count else { return nil }
    guard list.query.scope == .all, let total = state.total(of: list.query.entity) else {
      return ValueFormatter.grouped(count)
    }
    return "\(ValueFormatter.grouped(count)) of \(ValueFormatter.grouped(total))"
  }

  /// The last steps of the way that fit, with `…` for those before.
  private func shortened(_ trail: [String], width: Int) -> [String] {
    var steps = trail
    func columns() -> Int { steps.reduce(-3) { $0 + 3 + CellWidth.width(of: $1) } }
    while columns() > width, steps.count > 2 {
      steps.removeFirst(steps[0] == "…" ? 2 : 1)
      steps.insert("…", at: 0)
    }
    return steps
  }

  private var footer: [Piece] {
    guard let list = state.list, !list.awaitsFirstRows, list.failure == nil else { return [] }
    if list.isEmpty { return [] }
    let count = state.listCount.map(ValueFormatter.grouped)
    let position = state.selectedPosition.map { ValueFormatter.grouped($0 + 1) }
    let gap = below.isEmpty ? [] : [Piece(" ── ", Frame(number: 2, title: [], isFocused: isFocused).lines)]
    switch (position, count) {
    case (let position?, let count?):
      return below + gap + [Piece(position, Style(.number)), Piece(" of \(count)", Style(.dim))]
    case (let position?, nil): return below + gap + [Piece(position, Style(.number)), Piece(" of …", Style(.dim))]
    case (nil, let count?): return below + gap + [Piece("… of \(count)", Style(.dim))]
    case (nil, nil): return below
    }
  }

  /// What happened above the first row on screen: `▲ 2 above`.
  private var above: [Piece] {
    guard let beyond = state.list?.beyond, beyond.above > 0 else { return [] }
    return [Piece("▲ ", Style(.accent))] + named(beyond, count: beyond.above) + [Piece(" above", Style(.dim))]
  }

  /// What happened below the last row on screen: `3 below ▾`.
  private var below: [Piece] {
    guard let beyond = state.list?.beyond, beyond.below > 0 else { return [] }
    return named(beyond, count: beyond.below) + [Piece(" below ", Style(.dim)), Piece("▾", Style(.accent))]
  }

  private func named(_ beyond: Beyond, count: Int) -> [Piece] {
    guard let name = beyond.named else { return [Piece(ValueFormatter.grouped(count), Style(.accent))] }
    let fitted = CellWidth.fit(SafeText.visible(name), columns: max(4, min(24, pane.width / 4))).text
    return [Piece("↕ ", Style(.moved)), Piece(fitted, Style(.text))]
  }

  /// What a storm did so far.
  private var band: [Piece] {
    guard let storm = state.live.storm, storm.tally.total > 0 else { return [] }
    let pieces = storm.tally.parts.map { Piece($0.text, Style($0.kind.role, wash: .bar, [.bold])) }
    return pieces.flatMap { [Piece(" ", Style(.bar, wash: .bar)), $0] } + [Piece(" ", Style(.bar, wash: .bar))]
  }

  private func notice(_ list: ListState) -> Notice? {
    if let failure = list.failure {
      return Notice(
        lines: [
          Piece("✗ " + SafeText.visible(failure.summary), Style(.error)), Piece(""),
          Piece("↵ tries again, ! shows it in full", Style(.dim)),
        ] + (list.filter == nil ? [] : [Piece("/ changes the filter, Esc removes it", Style(.dim))]))
    }
    let entity = SafeText.visible(list.query.entity)
    if list.awaitsFirstRows { return Notice(lines: [Piece("reading \(entity)…", Style(.dim))]) }
    guard list.isEmpty else { return nil }
    if let filter = list.filter {
      return Notice(lines: [
        Piece("No \(entity)", Style(.title)), Piece("matches \(SafeText.visible(filter))", Style(.text)),
        Piece(""), Piece("Esc removes the filter, / changes it", Style(.dim)),
      ])
    }
    switch list.query.scope {
    case .all:
      return Notice(lines: [
        Piece("No \(entity)", Style(.title)), Piece("The store holds no object of this entity.", Style(.dim)),
      ])
    case .related:
      return Notice(lines: [
        Piece("No \(entity)", Style(.title)),
        Piece("\(list.trail.joined(separator: " › ")) leads to no object. Backspace goes back.", Style(.dim)),
      ])
    }
  }

  // MARK: Heading and rows

  private func drawHeading(_ list: ListState, _ arrangement: ColumnArrangement, into canvas: inout Canvas) {
    let inside = Layout.inside(pane)
    guard inside.height >= 2 else { return }
    let line = inside.row(0).leading(Layout.gutter).rest
    for slot in arrangement.slots {
      let column = list.columns[slot.index]
      let isCurrent = slot.index == list.column
      var style = isCurrent && isFocused ? Style(.accent, [.bold]) : Style(.header, isCurrent ? [.bold] : [])
      style.attributes.insert(.underline)
      let cell = Rect(x: line.x + slot.x, y: line.y, width: slot.width, height: 1)
      canvas.fill(cell, style: Style(.header, [.underline]))
      let sort = list.query.sort.first.flatMap { $0.key == column.name ? ($0.ascending ? " ↑" : " ↓") : nil } ?? ""
      let name = CellWidth.fit(SafeText.visible(column.name), columns: max(1, slot.width - sort.count)).text
      canvas.write(name + sort, in: cell, alignment: column.property.kind.alignment, style: style)
    }
    drawSeam(arrangement, on: Style(), in: line, into: &canvas)
    if arrangement.hidesLeading, !arrangement.slots.isEmpty {
      let end = arrangement.slots[max(0, arrangement.frozen - 1)]
      canvas.write(
        "‹", at: Point(x: line.x + (arrangement.frozen > 0 ? end.x + end.width : -1), y: line.y), style: Style(.accent))
    }
    if arrangement.hidesTrailing, Layout.hasFrame(pane) {
      canvas.write("›", at: Point(x: pane.maxX - 1, y: line.y), style: Style(.accent, [.bold]))
    }
  }

  /// The line between columns that a person lets stay and those that scroll.
  func drawSeam(_ arrangement: ColumnArrangement, on ground: Style, in cells: Rect, into canvas: inout Canvas) {
    guard arrangement.frozen > 1, let last = arrangement.slots.prefix(arrangement.frozen).last,
      last.x + last.width < cells.width
    else { return }
    var style = ground
    style.role = .border
    canvas.write("│", at: Point(x: cells.x + last.x + last.width, y: cells.y), style: style)
  }

  func highlight(_ text: String, in rect: Rect, into canvas: inout Canvas) {
    guard let match else { return }
    for columns in match.columns(in: text) where columns.lowerBound < rect.width {
      let found = Rect(x: rect.x + columns.lowerBound, y: rect.y, width: columns.count, height: 1)
      canvas.restyle(found.intersection(rect)) { $0 = Style(.match, wash: .match, [.bold]) }
    }
  }

  private func drawScrollbar(_ list: ListState, _ rows: Rect, into canvas: inout Canvas) {
    guard Layout.hasFrame(pane), let thumb = Self.thumb(state, rows) else { return }
    for y in thumb {
      canvas.write("┃", at: Point(x: pane.maxX - 1, y: rows.y + y), style: Style(isFocused ? .accent : .dim, [.bold]))
    }
  }

  /// The lines of the scrollbar that stand for what is on screen; `nil` while that is unknown or all is on screen.
  static func thumb(_ state: BrowserState, _ rows: Rect) -> Range<Int>? {
    guard let list = state.list, let count = state.listCount, let start = state.bufferPosition, count > rows.height,
      rows.height > 1
    else { return nil }
    let length = max(1, rows.height * rows.height / count)
    let most = max(1, count - rows.height)
    let from = min(max(0, (start + list.top) * (rows.height - length) / most), rows.height - length)
    return from..<from + length
  }
}
