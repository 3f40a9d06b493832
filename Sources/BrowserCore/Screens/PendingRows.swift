import CoreData
import CoreDataKit
import TextCanvas

/// The edits of one object, as a row or the inspector shows them.
struct PendingRow: Equatable {
  var mark: PendingMark
  var values: [String: PropertyValue] = [:]
  /// Why properties cannot be saved.
  var problems: [String: String] = [:]
}

extension PendingMark {
  var glyph: String {
    switch self {
    case .edited, .new: "●"
    case .deleted: "✗"
    case .invalid: "!"
    }
  }

  var role: Role {
    switch self {
    case .edited, .new: .staged
    case .deleted: .removed
    case .invalid: .error
    }
  }
}

extension BrowserState {
  /// The edits by object, those on their way included.
  var pendingRows: [ObjectKey: PendingRow] {
    var rows: [ObjectKey: PendingRow] = [:]
    for object in editing.edits.objects {
      rows[object.key] = PendingRow(
        mark: object.mark, values: object.fields.mapValues(\.mine), problems: object.fields.compactMapValues(\.problem))
    }
    for case .set(let key, let property, let value) in editing.operations {
      rows[key, default: PendingRow(mark: .edited)].values[property] = value
      rows[key]?.problems[property] = nil
    }
    return rows
  }

  /// An object as lines of a width, with what is told of its properties.
  func inspectorLines(_ record: RecordDetail, width: Int) -> InspectorLines {
    InspectorLines(record, width: width, formatter: formatter, notes: fieldNotes(record.key))
  }

  /// What the inspector tells of the properties of an object beside their values.
  func fieldNotes(_ key: ObjectKey) -> [String: InspectorLines.Note] {
    var notes: [String: InspectorLines.Note] = [:]
    for (property, old) in marks.was(key) {
      notes[property] = InspectorLines.Note(lines: [was(old, property, key)])
    }
    guard let row = pendingRows[key] else { return notes }
    for property in row.values.keys {
      let problem = row.problems[property]
      var note = InspectorLines.Note(
        mark: problem == nil ? "●" : "!", role: problem == nil ? .staged : .error, valueRole: .staged)
      if let base = editing.edits[key]?.fields[property]?.base, !key.isNew {
        note.lines.append(was(shown(base), property, key))
      }
      if let problem {
        note.lines.append(InspectorLines.Remark(text: "✗ " + SafeText.visible(problem), role: .error))
      }
      // What a new object has by itself is no edit to be looked at.
      if key.isNew, problem == nil { note.valueRole = nil }
      notes[property] = note
    }
    if row.mark == .deleted {
      for property in entity(named: entityName(of: key))?.properties ?? [] {
        notes[property.name, default: InspectorLines.Note()].valueRole = .removed
        notes[property.name]?.isStruck = true
      }
    }
    return notes
  }

  private func was(_ value: CellValue, _ property: String, _ key: ObjectKey) -> InspectorLines.Remark {
    var text = formatter.cell(value).text
    if case .objects = value,
      let target = entity(named: entityName(of: key))?.properties.first(where: { $0.name == property })?.kind.target
    {
      text += " " + SafeText.visible(target)
    }
    return InspectorLines.Remark(text: "was " + text, role: .dim)
  }
}

/// The rows of a list and of the new objects above them.
struct ListAreas: Equatable {
  /// The lines of new objects.
  var new: Rect
  /// The line below them; empty where there are none, or no room for it.
  var separator: Rect
  /// The lines of the list.
  var rows: Rect
  /// The first new object on screen.
  var firstNew = 0
  /// Whether a new object is selected.
  var selectsNew = false

  /// New objects take a third of the lines at most.
  init(_ whole: Rect, newCount: Int, selected: Int?) {
    let most = whole.height > 1 ? max(1, whole.height / 3) : selected == nil ? 0 : 1
    let count = min(newCount, most)
    let rest: Rect
    (new, rest) = whole.top(count)
    (separator, rows) = rest.top(count > 0 && whole.height >= 6 ? 1 : 0)
    if let selected {
      selectsNew = true
      firstNew = max(0, selected - count + 1)
    }
  }
}

extension BrowserState {
  /// Where the rows of the list are in its pane, and the new objects.
  func listAreas(in pane: Rect) -> ListAreas {
    let whole = Layout.rows(ofList: pane)
    let new = newObjects
    let selected = editing.selectedNew.flatMap { key in new.firstIndex { $0.key == key } }
    return ListAreas(whole, newCount: new.count, selected: selected)
  }
}

extension ListScreen {
  /// Draws the new objects, and the line that tells them from those in the store.
  func drawNew(_ areas: ListAreas, _ list: ListState, _ arrangement: ColumnArrangement, into canvas: inout Canvas) {
    guard !areas.new.isEmpty else { return }
    let new = state.newObjects
    for line in 0..<areas.new.height {
      let index = areas.firstNew + line
      guard new.indices.contains(index) else { break }
      let isSelected = areas.selectsNew && new[index].key == state.editing.selectedNew
      draw(new[index], list, arrangement, isSelected: isSelected, in: areas.new.row(line), into: &canvas)
    }
    guard !areas.separator.isEmpty else { return }
    let rule = String(repeating: "─", count: areas.separator.width)
    canvas.write(rule, in: areas.separator, style: Style(.border))
    let words = new.count == 1 ? " 1 new, not saved " : " \(new.count) new, not saved "
    canvas.write(words, in: areas.separator.leading(Layout.gutter).rest, style: Style(.staged))
  }

  private func draw(
    _ object: EditState.Object, _ list: ListState, _ arrangement: ColumnArrangement, isSelected: Bool, in rect: Rect,
    into canvas: inout Canvas
  ) {
    let ground = Style(.text, wash: isSelected ? (isFocused ? .selected : .inactiveSelection) : nil)
    if isSelected {
      canvas.fill(rect, style: ground)
      canvas.write("▌", at: rect.origin, style: Style(.accent, wash: ground.wash))
    }
    let edits = pending[object.key]
    drawMark(object.mark, at: isSelected ? 1 : 0, on: ground, in: rect, into: &canvas)
    let cells = rect.leading(Layout.gutter).rest
    drawSeam(arrangement, on: ground, in: cells, into: &canvas)
    for slot in arrangement.slots {
      let column = list.columns[slot.index]
      let cell = Rect(x: cells.x + slot.x, y: rect.y, width: slot.width, height: 1).intersection(cells)
      guard !cell.isEmpty else { continue }
      let shown = value(state.newCell(object, column.property), of: column.property, edits)
      let isCurrent = isSelected && isFocused && slot.index == list.column
      draw(shown, of: column, AnimationPlan.Line(content: .row(0)), false, isCurrent, ground, in: cell, into: &canvas)
    }
  }

  /// Draws the mark of an object with edits beside its cells.
  func drawMark(_ mark: PendingMark, at column: Int, on ground: Style, in line: Rect, into canvas: inout Canvas) {
    guard line.width > Layout.gutter else { return }
    var style = ground
    (style.role, style.attributes) = (mark.role, [.bold])
    canvas.write(mark.glyph, at: Point(x: line.x + column, y: line.y), style: style)
  }

  /// A cell's value as it would be saved.
  func value(_ cell: CellValue, of property: PropertyOutline, _ edits: PendingRow?) -> FormattedValue {
    guard let edits else { return formatter.cell(cell) }
    guard let mine = edits.values[property.name] else {
      var value = formatter.cell(cell)
      if edits.mark == .deleted { (value.role, value.isStruck) = (.removed, true) }
      return value
    }
    var value = formatter.cell(state.shown(mine))
    value.role = edits.problems[property.name] == nil ? .staged : .error
    return value
  }
}
