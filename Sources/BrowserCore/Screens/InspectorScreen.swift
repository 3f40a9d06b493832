import CoreData
import CoreDataKit
import TextCanvas

/// One object whole: every property, relationships as links, long text wrapped.
enum InspectorScreen {
  static func draw(_ state: BrowserState, in pane: Rect, into canvas: inout Canvas) {
    let isFocused = state.focus == .inspector
    let inside = Layout.inside(pane)
    let record = state.shownRecord
    let shown = record.map { state.inspectorLines($0, width: inside.width) }
    let below = (shown?.lines.count ?? 0) - state.inspector.top - inside.height
    Frame(
      number: 3, title: title(state, isFocused: isFocused),
      footer: below > 0 ? [Piece("\(below) below ▾", Style(.dim))] : [], isFocused: isFocused
    ).draw(in: pane, into: &canvas)
    guard let shown else {
      notice(state)?.draw(in: inside, into: &canvas)
      return
    }
    for row in 0..<inside.height {
      let index = state.inspector.top + row
      guard shown.lines.indices.contains(index) else { break }
      let isSelected = isFocused && shown.lines[index].field == state.inspector.field
      draw(
        shown.lines[index], labels: shown.labelWidth, isSelected: isSelected, in: inside.row(row), into: &canvas)
      if let wash = wash(of: shown.lines[index], record, state) {
        canvas.restyle(inside.row(row).leading(shown.labelWidth + 3).rest) {
          $0 = Style($0.role, wash: wash.role, strength: wash.strength, $0.attributes)
        }
      }
    }
  }

  /// The wash of a value that has just changed.
  private static func wash(
    of line: InspectorLines.Line, _ record: RecordDetail?, _ state: BrowserState
  ) -> (role: Role, strength: UInt8)? {
    guard let record, let field = line.field, record.fields.indices.contains(field), let mark = state.marks[record.key],
      mark.old[record.fields[field].property.name] != nil,
      let strength = mark.fade?.strength(at: state.now, state.animation), strength > 0
    else { return nil }
    return (mark.kind.role, strength)
  }

  private static func title(_ state: BrowserState, isFocused: Bool) -> [Piece] {
    guard let key = state.inspector.key else { return [Piece("Object", Frame.name(isFocused: isFocused))] }
    var pieces = [Piece(state.label(of: key), Frame.name(isFocused: isFocused))]
    if state.inspector.isGone { pieces.append(Piece(" deleted", Style(.removed))) }
    switch state.editing.edits[key]?.kind {
    case .delete: pieces.append(Piece(" deleted once saved", Style(.removed)))
    case .update, .insert: pieces.append(Piece(" ● not saved", Style(.staged)))
    case nil: break
    }
    return pieces
  }

  private static func notice(_ state: BrowserState) -> Notice? {
    if let failure = state.inspector.failure {
      return Notice(lines: [Piece("✗ " + SafeText.visible(failure.summary), Style(.error))])
    }
    if state.list?.isEmpty == true { return Notice(lines: [Piece("No object", Style(.dim))]) }
    return nil
  }

  private static func draw(
    _ line: InspectorLines.Line, labels: Int, isSelected: Bool, in row: Rect, into canvas: inout Canvas
  ) {
    let wash: Role? = isSelected ? .selected : nil
    if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
    guard line.field != nil else {
      canvas.write(line.text, in: row.leading(1).rest, style: Style(.dim))
      return
    }
    let content = row.leading(1).rest
    if labels == 0, !line.label.isEmpty {
      canvas.write(line.label, in: content, style: Style(.header, wash: wash))
      return
    }
    canvas.write(line.label, in: content.leading(labels).part, style: Style(.header, wash: wash))
    var value = content.leading(labels == 0 ? 0 : labels + 1).rest
    canvas.write(line.mark, in: value, style: Style(line.markRole, wash: wash))
    value = value.leading(2).rest
    canvas.write(line.text, in: value, style: Style(line.role, wash: wash, line.isStruck ? [.strikethrough] : []))
    canvas.write(line.raw, in: value, alignment: .trailing, style: Style(.dim, wash: wash))
  }
}
