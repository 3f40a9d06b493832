import CoreData
import TextCanvas

extension ListScreen {
  /// Draws one line: a row, a row that is no longer there, or a gap that opens or closes.
  func draw(
    _ line: AnimationPlan.Line, _ list: ListState, _ arrangement: ColumnArrangement, in rect: Rect,
    into canvas: inout Canvas
  ) {
    let row: ListRow
    let isSelected: Bool
    var isOdd = false
    switch line.content {
    case .row(let index):
      row = list.buffer.rows[index]
      isSelected = index == list.cursor && list.slides.fallen == nil && !selectsNew
      isOdd = ((state.bufferPosition ?? 0) + index) % 2 == 1
    case .ghost(let index):
      row = list.slides.ghosts[index].row
      isSelected = list.slides.ghosts[index].kind == .delete && row.key == list.slides.fallen && !selectsNew
    }
    let isGhost = if case .ghost = line.content { true } else { false }
    let ground = ground(line, isSelected: isSelected, isOdd: isOdd)
    if ground.wash != nil { canvas.fill(rect, style: ground) }
    drawGutter(line, isSelected: isSelected, ground, in: rect, into: &canvas)
    if line.isGap { return }
    let edits = isGhost ? nil : pending[row.key]
    if let edits {
      drawMark(edits.mark, at: isSelected || line.kind != nil ? 1 : 0, on: ground, in: rect, into: &canvas)
    }
    let cells = rect.leading(Layout.gutter).rest
    drawSeam(arrangement, on: ground, in: cells, into: &canvas)
    for slot in arrangement.slots where row.cells.indices.contains(slot.index) {
      let cell = Rect(x: cells.x + slot.x, y: rect.y, width: slot.width, height: 1).intersection(cells)
      guard !cell.isEmpty else { continue }
      let isCurrent = isSelected && isFocused && slot.index == list.column
      let column = list.columns[slot.index]
      let value = value(row.cells[slot.index], of: column.property, edits)
      draw(value, of: column, line, isGhost, isCurrent, ground, in: cell, into: &canvas)
    }
  }

  /// The background of a line: fresh changes come before the selection, which comes before what is left of a fade.
  private func ground(_ line: AnimationPlan.Line, isSelected: Bool, isOdd: Bool) -> Style {
    let isWhole = line.old.isEmpty && line.strength > 0
    if let kind = line.kind, isWhole, !isSelected || line.strength >= 4 {
      return Style(.text, wash: kind.role, strength: line.strength)
    }
    return Style(.text, wash: isSelected ? (isFocused ? .selected : .inactiveSelection) : isOdd ? .zebra : nil)
  }

  private func drawGutter(
    _ line: AnimationPlan.Line, isSelected: Bool, _ ground: Style, in rect: Rect, into canvas: inout Canvas
  ) {
    var style = ground
    if isSelected {
      style.role = .accent
      canvas.write("▌", at: rect.origin, style: style)
    }
    guard let kind = line.kind else { return }
    style.role = kind.role
    style.attributes = [.bold]
    canvas.write(kind.glyph, at: Point(x: rect.x + (isSelected ? 1 : 0), y: rect.y), style: style)
  }

  func draw(
    _ shown: FormattedValue, of column: Column, _ line: AnimationPlan.Line, _ isGhost: Bool, _ isCurrent: Bool,
    _ ground: Style, in rect: Rect, into canvas: inout Canvas
  ) {
    var style = ground
    style.role = isGhost ? .dim : shown.role
    let old = line.strength > 0 && shown.role != .staged ? line.old[column.name] : nil
    if old != nil, let kind = line.kind {
      style = Style(shown.role, wash: kind.role, strength: line.strength)
    } else if isCurrent, !isGhost {
      style = Style(shown.role, wash: .accent, [.bold])
    }
    if isCurrent, old != nil { style.attributes.formUnion([.bold, .underline]) }
    if style.wash != ground.wash || style.strength != ground.strength {
      var blank = style
      blank.attributes.remove(.bold)
      blank.role = .text
      canvas.fill(rect, style: blank)
    }
    if shown.isStruck || (isGhost && line.kind == .delete) { style.attributes.insert(.strikethrough) }
    let kind = column.property.kind
    if let old, write(old, shown, kind, style, in: rect, into: &canvas) { return }
    // A shortened number would be another number.
    let text = kind.canBeCut || CellWidth.width(of: shown.text) <= rect.width ? shown.text : "…"
    canvas.write(text, in: rect, alignment: kind.alignment, style: style)
    if !isGhost, kind == .string || kind == .uri { highlight(text, in: rect, into: &canvas) }
  }

  /// Writes `old→new` where both fit the column.
  private func write(
    _ old: CellValue, _ new: FormattedValue, _ kind: PropertyOutline.Kind, _ style: Style, in rect: Rect,
    into canvas: inout Canvas
  ) -> Bool {
    let before = formatter.cell(old).text
    let width = CellWidth.width(of: before) + 1 + CellWidth.width(of: new.text)
    guard width <= rect.width else { return false }
    var faint = style
    faint.role = .dim
    faint.attributes = []
    let offset =
      switch kind.alignment {
      case .leading: 0
      case .trailing: rect.width - width
      case .center: (rect.width - width) / 2
      }
    let place = rect.leading(offset).rest
    canvas.write([Piece(before, faint), Piece("→", faint), Piece(new.text, style)], in: place)
    return true
  }
}
