import TextCanvas

/// All commands of the pane that has the keys, searchable; Enter runs the selected one.
struct HelpLayer: SheetLayer {
  static let scope = Command.Scope.help
  static let isTypedInto = true

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .help(let help) = state.overlay else { return nil }
    let rows = OverlayLayout(size: state.size).rows
    guard rows.contains(point) else { return nil }
    let index = help.top + point.y - rows.y
    return isDouble && index == help.selected ? .accept : .chooseHelp(index)
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .help(let help) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    let found = state.helpEntries(matching: help.editor.text)
    let footer = found.isEmpty ? "" : "\(help.selected + 1) of \(found.count)"
    layout.drawFrame("Commands", footer: footer, into: &canvas)

    let cursor = layout.drawLine(help.editor, label: "search ", into: &canvas)
    if layout.rows.y > layout.inside.y {
      if found.isEmpty { canvas.write("No command has all these words.", in: layout.rows.row(0), style: Style(.dim)) }
      draw(found, help, state, keymap, in: layout.rows, into: &canvas)
    }
    return cursor
  }

  private func draw(
    _ found: [Command], _ help: HelpState, _ state: BrowserState, _ keymap: Keymap, in rows: Rect,
    into canvas: inout Canvas
  ) {
    let labels = found.map { keymap.labels(of: $0, unicode: state.unicode).joined(separator: " ") }
    let keyWidth = min(max(4, labels.map { CellWidth.width(of: $0) }.max() ?? 0), rows.width / 3)
    let idWidth = CommandTable.all.map(\.id.count).max() ?? 0
    let hasIDs = rows.width - keyWidth >= idWidth + 56
    for line in 0..<rows.height {
      let index = help.top + line
      guard found.indices.contains(index) else { break }
      let row = rows.row(line)
      let isSelected = index == help.selected
      let wash: Role? = isSelected ? .selected : nil
      if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
      let command = found[index]
      let reason = command.disabledReason(state)
      let cells = row.leading(keyWidth)
      canvas.write(
        labels[index], in: cells.part,
        style: Style(reason == nil ? .key : .dim, wash: wash, reason == nil ? [.bold] : []))
      var text = cells.rest.leading(2).rest
      if hasIDs {
        let (right, left) = text.trailing(idWidth)
        canvas.write(command.id, in: right, alignment: .trailing, style: Style(.dim, wash: wash))
        text = left.trailing(2).rest
      }
      let help = reason.map { "\(command.help) — \(SafeText.visible($0))" } ?? command.help
      canvas.write(help, in: text, style: Style(reason == nil ? .text : .dim, wash: wash))
    }
  }
}

/// The last error in full.
struct ProblemLayer: SheetLayer {
  static let scope = Command.Scope.problem

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .problem(let shown) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    let lines = ProblemLines(shown.problem, width: layout.inside.width).lines
    let below = lines.count - shown.top - layout.inside.height
    layout.drawFrame("Error", footer: below > 0 ? "\(below) below ▾" : "", role: .error, into: &canvas)
    for row in 0..<layout.inside.height where lines.indices.contains(shown.top + row) {
      let isSummary = shown.top + row == 0
      canvas.write(
        lines[shown.top + row], in: layout.inside.row(row), style: isSummary ? Style(.error) : Style(.text))
    }
    return nil
  }
}
