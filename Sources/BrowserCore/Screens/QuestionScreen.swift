import CoreData
import CoreDataKit
import TextCanvas

/// A box in the middle of the screen for a question and the keys that answer it.
struct DialogLayout {
  var frame: Rect
  /// The lines of the question.
  var text: Rect
  /// The lines of keys.
  var keys: Rect

  static let width = 66

  /// A box for some lines, as far as there is room.
  init(size: Size, lines: Int, keyLines: Int) {
    let screen = Rect(size: size)
    let body = size.height >= 8 ? screen.top(1).rest.bottom(1).rest : screen
    let hasFrame = body.height >= 5 && body.width >= 12
    let isAiry = body.height >= lines + keyLines + 5
    let width = min(body.width, Self.width)
    let height = min(body.height, lines + keyLines + (hasFrame ? 2 : 0) + (isAiry ? 3 : 0))
    frame = Rect(
      x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) * 2 / 5, width: width, height: height)
    var inside = hasFrame ? frame.inset(by: 1).inset(horizontal: 2, vertical: 0) : frame
    if isAiry { inside = inside.inset(horizontal: 0, vertical: 1) }
    (keys, inside) = inside.bottom(keyLines)
    text = isAiry ? inside.bottom(1).rest : inside
  }
}

/// A question, which takes all keys until it is answered.
struct QuestionLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    guard case .question(let question) = state.overlay else { return .ignored }
    switch event {
    case .key(let press): return .taken(keymap.command(for: press, in: question.scope)?.intent(in: state))
    case .mouse(let mouse) where mouse.kind == .press || mouse.kind == .doublePress:
      let frame = QuestionScreen(question, state, keymap).layout.frame
      return .taken(frame.contains(mouse.position) ? nil : .escape)
    default: return .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .question(let question) = state.overlay else { return nil }
    QuestionScreen(question, state, keymap).draw(into: &canvas)
    return nil
  }
}

/// The words of a question and where they stand.
struct QuestionScreen {
  private let question: Question
  private let state: BrowserState
  private let lines: [[Piece]]
  private let keys: [[Piece]]
  let layout: DialogLayout

  init(_ question: Question, _ state: BrowserState, _ keymap: Keymap) {
    self.question = question
    self.state = state
    let room = max(8, min(DialogLayout.width, state.size.width) - 6)
    lines = Self.lines(question, state).flatMap { Self.wrapped($0, width: room) }
    keys = Self.keys(question, state, keymap, width: room)
    layout = DialogLayout(size: state.size, lines: lines.count, keyLines: keys.count)
  }

  func draw(into canvas: inout Canvas) {
    canvas.fill(layout.frame, style: Style())
    let style = Style(role, [.bold])
    if layout.frame.height > layout.text.height + keys.count, Layout.hasFrame(layout.frame) {
      canvas.box(layout.frame, style: style)
      let top = Rect(x: layout.frame.x + 2, y: layout.frame.y, width: layout.frame.width - 4, height: 1)
      canvas.write(" \(title) ", in: top, style: style)
    }
    // What does not fit is told, so that nobody agrees to what is not there.
    let shown = lines.count > layout.text.height ? max(0, layout.text.height - 1) : lines.count
    for index in 0..<shown { canvas.write(lines[index], in: layout.text.row(index)) }
    if shown < lines.count {
      canvas.write("… \(lines.count - shown) more lines", in: layout.text.row(shown), style: Style(.dim))
    }
    for (index, line) in keys.enumerated() { canvas.write(line, in: layout.keys.row(index)) }
  }

  /// The keys that answer, in as many lines as they need.
  private static func keys(
    _ question: Question, _ state: BrowserState, _ keymap: Keymap, width: Int
  ) -> [[Piece]] {
    let commands = CommandTable.all
      .filter { $0.scope == question.scope && $0.hint != nil && $0.disabledReason(state) == nil }
      .sorted { ($0.hint ?? 0) < ($1.hint ?? 0) }
    var lines: [[Piece]] = [[]]
    for command in commands {
      let pieces = StatusLines.pieces(command, keymap, state)
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = pieces
      } else if lines[last].width + 3 + pieces.width <= width {
        lines[last] += [Piece("   ")] + pieces
      } else {
        lines.append(pieces)
      }
    }
    return lines
  }

  private var role: Role {
    switch question {
    case .unlock: .locked
    case .delete: .removed
    case .discard: .warning
    case .leave, .recovery: .staged
    }
  }

  private var title: String {
    switch question {
    case .unlock: "Locked"
    case .delete(_, let title, _): "Delete \(title)"
    case .discard: "Discard"
    case .leave: "Not saved"
    case .recovery: "Unsaved edits of an earlier run"
    }
  }

  // MARK: Words

  private static func lines(_ question: Question, _ state: BrowserState) -> [[Piece]] {
    switch question {
    case .unlock:
      let name = SafeText.visible(state.outline?.name ?? state.storeName)
      return [
        [Piece("\(name) is locked, so nothing changes by accident.")],
        [Piece("Unlocked, it can be edited; edits wait until you save them.", Style(.dim))],
      ]
    case .delete(_, _, let preview?): return DeletePreviewWords.lines(preview)
    case .delete(_, _, nil): return [[Piece("Looking at what this would take along…", Style(.dim))]]
    case .discard:
      return [[Piece("Forget the edits of \(BrowserState.objects(state.pendingCount))?")]]
        + objects(state.editing.edits, state)
    case .leave:
      return [[Piece("\(BrowserState.objects(state.pendingCount)) with edits that are not saved:")]]
        + objects(state.editing.edits, state)
    case .recovery(let edits):
      return [
        [Piece("The program ended before the edits of \(BrowserState.objects(edits.objects.count)) were saved:")]
      ] + objects(edits, state)
    }
  }

  private static let mostObjects = 6

  /// The objects with edits, a line each.
  private static func objects(_ edits: EditState, _ state: BrowserState) -> [[Piece]] {
    var lines: [[Piece]] = []
    for object in edits.objects.prefix(mostObjects) {
      let title = state.title(of: object.key)
      let entity = SafeText.visible(object.entity)
      let name =
        object.key.isNew
        ? "new \(entity)" : title.map { "\(entity) \(SafeText.visible($0))" } ?? "\(entity) p\(object.key.primaryKey)"
      let properties = object.fields.keys.sorted().map { SafeText.visible($0) }.joined(separator: ", ")
      let what = object.kind == .delete ? "deleted" : properties
      lines.append([
        Piece(object.mark.glyph + " ", Style(object.mark.role, [.bold])), Piece(name),
        Piece(what.isEmpty ? "" : "  " + what, Style(.dim)),
      ])
    }
    if edits.objects.count > mostObjects {
      lines.append([Piece("… and \(edits.objects.count - mostObjects) more", Style(.dim))])
    }
    return lines
  }

  /// Lines of one piece wrap; those of several are cut at the edge.
  private static func wrapped(_ line: [Piece], width: Int) -> [[Piece]] {
    guard line.count == 1, let piece = line.first else { return [line] }
    return TextWrap.lines(piece.text, width: width).map { [Piece($0, piece.style)] }
  }
}
