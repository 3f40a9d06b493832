import CoreData
import CoreDataKit
import TextCanvas

/// What was changed both here and in the store: what it was, mine and theirs, a property a line, and the side taken.
///
/// Narrow screens show the three values below each other.
struct ConflictLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press): .taken(keymap.command(for: press, in: .conflict)?.intent(in: state))
    case .mouse(let mouse) where mouse.kind == .wheelUp: .taken(.move(.up))
    case .mouse(let mouse) where mouse.kind == .wheelDown: .taken(.move(.down))
    default: .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .conflict(let shown) = state.overlay else { return nil }
    ConflictScreen(shown, state).draw(into: &canvas)
    return nil
  }
}

/// The lines of conflicts at a width.
struct ConflictScreen {
  private struct Row {
    /// The line of the conflict that this row is part of.
    var line: Int?
    /// Pieces and the columns they have.
    var cells: [(pieces: [Piece], width: Int)]
  }

  private let shown: ConflictState
  private let state: BrowserState
  private let layout: OverlayLayout

  private static let leastTable = 60
  private static let gap = 2

  init(_ shown: ConflictState, _ state: BrowserState) {
    self.shown = shown
    self.state = state
    layout = OverlayLayout(size: state.size)
  }

  private var inside: Rect { layout.inside }
  private var isTable: Bool { inside.width >= Self.leastTable }

  func draw(into canvas: inout Canvas) {
    let open = shown.openCount
    let footer = open == 0 ? "all chosen" : open == 1 ? "1 to choose" : "\(open) to choose"
    let objects = shown.conflicts.count == 1 ? "an object" : "\(shown.conflicts.count) objects"
    layout.drawFrame("Changed by others meanwhile: \(objects)", footer: footer, role: .warning, into: &canvas)
    let details = inside.height >= 18 ? self.details : []
    let (bottom, body) = inside.bottom(details.isEmpty ? 0 : details.count + 1)
    let rows = self.rows
    let first = rows.firstIndex { $0.line == shown.selected } ?? 0
    let last = rows.lastIndex { $0.line == shown.selected } ?? 0
    // The object's name and the heads of columns stay in sight with its first property.
    let top = max(0, min(first < 4 ? 0 : first - 1, last + 2 - body.height, rows.count - body.height))
    let start = last - top >= body.height ? last + 1 - body.height : top
    for line in 0..<body.height where rows.indices.contains(start + line) {
      draw(rows[start + line], in: body.row(line), into: &canvas)
    }
    for (index, detail) in details.enumerated() { canvas.write(detail, in: bottom.row(index + 1)) }
  }

  private func draw(_ row: Row, in rect: Rect, into canvas: inout Canvas) {
    let isSelected = row.line == shown.selected && row.line != nil
    if isSelected {
      canvas.fill(rect, style: Style(.text, wash: .selected))
      canvas.write("▌", at: rect.origin, style: Style(.accent, wash: .selected))
    }
    var rest = rect.leading(2).rest
    for cell in row.cells {
      let pieces = cell.pieces.map { piece -> Piece in
        guard isSelected, piece.style.wash == nil else { return piece }
        var style = piece.style
        style.wash = .selected
        return Piece(piece.text, style)
      }
      canvas.write(pieces, in: rest.leading(cell.width).part)
      rest = rest.leading(cell.width + Self.gap).rest
    }
  }

  // MARK: Rows

  private var rows: [Row] {
    var rows: [Row] = []
    var line = 0
    for (object, conflict) in shown.conflicts.enumerated() {
      if object > 0 { rows.append(Row(cells: [])) }
      rows.append(Row(cells: [(heading(conflict), inside.width - 2)]))
      if conflict.isGone {
        rows += gone(line)
        line += 1
        continue
      }
      if isTable { rows.append(head) }
      for field in conflict.fields {
        rows += isTable ? [tableRow(field, line)] : stack(field, line)
        line += 1
      }
    }
    return rows
  }

  private func heading(_ conflict: EditConflict) -> [Piece] {
    let title = conflict.title.map { SafeText.visible($0) } ?? "p\(conflict.key.primaryKey)"
    let entity = Piece(SafeText.visible(conflict.entity) + " ", Style(.dim))
    if conflict.isGone {
      return [entity, Piece(title, Style(.title, [.bold])), Piece("  deleted by others", Style(.removed))]
    }
    return [entity, Piece(title, Style(.title, [.bold]))]
  }

  /// The columns of property, base, mine and theirs.
  private var columns: [Int] {
    let room = inside.width - 2 - 3 * Self.gap
    let widest = shown.conflicts.flatMap(\.fields).map { CellWidth.width(of: SafeText.visible($0.property)) }.max() ?? 8
    let name = min(max(8, widest), room / 4)
    let value = (room - name) / 3
    return [name, value, value, room - name - 2 * value]
  }

  private var head: Row {
    let titles: [[Piece]] = [
      [Piece("property", Style(.header, [.underline]))], [Piece("was", Style(.header, [.underline]))],
      [Piece("  m ", Style(.key, [.bold])), Piece("mine", Style(.header, [.underline]))],
      [Piece("  t ", Style(.key, [.bold])), Piece("theirs", Style(.header, [.underline]))],
    ]
    return Row(cells: Array(zip(titles, columns)).map { ($0, $1) })
  }

  private func tableRow(_ field: EditConflict.Field, _ line: Int) -> Row {
    let side = shown.side(of: shown.lines[line])
    let cells: [[Piece]] = [
      [Piece(SafeText.visible(field.property), Style(.header))], [Piece(text(field.base), Style(.dim))],
      option(field.mine, .mine, side), option(field.theirs, .theirs, side),
    ]
    return Row(line: line, cells: Array(zip(cells, columns)).map { ($0, $1) })
  }

  private func stack(_ field: EditConflict.Field, _ line: Int) -> [Row] {
    let side = shown.side(of: shown.lines[line])
    let width = inside.width - 2
    let lines: [[Piece]] = [
      [Piece(SafeText.visible(field.property), Style(.header)), Piece("  was \(text(field.base))", Style(.dim))],
      [Piece("m ", Style(.key, [.bold]))] + option(field.mine, .mine, side),
      [Piece("t ", Style(.key, [.bold]))] + option(field.theirs, .theirs, side),
    ]
    return lines.map { Row(line: line, cells: [($0, width)]) }
  }

  private func gone(_ line: Int) -> [Row] {
    let side = shown.side(of: shown.lines[line])
    let width = inside.width - 2
    let lines: [[Piece]] = [
      [Piece("m ", Style(.key, [.bold]))] + option("keep my edits waiting", .mine, side),
      [Piece("t ", Style(.key, [.bold]))] + option("forget my edits of it", .theirs, side),
    ]
    return lines.map { Row(line: line, cells: [($0, width)]) }
  }

  private func option(_ value: PropertyValue, _ own: EditConflict.Side, _ side: EditConflict.Side?) -> [Piece] {
    option(text(value), own, side)
  }

  private func option(_ text: String, _ own: EditConflict.Side, _ side: EditConflict.Side?) -> [Piece] {
    if side == own {
      return [Piece("● ", Style(.staged, [.bold])), Piece(text, Style(own == .mine ? .staged : .changed, [.bold]))]
    }
    return [Piece("○ ", Style(.dim)), Piece(text, Style(side == nil ? .text : .dim))]
  }

  private func text(_ value: PropertyValue) -> String { state.formatter.cell(state.shown(value)).text }

  /// The values of the selected line at more length.
  private var details: [[Piece]] {
    guard shown.lines.indices.contains(shown.selected), let index = shown.lines[shown.selected].field else { return [] }
    let field = shown.conflicts[shown.lines[shown.selected].object].fields[index]
    let width = max(8, inside.width - 8)
    let texts: [(String, PropertyValue)] = [("was", field.base), ("mine", field.mine), ("theirs", field.theirs)]
    return texts.flatMap { name, value -> [[Piece]] in
      let shown = state.formatter.lines(state.shown(value, whole: true))
      let lines = shown.lines.prefix(3).flatMap { TextWrap.lines(String($0.prefix(600)), width: width) }.prefix(3)
      return lines.enumerated().map { number, line in
        let label = number == 0 ? name : ""
        return [
          Piece(label + String(repeating: " ", count: 8 - label.count), Style(.header)), Piece(line, Style(shown.role)),
        ]
      }
    }
  }
}
