import CoreData
import TextCanvas

/// The two lines at the bottom: what there is to say, and the keys that are useful here.
enum StatusLines {
  static func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) {
    let layout = state.layout
    if let line = layout.keys { drawKeys(state, keymap, in: line, into: &canvas) }
    guard let line = layout.message else { return }
    let isShared = line == layout.keys
    if let message = state.message {
      if isShared { canvas.fill(line, style: Style()) }
      draw(message, keymap, in: line, into: &canvas)
    } else if !isShared, state.phase == .open {
      drawPlace(state, in: line, into: &canvas)
    }
  }

  private static func draw(_ message: Message, _ keymap: Keymap, in line: Rect, into canvas: inout Canvas) {
    let (mark, style): (String, Style) =
      switch message.kind {
      case .note: ("", Style())
      case .warning: ("", Style(.warning))
      case .error: ("✗ ", Style(.error))
      }
    let more = message.kind == .error ? [Piece("! ", Style(.key)), Piece("in full", Style(.dim))] : []
    let inner = line.inset(horizontal: 1, vertical: 0)
    let (right, left) = inner.trailing(more.isEmpty || inner.width < 30 ? 0 : more.width + 2)
    canvas.write(mark + SafeText.visible(message.text), in: left, style: style)
    canvas.write(more, in: right.leading(2).rest)
  }

  /// What is under the cursor: the column and its kind, and the search that is on.
  private static func drawPlace(_ state: BrowserState, in line: Rect, into canvas: inout Canvas) {
    let inner = line.inset(horizontal: 1, vertical: 0)
    let right = state.heldWords.map { [Piece($0, Style(.warning))] } ?? search(state)
    let (end, start) = inner.trailing(right.width)
    canvas.write(right, in: end)
    let rest = start.trailing(right.isEmpty ? 0 : 2).rest
    let place = place(state)
    guard !state.live.activity.isEmpty else {
      canvas.write(place, in: rest)
      return
    }
    // What happened comes first, then where one is; what happened before takes the room between.
    let newest = ActivityLine.width(state)
    let hasPlace = right.isEmpty && newest + 3 + place.width <= rest.width
    if hasPlace { canvas.write(place, in: rest.trailing(place.width).part) }
    ActivityLine.draw(state, in: rest, room: rest.width - (hasPlace ? place.width + 3 : 0), into: &canvas)
  }

  private static func place(_ state: BrowserState) -> [Piece] {
    switch state.focus {
    case .list:
      guard let list = state.list, list.columns.indices.contains(list.column) else { return [] }
      let property = list.columns[list.column].property
      var pieces = [
        Piece(SafeText.visible(property.name), Style(.header)),
        Piece("  \(property.kind.words)\(zone(state, property))", Style(.dim)),
      ]
      if state.selectedNewObject == nil, let row = list.selectedRow, row.cells.indices.contains(list.column) {
        let value = state.formatter.cell(row.cells[list.column])
        pieces.append(Piece("  " + value.text, Style(value.role)))
      }
      pieces += EditPlace.pieces(state, property)
      return pieces
    case .sidebar:
      if let fetch = state.selectedFetch {
        return [
          Piece(SafeText.visible(fetch.entity), Style(.header)),
          Piece("  " + SafeText.visible(fetch.text), Style(.dim)),
        ]
      }
      guard let entities = state.outline?.entities, entities.indices.contains(state.sidebar.selected) else { return [] }
      let entity = entities[state.sidebar.selected]
      let relationships = entity.properties.count { $0.kind.target != nil }
      let attributes = entity.properties.count - relationships
      return [
        Piece(SafeText.visible(entity.name), Style(.header)),
        Piece("  \(counted(attributes, "attribute")), \(counted(relationships, "relationship"))", Style(.dim)),
      ]
    case .inspector:
      guard let record = state.shownRecord else { return [] }
      return [Piece(SafeText.visible(record.uri), Style(.dim))]
    }
  }

  /// The clock that a date is shown by.
  private static func zone(_ state: BrowserState, _ property: PropertyOutline) -> String {
    guard property.kind == .date else { return "" }
    switch state.zone {
    case .utc: return ", UTC"
    case .local: return ", local time"
    case .named(let zone): return ", " + zone.identifier
    }
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  private static func search(_ state: BrowserState) -> [Piece] {
    guard let list = state.list, let find = list.find else { return [] }
    let text = Piece("“\(SafeText.visible(find.text))”", Style(.match, wash: .match))
    guard let matches = find.matches else {
      return [Piece("looking for ", Style(.dim)), text, Piece(" …", Style(.dim))]
    }
    let count = ValueFormatter.grouped(matches.count)
    if let current = find.current, current < matches.count, matches[current] == list.selectedRow?.key {
      return [
        text, Piece("  \(ValueFormatter.grouped(current + 1))", Style(.number)), Piece(" of \(count)", Style(.dim)),
      ]
    }
    return [text, Piece("  \(count) found", Style(.dim))]
  }

  /// The most useful keys of what takes them, as many as fit; help and quit stand at the right end.
  private static func drawKeys(_ state: BrowserState, _ keymap: Keymap, in line: Rect, into canvas: inout Canvas) {
    canvas.fill(line, style: Style())
    let inner = line.inset(horizontal: 1, vertical: 0)
    let always = ["help.show", "app.quit"]
    let usable = hints(state)
    let right = usable.filter { always.contains($0.id) }.flatMap { pieces($0, keymap, state) + [Piece("  ")] }
      .dropLast()
    let (end, start) = inner.trailing(Array(right).width)
    canvas.write(Array(right), in: end)
    var rest = start
    for command in usable where !always.contains(command.id) {
      let hint = pieces(command, keymap, state)
      guard hint.width + 2 <= rest.width else { break }
      canvas.write(hint, in: rest)
      rest = rest.leading(hint.width + 2).rest
    }
  }

  static func pieces(_ command: Command, _ keymap: Keymap, _ state: BrowserState) -> [Piece] {
    guard let key = keymap.labels(of: command, unicode: state.unicode).first else { return [] }
    return [Piece(key, Style(.key, [.bold])), Piece(" " + command.title, Style(.dim))]
  }

  /// The commands of the layer that takes the keys which can be run now, the most useful first.
  private static func hints(_ state: BrowserState) -> [Command] {
    let scopes: Set<Command.Scope> =
      switch (state.overlay, state.prompt) {
      case (.some(let overlay), _): [overlay.scope]
      case (nil, .some(let prompt)): [prompt.scope]
      case (nil, nil) where state.choice != nil: [.choice, .everywhere]
      case (nil, nil) where state.filterBar != nil: [.filter]
      case (nil, nil): state.editor.map { [$0.scope] } ?? [Command.Scope(state.focus), .everywhere]
      }
    return CommandTable.all
      .filter { $0.hint != nil && scopes.contains($0.scope) && $0.disabledReason(state) == nil }
      .sorted { ($0.hint ?? 0) < ($1.hint ?? 0) }
  }
}
