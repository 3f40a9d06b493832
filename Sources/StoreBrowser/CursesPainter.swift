import BrowserCore
import CNcurses
import TextCanvas

/// Brings canvases to the screen: keeps the last one, and hands curses the cells that differ.
@MainActor final class CursesPainter {
  private(set) var colors: CursesColors
  private var glyphs: CursesGlyphs
  private var looks: [Style: Look] = [:]
  private var shown = Canvas(size: Size(width: 0, height: 0))
  /// True when the screen may hold something else than `shown`.
  private var isStale = false
  private var cursor: Point?
  private var cursorIsVisible: Bool?
  private var cells: [cchar_t] = []
  private var framesSinceForgetting = 60

  /// How a style looks, as asked for and as curses has it.
  private struct Look {
    var appearance: Appearance
    var attributes: attr_t
    var pair: Int32
  }

  /// A painter for the screen just taken over.
  init(monochrome: Bool, unicode: Bool) {
    colors = CursesColors(monochrome: monochrome)
    glyphs = CursesGlyphs(unicode: unicode)
  }

  /// Shows `canvas` with one update, wrapped in synchronized output on the descriptor given, if any.
  func present(_ canvas: Canvas, cursor: Point?, synchronized: Int32?, appearance: (Style) -> Appearance) {
    framesSinceForgetting += 1
    // Not in each frame, for there are terminals with fewer pairs than one frame may need.
    if colors.isExhausted, framesSinceForgetting > 60 {
      framesSinceForgetting = 0
      colors.forget()
      looks = [:]
      clear()
    }
    if looks.contains(where: { appearance($0.key) != $0.value.appearance }) {
      // Another theme: what is on the screen has to be painted anew.
      looks = [:]
      isStale = true
    }
    let runs = canvas.diff(from: isStale ? Canvas(size: Size(width: 0, height: 0)) : shown)
    guard !runs.isEmpty || cursor != self.cursor || isStale || cursorIsVisible == nil else { return }
    if shown.size != canvas.size { cn_erase() }
    for run in runs { put(run) { look(of: $0, appearance) } }
    shown = canvas
    isStale = false
    self.cursor = cursor
    update(synchronized)
  }

  /// Paints the last canvas again, on a screen that may hold anything.
  func repaint() {
    cursorIsVisible = nil
    clear()
    let plain = Look(appearance: Appearance(), attributes: 0, pair: 0)
    for run in shown.diff(from: Canvas(size: Size(width: 0, height: 0))) { put(run) { looks[$0] ?? plain } }
    update(nil)
    isStale = false
  }

  /// Makes the next frame paint every cell.
  func clear() {
    cn_erase()
    cn_repaint_all()
    isStale = true
  }

  private func update(_ synchronized: Int32?) {
    if let synchronized { CursesModes.write(CursesModes.beginFrame, to: synchronized) }
    let visible = cursor != nil
    if visible != cursorIsVisible {
      curs_set(visible ? 1 : 0)
      cursorIsVisible = visible
    }
    cn_update(Int32(clamping: cursor?.y ?? 0), Int32(clamping: cursor?.x ?? 0))
    if let synchronized { CursesModes.write(CursesModes.endFrame, to: synchronized) }
  }

  private func put(_ run: Run, _ look: (Style) -> Look) {
    cells.removeAll(keepingCapacity: true)
    var last: (style: Style, look: Look)?
    for (index, cell) in run.cells.enumerated() where !cell.text.isEmpty {
      let current: Look
      if let last, last.style == cell.style {
        current = last.look
      } else {
        current = look(cell.style)
        last = (cell.style, current)
      }
      if cell.text.utf8.count == 1, let byte = cell.text.utf8.first {
        var made = cchar_t()
        cn_make_ascii_cell(&made, byte, current.attributes, current.pair)
        cells.append(made)
      } else {
        let isWide = index + 1 < run.cells.count && run.cells[index + 1].text.isEmpty
        for text in glyphs.cells(for: cell.text, columns: isWide ? 2 : 1) { append(text, current) }
      }
    }
    cn_put_cells(Int32(clamping: run.origin.y), Int32(clamping: run.origin.x), cells, Int32(cells.count))
  }

  private func append(_ text: [wchar_t], _ look: Look) {
    var cell = cchar_t()
    cn_make_cell(&cell, text, look.attributes, look.pair)
    cells.append(cell)
  }

  private func look(of style: Style, _ appearance: (Style) -> Appearance) -> Look {
    if let known = looks[style] { return known }
    let wanted = appearance(style)
    let (pair, bold) = colors.pair(wanted)
    var attributes: attr_t = bold ? cn_bold() : 0
    if wanted.attributes.contains(.bold) { attributes |= cn_bold() }
    // Curses has no line through the text.
    if !wanted.attributes.isDisjoint(with: [.dim, .strikethrough]) { attributes |= cn_dim() }
    if wanted.attributes.contains(.underline) { attributes |= cn_underline() }
    if wanted.attributes.contains(.reverse) { attributes |= cn_reverse() }
    if wanted.attributes.contains(.italic) { attributes |= cn_italic() }
    let look = Look(appearance: wanted, attributes: attributes, pair: pair)
    looks[style] = look
    return look
  }
}
