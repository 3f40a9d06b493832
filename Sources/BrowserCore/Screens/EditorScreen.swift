import CoreData
import CoreDataKit
import TextCanvas

/// Where the editor of a value lies: over the value, as far as there is room.
struct EditorLayout: Equatable {
  var frame: Rect
  /// Where one types.
  var input: Rect
  /// What is told of the value typed.
  var message: Rect

  static let areaWidth = 84

  /// The columns that values of a kind want, with their frame.
  static func leastWidth(for kind: PropertyOutline.Kind) -> Int {
    switch kind {
    case .integer, .real, .decimal, .boolean: 32
    case .date, .uuid: 42
    case .toOne: 78
    default: 46
    }
  }

  /// The editor of one line at a place, whose message takes some lines.
  init(at anchor: Point, width: Int, lines: Int, messageLines: Int, in body: Rect) {
    let hasFrame = body.height >= 4 && body.width >= 12
    let height = min(body.height, lines + messageLines + (hasFrame ? 2 : 0))
    let width = min(body.width, width)
    let border = hasFrame ? 2 : 0
    // What is typed stands where the value stood.
    let x = min(max(body.x, anchor.x - border), body.maxX - width)
    let y = min(max(body.y, anchor.y - (hasFrame ? 1 : 0)), body.maxY - height)
    frame = Rect(x: x, y: y, width: width, height: height)
    let inside = hasFrame ? frame.inset(by: 1).inset(horizontal: 1, vertical: 0) : frame
    (message, input) = inside.bottom(min(messageLines, max(0, inside.height - 1)))
  }
}

extension BrowserState {
  /// Where the editor is; `nil` when there is none.
  var editorLayout: EditorLayout? {
    guard let editor else { return nil }
    let body = editorBody
    let words = EditorScreen.message(editor, self)
    let isArea = editor.isWide
    let least = EditorLayout.leastWidth(for: editor.target.property.kind)
    let widest = max(least, editorAnchor.width + 4)
    let width = isArea ? min(EditorLayout.areaWidth, max(least, body.width - 4)) : min(widest, 80)
    let room = max(1, min(width, body.width) - 4)
    let messageLines = isArea ? 1 : min(3, max(1, TextWrap.lines(words.text, width: room).count))
    let lines = isArea ? max(1, min(14, body.height - 5)) : 1
    return EditorLayout(
      at: editorAnchor.origin, width: width, lines: lines, messageLines: messageLines, in: body)
  }

  /// Between the line at the top and those at the bottom.
  private var editorBody: Rect {
    let layout = layout
    let top = layout.title == nil ? 0 : 1
    let bottom = [layout.message, layout.keys].compactMap { $0?.y }.min() ?? size.height
    return Rect(x: 0, y: top, width: size.width, height: max(1, bottom - top))
  }

  /// Where the value being edited stands on screen, or the nearest place to it.
  private var editorAnchor: Rect {
    guard let target = editor?.target else { return Rect(size: size) }
    switch target.place {
    case .cell: return cellAnchor(target)
    case .field: return fieldAnchor(target)
    }
  }

  private func cellAnchor(_ target: EditTarget) -> Rect {
    guard let pane = layout.list, let list else { return editorBody }
    let areas = listAreas(in: pane)
    let arrangement = ColumnArrangement(list, width: areas.rows.width - Layout.gutter)
    let slot = arrangement.slots.first { list.columns[$0.index].name == target.property.name }
    let x = areas.rows.x + Layout.gutter + (slot?.x ?? 0)
    let width = slot?.width ?? 0
    if let index = newObjects.firstIndex(where: { $0.key == target.key }) {
      return Rect(x: x, y: areas.new.y + max(0, index - areas.firstNew), width: width, height: 1)
    }
    // An object that was moved out of sight is edited at the edge.
    let index = list.buffer.rows.firstIndex { $0.key == target.key } ?? list.cursor
    let shown = AnimationPlan(self).line(ofRow: index) ?? index - list.top
    let line = min(max(0, shown), max(0, areas.rows.height - 1))
    return Rect(x: x, y: areas.rows.y + line, width: width, height: 1)
  }

  private func fieldAnchor(_ target: EditTarget) -> Rect {
    guard let pane = layout.inspector, let record = shownRecord else { return editorBody }
    let inside = Layout.inside(pane)
    let lines = inspectorLines(record, width: inside.width)
    let field = record.fields.firstIndex { $0.property.name == target.property.name } ?? inspector.field
    let line = lines.start(of: field) + (lines.labelWidth == 0 ? 1 : 0) - inspector.top
    let x = inside.x + (lines.labelWidth == 0 ? 3 : lines.labelWidth + 4)
    return Rect(
      x: x, y: inside.y + min(max(0, line), max(0, inside.height - 1)), width: max(0, inside.maxX - x), height: 1)
  }
}

extension FieldEditor {
  /// Where the keys of this editor are.
  var scope: Command.Scope {
    switch input {
    case .line: .lineEditor
    case .area: .textEditor
    case .choice: .choiceEditor
    }
  }
}

/// The editor of a value, over the value.
struct EditorLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    guard let editor = state.editor else { return .ignored }
    switch event {
    case .key(let press):
      return .taken(keymap.command(for: press, in: editor.scope)?.intent(in: state) ?? .edit(press))
    case .paste(let text): return .taken(.paste(text))
    case .mouse(let mouse) where mouse.kind == .press || mouse.kind == .doublePress:
      let isInside = state.editorLayout?.frame.contains(mouse.position) == true
      return .taken(isInside ? nil : .editing(.keep))
    default: return .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard let editor = state.editor, let layout = state.editorLayout else { return nil }
    return EditorScreen.draw(editor, state, layout, into: &canvas)
  }
}

/// Draws the editor and says what it holds.
enum EditorScreen {
  static func draw(
    _ editor: FieldEditor, _ state: BrowserState, _ layout: EditorLayout, into canvas: inout Canvas
  ) -> Point? {
    canvas.fill(layout.frame, style: Style())
    if layout.frame != layout.input, layout.frame.height > layout.input.height + layout.message.height {
      drawFrame(editor, state, layout, into: &canvas)
    }
    canvas.fill(layout.input, style: Style(.text, wash: .staged))
    let cursor = drawInput(editor, state, in: layout.input, into: &canvas)
    let message = message(editor, state)
    for (index, line) in TextWrap.lines(message.text, width: max(1, layout.message.width)).enumerated() {
      canvas.write(line, in: layout.message.row(index), style: message.style)
    }
    return cursor
  }

  private static func drawFrame(
    _ editor: FieldEditor, _ state: BrowserState, _ layout: EditorLayout, into canvas: inout Canvas
  ) {
    let frame = layout.frame
    let lines = Style(isBad(editor) ? .error : .staged, [.bold])
    canvas.box(frame, style: lines)
    let property = editor.target.property
    let title = [
      Piece(" \(SafeText.visible(property.name)) ", lines), Piece(property.kind.words + " ", Style(.dim)),
    ]
    canvas.write(title, in: Rect(x: frame.x + 2, y: frame.y, width: frame.width - 4, height: 1))
    var footer = state.heldWords.map { [Piece(" \($0) ", Style(.warning))] } ?? []
    if case .area(let area) = editor.input, !editor.isNil {
      let rows = area.lines(width: layout.input.width)
      footer.append(Piece(" line \(area.place(in: rows).line + 1) of \(rows.count) ", Style(.dim)))
    }
    let bottom = Rect(x: frame.x + 2, y: frame.maxY - 1, width: frame.width - 4, height: 1)
    canvas.write(footer, in: bottom.trailing(footer.width).part)
  }

  private static func drawInput(
    _ editor: FieldEditor, _ state: BrowserState, in rect: Rect, into canvas: inout Canvas
  ) -> Point? {
    let plain = Style(.text, wash: .staged)
    if editor.isNil {
      canvas.write(state.unicode ? "∅ nil" : "nil", in: rect.row(0), style: Style(.null, wash: .staged, [.italic]))
      return rect.origin
    }
    switch editor.input {
    case .line(let line):
      let view = line.view(columns: max(1, rect.width))
      if line.text.isEmpty, editor.target.property.kind == .string {
        canvas.write("\"\"", in: rect.row(0), style: Style(.dim, wash: .staged))
      }
      canvas.write(view.text, in: rect.row(0), style: plain)
      return Point(x: min(rect.x + view.cursorColumn, max(0, rect.maxX - 1)), y: rect.y)
    case .area(let area):
      let rows = area.lines(width: rect.width)
      let top = area.firstLine(width: rect.width, height: rect.height)
      for line in 0..<rect.height where rows.indices.contains(top + line) {
        let text = area.characters[rows[top + line]].map { SafeText.visible(String($0)) }.joined()
        canvas.write(text, in: rect.row(line), style: plain)
      }
      let place = area.place(in: rows)
      return Point(x: min(rect.x + place.column, max(0, rect.maxX - 1)), y: rect.y + place.line - top)
    case .choice(let isTrue):
      let check = state.unicode ? ("✓", "·") : ("x", ".")
      let chosen = Style(.accent, wash: .accent, [.bold])
      let other = Style(.dim, wash: .staged)
      let pieces = [
        Piece(isTrue ? "[\(check.0) true]" : " \(check.0) true ", isTrue ? chosen : other), Piece("  ", plain),
        Piece(isTrue ? " \(check.1) false " : "[\(check.1) false]", isTrue ? other : chosen),
      ]
      canvas.write(pieces, in: rect.row(0))
      return nil
    }
  }

  private static func isBad(_ editor: FieldEditor) -> Bool {
    switch editor.verdict {
    case .invalid, .unreadable: true
    default: false
    }
  }

  // MARK: Words

  /// What is told under the text: what is wrong with it, how it is read, or what the value was.
  static func message(_ editor: FieldEditor, _ state: BrowserState) -> Piece {
    switch editor.verdict {
    case .invalid(_, let words), .unreadable(let words):
      return Piece("✗ " + SafeText.visible(words), Style(.error))
    case .unchanged: return Piece(hint(editor, state), Style(.dim))
    case .checking(let value), .valid(let value):
      if case .date(let date) = value { return Piece(read(date, state), Style(.date)) }
      return Piece("was " + state.formatter.cell(state.shown(editor.original)).text, Style(.dim))
    }
  }

  private static func hint(_ editor: FieldEditor, _ state: BrowserState) -> String {
    if editor.isNil { return "no value; type to give it one" }
    switch editor.target.property.kind {
    case .string: return editor.text.isEmpty ? "the empty string; ^N makes it nil" : "as it is"
    case .date:
      if case .date(let date) = editor.original { return read(date, state) }
      return "such as 2025-11-02 18:04"
    case .toOne(let entity): return "paste the URI of \(SafeText.visible(entity))"
    default: return "as it is"
    }
  }

  /// A date as it was understood, with the clock it is shown by.
  private static func read(_ date: Date, _ state: BrowserState) -> String {
    let text = state.formatter.lines(.date(date)).lines.joined()
    switch state.zone {
    case .utc: return "= \(text) UTC"
    case .local, .named:
      let zone = if case .named(let zone) = state.zone { zone.identifier } else { "local time" }
      return "= \(text) \(zone), \(ISODate.text(date) ?? "")"
    }
  }
}

/// What the line about the value under the cursor tells of its edits.
enum EditPlace {
  static func pieces(_ state: BrowserState, _ property: PropertyOutline) -> [Piece] {
    guard let key = state.selectedKey, let field = state.editing.edits[key]?.fields[property.name] else { return [] }
    var pieces = [
      Piece("  ● ", Style(.staged)), Piece(state.formatter.cell(state.shown(field.mine)).text, Style(.staged)),
    ]
    if let problem = field.problem { pieces.append(Piece("  ✗ " + SafeText.visible(problem), Style(.error))) }
    return pieces
  }
}
