import TextCanvas

/// A whole value over the panes, in one of its forms.
struct ViewerLayer: SheetLayer {
  static let scope = Command.Scope.viewer

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .viewer(let viewer) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    guard point.y == layout.inside.y else { return nil }
    return Self.tab(at: point.x, viewer, layout).map { .showForm($0) }
  }

  /// The lines of the value on screen.
  static func body(of state: BrowserState) -> Rect {
    let inside = OverlayLayout(size: state.size).inside
    return inside.height > 4 ? inside.top(2).rest : inside.top(1).rest
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .viewer(let viewer) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    let body = Self.body(of: state)
    let last = min(viewer.lineCount, viewer.top + body.height)
    layout.drawFrame(
      SafeText.visible(viewer.title),
      footer: viewer.lineCount > body.height
        ? "\(ValueFormatter.grouped(last)) of \(ValueFormatter.grouped(viewer.lineCount)) lines" : "",
      into: &canvas)
    for (index, x) in Self.tabs(viewer, layout) {
      let isShown = index == viewer.form
      canvas.write(
        viewer.forms[index].title, at: Point(x: x, y: layout.inside.y),
        style: Style(isShown ? .accent : .dim, isShown ? [.bold, .underline] : []),
        width: max(0, layout.inside.maxX - x))
    }
    for row in 0..<max(0, last - viewer.top) {
      let line = viewer.line(viewer.top + row)
      canvas.write(
        [Piece(line.label, Style(.dim)), Piece(line.text, Style(line.role))],
        in: body.row(row).leading(min(line.indent, body.width)).rest)
    }
    return nil
  }

  /// Where the names of the forms stand.
  private static func tabs(_ viewer: ViewerState, _ layout: OverlayLayout) -> [(index: Int, x: Int)] {
    var x = layout.inside.x
    return viewer.forms.indices.map { index in
      defer { x += CellWidth.width(of: viewer.forms[index].title) + 3 }
      return (index, x)
    }
  }

  private static func tab(at x: Int, _ viewer: ViewerState, _ layout: OverlayLayout) -> Int? {
    tabs(viewer, layout).last { $0.x <= x }?.index
  }
}
