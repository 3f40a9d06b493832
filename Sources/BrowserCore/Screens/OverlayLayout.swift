import TextCanvas

/// Where a sheet lies that covers the panes.
struct OverlayLayout {
  var frame: Rect
  /// The inside of the frame.
  var inside: Rect
  /// The rows below the line that is typed into.
  var rows: Rect

  init(size: Size) {
    let screen = Rect(size: size)
    let body = size.height >= 8 ? screen.top(1).rest.bottom(1).rest : screen
    let width = min(body.width, max(40, min(96, body.width - 8)))
    let height = min(body.height, max(8, body.height - (body.height > 20 ? 4 : 0)))
    frame = Rect(
      x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width: width, height: height)
    inside = Layout.hasFrame(frame) ? frame.inset(by: 1).inset(horizontal: 1, vertical: 0) : frame
    rows = inside.height > 3 ? inside.top(2).rest : inside.height > 1 ? inside.top(1).rest : inside
  }

  /// Draws the line that is typed into, and answers where the cursor stands.
  func drawLine(_ editor: LineEditor, label: String, into canvas: inout Canvas) -> Point {
    let line = inside.row(0)
    let used = canvas.write(label, at: line.origin, style: Style(.dim), width: max(0, line.width - 2))
    let view = editor.view(columns: max(1, line.width - used))
    canvas.write(view.text, at: Point(x: line.x + used, y: line.y), width: max(0, line.width - used))
    return Point(x: min(line.x + used + view.cursorColumn, max(0, line.maxX - 1)), y: line.y)
  }

  /// Clears the place and draws the frame.
  func drawFrame(_ title: String, footer: String = "", role: Role = .accent, into canvas: inout Canvas) {
    canvas.fill(frame, style: Style())
    guard Layout.hasFrame(frame) else { return }
    canvas.box(frame, style: Style(role, [.bold]))
    let top = Rect(x: frame.x + 2, y: frame.y, width: frame.width - 4, height: 1)
    canvas.write(" \(title) ", in: top, style: Style(role, [.bold]))
    guard !footer.isEmpty else { return }
    let bottom = Rect(x: frame.x + 2, y: frame.maxY - 1, width: frame.width - 4, height: 1)
    canvas.write(" \(footer) ", in: bottom, alignment: .trailing, style: Style(.dim))
  }
}

/// An error in full, as lines of a given width.
struct ProblemLines {
  var lines: [String]

  init(_ problem: Problem, width: Int) {
    let head = problem.detail.hasPrefix(problem.summary) ? "" : problem.summary + "\n\n"
    let texts = (head + problem.detail).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    lines = texts.map(String.init).flatMap { TextWrap.lines(SafeText.visible($0), width: max(1, width)) }
  }
}
