import CoreData
import TextCanvas

/// Where the filter bar lies: the line that is typed in, the line below it, and the candidates above.
struct FilterLayout {
  /// Candidates on screen at a time.
  static let mostCandidates = 9

  var line: Rect
  /// The line for what is wrong; `nil` where the screen has one line only.
  var note: Rect?
  /// The first column of the text.
  let textX: Int
  let label: String

  init(_ state: BrowserState) {
    let bottom =
      state.layout.message ?? Rect(x: 0, y: max(0, state.size.height - 1), width: state.size.width, height: 1)
    let y = max(0, bottom.y - 1)
    line = Rect(x: 0, y: y, width: state.size.width, height: 1)
    note = bottom.y > y ? bottom : nil
    let entity = SafeText.visible(state.list?.query.entity ?? "")
    label = line.width < 60 || CellWidth.width(of: entity) > 24 ? " / " : " filter \(entity): "
    textX = min(CellWidth.width(of: label), max(0, line.width - 4))
  }

  var textWidth: Int { max(1, line.width - textX - 1) }

  /// The column of a place in the text, as the view shows it; outside of `0..<textWidth` when it is not in sight.
  func column(of offset: Int, in editor: LineEditor, cursorColumn: Int) -> Int {
    let caret = FilterBar.caret(editor)
    let utf8 = editor.text.utf8
    let (from, to) = (min(offset, caret), max(offset, caret))
    let between = String(decoding: utf8.dropFirst(from).prefix(to - from), as: UTF8.self)
    let width = between.reduce(0) { $0 + max(1, CellWidth.width(of: SafeText.visible(String($1)))) }
    return offset < caret ? cursorColumn - width : cursorColumn + width
  }

  /// The frame of the candidates; `nil` where there is no room for any.
  func popup(_ candidates: [PredicateCompletion.Candidate], at column: Int) -> Rect? {
    let rows = min(candidates.count, Self.mostCandidates, line.y - (line.y > 5 ? 3 : 2))
    guard rows > 0, line.width >= 16 else { return nil }
    let texts = candidates.map { CellWidth.width(of: SafeText.visible($0.text)) }.max() ?? 0
    let details = candidates.map { CellWidth.width(of: SafeText.visible($0.detail)) }.max() ?? 0
    let width = min(line.width, max(20, min(texts, 48) + (details > 0 ? details + 2 : 0) + 4))
    let x = max(0, min(textX + column - 2, line.width - width))
    return Rect(x: x, y: line.y - rows - 2, width: width, height: rows + 2)
  }

  /// The first candidate on screen.
  static func first(selected: Int?, rows: Int) -> Int { max(0, (selected ?? 0) - rows + 1) }
}

/// The filter bar, what could be typed next, and what is wrong so far.
struct FilterLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press): .taken(keymap.command(for: press, in: .filter)?.intent(in: state) ?? .edit(press))
    case .paste(let text): .taken(.paste(text))
    case .mouse(let mouse): .taken(intent(for: mouse, state))
    default: .taken(nil)
    }
  }

  private func intent(for mouse: MouseEvent, _ state: BrowserState) -> Intent? {
    guard let bar = state.filterBar else { return nil }
    switch mouse.kind {
    case .wheelUp: return bar.selected == nil ? nil : .filter(.choose(-1))
    case .wheelDown: return .filter(.choose(1))
    case .press, .doublePress:
      let layout = FilterLayout(state)
      let candidates = bar.candidates
      guard let frame = layout.popup(candidates, at: start(bar, layout)), frame.inset(by: 1).contains(mouse.position)
      else { return nil }
      let index = FilterLayout.first(selected: bar.selected, rows: frame.height - 2) + mouse.position.y - frame.y - 1
      return candidates.indices.contains(index) ? .filter(.pick(index)) : nil
    default: return nil
    }
  }

  /// The column at which the word that candidates complete begins.
  private func start(_ bar: FilterBar, _ layout: FilterLayout) -> Int {
    let view = bar.editor.view(columns: layout.textWidth)
    return max(
      0, layout.column(of: bar.completion.range.lowerBound, in: bar.editor, cursorColumn: view.cursorColumn))
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard let bar = state.filterBar else { return nil }
    let layout = FilterLayout(state)
    canvas.fill(layout.line, style: Style())
    canvas.write(layout.label, at: layout.line.origin, style: Style(.accent, [.bold]), width: layout.textX)
    let view = bar.editor.view(columns: layout.textWidth)
    let text = Rect(x: layout.textX, y: layout.line.y, width: layout.textWidth, height: 1)
    canvas.write(view.text, in: text)
    if bar.editor.text.isEmpty {
      canvas.write("a key, an operator, a value", in: text.leading(1).rest, style: Style(.dim))
    }
    drawProblem(bar, layout, view.cursorColumn, in: text, into: &canvas)
    drawCandidates(bar, layout, into: &canvas)
    return Point(x: min(layout.textX + view.cursorColumn, max(0, layout.line.maxX - 1)), y: layout.line.y)
  }

  // MARK: What is wrong

  private func drawProblem(
    _ bar: FilterBar, _ layout: FilterLayout, _ cursorColumn: Int, in text: Rect, into canvas: inout Canvas
  ) {
    guard let note = layout.note else { return }
    guard let problem = bar.problem else {
      // What stood there belongs to the list.
      if note.y != canvas.size.height - 1 { canvas.fill(note, style: Style()) }
      return
    }
    canvas.fill(note, style: Style())
    let isCalm = bar.isIncomplete && !bar.isRefused
    let role: Role = isCalm ? .dim : .error
    let column = layout.column(of: problem.offset, in: bar.editor, cursorColumn: cursorColumn)
    let x = text.x + max(0, min(column, text.width))
    if !isCalm, column >= 0, column < text.width {
      let word = Rect(x: x, y: text.y, width: max(1, Self.wordWidth(at: problem)), height: 1)
      canvas.restyle(word.intersection(text)) { $0 = Style(.error, [.underline]) }
    }
    let hint = SafeText.visible(problem.hint)
    let width = CellWidth.width(of: hint)
    if x + 2 + width < note.maxX {
      canvas.write([Piece("^ ", Style(role, [.bold])), Piece(hint, Style(role))], in: note.leading(x).rest)
    } else if width + 2 <= x {
      canvas.write([Piece(hint, Style(role)), Piece(" ^", Style(role, [.bold]))], in: note.leading(x - width - 1).rest)
    } else if x < note.width / 2 {
      // The sign stays under the word; what does not fit is cut.
      canvas.write([Piece("^ ", Style(role, [.bold])), Piece(hint, Style(role))], in: note.leading(x).rest)
    } else {
      let fitted = CellWidth.fit(hint, columns: max(1, x - 2)).text
      let start = x - 1 - CellWidth.width(of: fitted)
      canvas.write([Piece(fitted, Style(role)), Piece(" ^", Style(role, [.bold]))], in: note.leading(start).rest)
    }
  }

  /// How wide the word is that a problem is about.
  private static func wordWidth(at problem: PredicateParseError) -> Int {
    let rest = problem.format[problem.index...]
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "#" || $0 == "@" || $0 == "$" }
    return CellWidth.width(of: SafeText.visible(String(word)))
  }

  // MARK: What could be typed

  private func drawCandidates(_ bar: FilterBar, _ layout: FilterLayout, into canvas: inout Canvas) {
    let candidates = bar.candidates
    guard let frame = layout.popup(candidates, at: start(bar, layout)) else { return }
    canvas.fill(frame, style: Style())
    canvas.box(frame, style: Style(.border))
    let inside = frame.inset(by: 1)
    let first = FilterLayout.first(selected: bar.selected, rows: inside.height)
    for line in 0..<inside.height where candidates.indices.contains(first + line) {
      let isSelected = bar.selected == first + line
      let wash: Role? = isSelected ? .selected : nil
      let row = inside.row(line)
      if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
      let candidate = candidates[first + line]
      let cells = row.inset(horizontal: 1, vertical: 0)
      let detail = SafeText.visible(candidate.detail)
      let text = CellWidth.width(of: SafeText.visible(candidate.text))
      let room = cells.trailing(min(CellWidth.width(of: detail), max(0, cells.width - text - 2)))
      canvas.write(
        SafeText.visible(candidate.text), in: room.rest.trailing(detail.isEmpty ? 0 : 2).rest,
        style: Style(candidate.kind.role, wash: wash, isSelected ? [.bold] : []))
      canvas.write(detail, in: room.part, alignment: .trailing, style: Style(.dim, wash: wash))
    }
    let position = bar.selected.map { "\($0 + 1) of " } ?? ""
    let footer = candidates.count > inside.height || bar.selected != nil ? " \(position)\(candidates.count) " : ""
    canvas.write(
      footer, in: Rect(x: frame.x + 1, y: frame.maxY - 1, width: frame.width - 2, height: 1), alignment: .trailing,
      style: Style(.dim))
  }
}

extension PredicateCompletion.Candidate.Kind {
  fileprivate var role: Role {
    switch self {
    case .key: .text
    case .relationship: .link
    case .operator, .option: .accent
    case .connective, .keyword: .key
    case .function: .header
    case .value: .string
    case .variable: .number
    }
  }
}

extension Prompt {
  /// Where its keys are.
  var scope: Command.Scope { purpose == .find ? .prompt : .entry }

  /// What is asked for.
  func label(_ state: BrowserState, isShort: Bool) -> String {
    let entity = SafeText.visible(state.list?.query.entity ?? "")
    switch purpose {
    case .find: return isShort ? " find: " : " find in \(entity): "
    case .filterText: return isShort ? " with text: " : " only \(entity) with the text: "
    case .saveFilter: return isShort ? " name: " : " save the filter as: "
    case .template(let question):
      let name = SafeText.visible(question.variable ?? "")
      let kind = question.kind(state).map { " (\($0))" } ?? ""
      return isShort ? " \(name): " : " \(SafeText.visible(question.fetch.name)): \(name)\(kind): "
    }
  }
}

extension TemplateQuestion {
  /// The kind of value that is asked for, in words.
  fileprivate func kind(_ state: BrowserState) -> String? {
    guard let variable, let format = fetch.format, let entity = state.outline?.model?.entitiesByName[fetch.entity],
      let attribute = ModelCheck.attribute(comparedWith: variable, in: format, entity: entity)
    else { return nil }
    return PropertyOutline.Kind(attribute.attributeType)?.words
  }
}
