import TextCanvas

/// The palette: a line to type into, and what fits.
struct PaletteLayer: SheetLayer {
  static let scope = Command.Scope.palette
  static let isTypedInto = true

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .palette(let palette) = state.overlay else { return nil }
    let rows = OverlayLayout(size: state.size).rows
    guard rows.contains(point) else { return nil }
    let index = palette.top + point.y - rows.y
    return index == palette.selected ? .accept : .choosePalette(index)
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .palette(let palette) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    let found = state.paletteEntries(matching: palette.editor.text)
    layout.drawFrame(
      "Go to or do", footer: found.isEmpty ? "" : "\(palette.selected + 1) of \(found.count)", into: &canvas)
    let cursor = layout.drawLine(palette.editor, label: ": ", into: &canvas)
    guard layout.rows.y > layout.inside.y else { return cursor }
    if found.isEmpty {
      canvas.write("Nothing here is called so.", in: layout.rows.row(0), style: Style(.dim))
    }
    let widest = found.map { CellWidth.width(of: SafeText.visible($0.title)) }.max() ?? 0
    let titleWidth = min(widest, max(10, layout.rows.width * 2 / 5))
    for line in 0..<layout.rows.height {
      guard let entry = found[safe: palette.top + line] else { break }
      draw(
        entry, isSelected: palette.top + line == palette.selected, titleWidth, state, keymap, in: layout.rows.row(line),
        into: &canvas)
    }
    return cursor
  }

  private func draw(
    _ entry: PaletteEntry, isSelected: Bool, _ titleWidth: Int, _ state: BrowserState, _ keymap: Keymap, in row: Rect,
    into canvas: inout Canvas
  ) {
    let wash: Role? = isSelected ? .selected : nil
    if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
    let isPlace = if case .place = entry.goal { true } else { false }
    let plain: Role = entry.reason != nil ? .dim : isPlace ? .link : .text
    var (title, rest) = row.leading(titleWidth)
    // Character by character, since those that were typed stand out.
    for (index, character) in entry.title.enumerated() where title.width > 0 {
      let isTyped = entry.matched.contains(index)
      let text = SafeText.visible(String(character))
      canvas.write(text, in: title, style: Style(isTyped ? .match : plain, wash: wash, isTyped ? [.bold] : []))
      title = title.leading(min(CellWidth.width(of: text), title.width)).rest
    }
    if case .command(let command) = entry.goal, let key = keymap.labels(of: command, unicode: state.unicode).first,
      rest.width > 24
    {
      let (right, left) = rest.trailing(CellWidth.width(of: key))
      canvas.write(key, in: right, style: Style(entry.reason == nil ? .key : .dim, wash: wash, [.bold]))
      rest = left.trailing(2).rest
    }
    let words = entry.reason.map { "\(entry.words) — \($0)" } ?? entry.words
    canvas.write(SafeText.visible(words), in: rest.leading(2).rest, style: Style(.dim, wash: wash))
  }
}
