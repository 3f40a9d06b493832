import CoreData
import TextCanvas

/// The layers on screen: keys go from the top one down until one takes them, drawing goes from the bottom up.
struct Compositor: Sendable {
  let keymap: Keymap

  /// The layers of a state, the lowest first.
  func layers(_ state: BrowserState) -> [any Layer] {
    var layers: [any Layer] = [PanesLayer()]
    if state.choice != nil { layers.append(StoreChoiceLayer()) }
    if state.filterBar != nil { layers.append(FilterLayer()) }
    if state.prompt != nil { layers.append(PromptLayer()) }
    if state.editor != nil { layers.append(EditorLayer()) }
    switch state.overlay {
    case .help: layers.append(HelpLayer())
    case .problem: layers.append(ProblemLayer())
    case .question: layers.append(QuestionLayer())
    case .conflict: layers.append(ConflictLayer())
    case .copy: layers.append(CopyLayer())
    case .viewer: layers.append(ViewerLayer())
    case .columns: layers.append(ColumnChooserLayer())
    case .model: layers.append(ModelLayer())
    case .palette: layers.append(PaletteLayer())
    case nil: break
    }
    return layers
  }

  /// What an event means now; `nil` when it means nothing.
  func intent(for event: InputEvent, _ state: BrowserState) -> Intent? {
    for layer in layers(state).reversed() {
      if case .taken(let intent) = layer.answer(to: event, state, keymap) { return intent }
    }
    return nil
  }

  /// A whole frame, and the cursor where text is being typed.
  func draw(_ state: BrowserState) -> (canvas: Canvas, cursor: Point?) {
    var canvas = Canvas(size: state.size)
    var cursor: Point?
    for layer in layers(state) {
      cursor = layer.draw(state, keymap, into: &canvas)
    }
    if !state.unicode { canvas.restrictToASCII() }
    return (canvas, cursor)
  }
}

/// One layer of the screen.
protocol Layer: Sendable {
  /// What the layer makes of an event.
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer
  /// Draws the layer, and returns the cursor where it has one.
  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point?
}

/// Whether a layer took an event, and what it means.
enum LayerAnswer: Equatable {
  case ignored
  case taken(Intent?)
}

/// The title line, the panes and the two lines at the bottom.
struct PanesLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press):
      let command =
        keymap.command(for: press, in: Command.Scope(state.focus)) ?? keymap.command(for: press, in: .everywhere)
      return .taken(command?.intent(in: state))
    case .mouse(let mouse):
      return .taken(MouseMap(state).intent(for: mouse))
    default:
      return .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    let layout = state.layout
    if let rect = layout.title { TitleBar.draw(state, in: rect, into: &canvas) }
    switch state.phase {
    case .choosing: break
    case .opening: Notice.opening(state).draw(in: layout.body(in: state.size), into: &canvas)
    case .failed(let problem): Notice.failed(problem).draw(in: layout.body(in: state.size), into: &canvas)
    case .open:
      if let rect = layout.sidebar { SidebarScreen.draw(state, in: rect, into: &canvas) }
      if let rect = layout.list { ListScreen(state, pane: rect).draw(into: &canvas) }
      if let rect = layout.inspector { InspectorScreen.draw(state, in: rect, into: &canvas) }
    }
    StatusLines.draw(state, keymap, into: &canvas)
    return nil
  }
}

/// The line in which text to find is typed.
struct PromptLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press):
      .taken(keymap.command(for: press, in: state.prompt?.scope ?? .prompt)?.intent(in: state) ?? .edit(press))
    case .paste(let text): .taken(.paste(text))
    case .mouse(let mouse) where mouse.kind == .press || mouse.kind == .doublePress: .taken(.escape)
    default: .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard let prompt = state.prompt else { return nil }
    let line = state.layout.message ?? Rect(x: 0, y: state.size.height - 1, width: state.size.width, height: 1)
    canvas.fill(line, style: Style())
    let label = prompt.label(state, isShort: line.width < 40)
    if case .template(let question) = prompt.purpose, let problem = question.problem, line.y > 0 {
      // Below what is typed, or above it on the last line of a small screen.
      var told = line
      told.y += line.maxY < state.size.height ? 1 : -1
      canvas.fill(told, style: Style())
      canvas.write("✗ " + SafeText.visible(problem), in: told.inset(horizontal: 1, vertical: 0), style: Style(.error))
    }
    let used = canvas.write(label, at: line.origin, style: Style(.accent, [.bold]), width: max(0, line.width - 4))
    let view = prompt.editor.view(columns: max(1, line.width - used - 1))
    canvas.write(view.text, at: Point(x: line.x + used, y: line.y))
    return Point(x: min(line.x + used + view.cursorColumn, max(0, line.maxX - 1)), y: line.y)
  }
}

extension Canvas {
  /// Shows everything by ASCII alone, for terminals that have no more.
  mutating func restrictToASCII() {
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = self[x, y]
        guard let first = cell.text.unicodeScalars.first, !cell.text.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
        let isWide = CellWidth.width(of: cell.text) > 1
        let glyph = Self.asciiGlyphsFor[first] ?? "?"
        write(isWide ? glyph + " " : glyph, at: Point(x: x, y: y), style: cell.style)
      }
    }
  }

  private static let asciiGlyphsFor: [Unicode.Scalar: String] = [
    "─": "-", "━": "-", "│": "|", "┃": "|", "▐": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "├": "+", "┤": "+",
    "▌": ">", "…": ".", "↑": "^", "↓": "v", "▴": "^", "▾": "v", "▸": ">", "›": ">", "‹": "<", "✓": "x", "·": ".",
    "∅": "-", "✗": "x", "“": "\"", "”": "\"", "–": "-", "—": "-", "↵": "^", "×": "x", "●": "*", "○": "o", "▲": "^",
    "↕": "m", "→": ">", "◌": "o",
  ]
}
