import TextCanvas

/// The forms in which a filter can be copied, with the text of the chosen one.
struct CopyLayer: SheetLayer {
  static let scope = Command.Scope.copy

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .copy(let menu) = state.overlay else { return nil }
    let index = point.y - OverlayLayout(size: state.size).inside.y
    return menu.forms.indices.contains(index) ? .filter(.copyForm(index)) : nil
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .copy(let menu) = state.overlay else { return nil }
    let layout = OverlayLayout(size: state.size)
    layout.drawFrame("Copy the filter as", into: &canvas)
    let (choices, rest) = layout.inside.top(menu.forms.count)
    for (index, form) in menu.forms.enumerated() where index < choices.height {
      let isSelected = index == menu.selected
      let row = choices.row(index)
      let wash: Role? = isSelected ? .selected : nil
      if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
      canvas.write(
        form.title, in: row.leading(1).rest,
        style: Style(form.text == nil ? .dim : isSelected ? .accent : .text, wash: wash, isSelected ? [.bold] : []))
    }
    let text = rest.height > 2 ? rest.top(1).rest : rest
    let shown = menu.form.map { $0.text ?? $0.reason } ?? ""
    let role: Role = menu.form?.text == nil ? .warning : .string
    let lines = shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { TextWrap.lines(SafeText.visible(String($0)), width: max(1, text.width)) }
    for (index, line) in lines.prefix(text.height).enumerated() {
      let isCut = index == text.height - 1 && lines.count > text.height
      canvas.write(
        isCut ? "… \(lines.count - index) more lines" : line, in: text.row(index), style: Style(isCut ? .dim : role))
    }
    return nil
  }
}
