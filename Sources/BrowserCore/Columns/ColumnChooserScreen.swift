import CoreData
import TextCanvas

/// The columns of a list to choose from: which are shown, in what order, and which stay while the others scroll.
struct ColumnChooserLayer: SheetLayer {
  static let scope = Command.Scope.columns

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .columns(let chooser) = state.overlay else { return nil }
    let inside = OverlayLayout(size: state.size).inside
    guard inside.contains(point) else { return nil }
    let line = chooser.top + point.y - inside.y
    return .columns(line == chooser.selected ? .toggle : .choose(line))
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .columns(let chooser) = state.overlay, let list = state.list else { return nil }
    let layout = OverlayLayout(size: state.size)
    let order = list.orderedColumns
    let shown = list.shownColumns
    let stays = Set(shown.prefix(list.frozenCount))
    layout.drawFrame(
      "Columns of \(SafeText.visible(list.query.entity))", footer: "\(shown.count) of \(order.count) shown",
      into: &canvas)
    let nameWidth = min(
      order.map { CellWidth.width(of: SafeText.visible(list.columns[$0].name)) }.max() ?? 0, layout.inside.width / 2)
    for line in 0..<layout.inside.height where order.indices.contains(chooser.top + line) {
      let index = order[chooser.top + line]
      let isSelected = chooser.top + line == chooser.selected
      let row = layout.inside.row(line)
      let wash: Role? = isSelected ? .selected : nil
      if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
      let isShown = shown.contains(index)
      let property = list.columns[index].property
      let (mark, rest) = row.leading(3)
      canvas.write(isShown ? "✓" : " ", in: mark.leading(1).rest, style: Style(.accent, wash: wash, [.bold]))
      let (name, words) = rest.leading(nameWidth)
      canvas.write(
        SafeText.visible(property.name), in: name,
        style: Style(isShown ? .text : .dim, wash: wash, isSelected ? [.bold] : []))
      let notes = property.kind.words + (stays.contains(index) ? " · stays" : "")
      canvas.write(notes, in: words.leading(2).rest, style: Style(.dim, wash: wash))
    }
    return nil
  }
}
