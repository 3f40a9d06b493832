import CoreData
import TextCanvas

/// The stores of a folder in place of the panes, until one is chosen.
struct StoreChoiceLayer: Layer {
  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press):
      let command = keymap.command(for: press, in: .choice) ?? keymap.command(for: press, in: .everywhere)
      return .taken(command?.intent(in: state))
    case .mouse(let mouse):
      let rows = StoreChoiceScreen.rows(of: state)
      switch mouse.kind {
      case .wheelUp: return .taken(.chooseStore(.up))
      case .wheelDown: return .taken(.chooseStore(.down))
      case .press where rows.contains(mouse.position), .doublePress where rows.contains(mouse.position):
        return .taken(.openStore((state.choice?.top ?? 0) + mouse.position.y - rows.y))
      default: return .taken(nil)
      }
    default: return .taken(nil)
    }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    StoreChoiceScreen.draw(state, into: &canvas)
    return nil
  }
}

/// How the stores are listed: place, kind, size.
enum StoreChoiceScreen {
  /// The lines of the stores.
  static func rows(of state: BrowserState) -> Rect {
    let body = state.layout.body(in: state.size)
    let inside = Layout.hasFrame(body) ? body.inset(by: 1).inset(horizontal: 1, vertical: 0) : body
    return inside.height > 3 ? inside.top(2).rest : inside
  }

  static func draw(_ state: BrowserState, into canvas: inout Canvas) {
    guard let choice = state.choice else { return }
    let body = state.layout.body(in: state.size)
    canvas.fill(body, style: Style())
    if Layout.hasFrame(body) {
      canvas.box(body, style: Style(.accent, [.bold]))
      canvas.write(
        " \(choice.stores.count) stores in \(SafeText.visible(state.storeName)) ",
        in: Rect(x: body.x + 2, y: body.y, width: body.width - 4, height: 1), style: Style(.accent, [.bold]))
    }
    let rows = rows(of: state)
    if rows.y >= body.y + 3 {
      canvas.write(
        "Several stores are here. Which one?", in: Rect(x: rows.x, y: rows.y - 2, width: rows.width, height: 1),
        style: Style(.dim))
    }
    let kindWidth = rows.width >= 44 ? 11 : 0
    let sizeWidth = rows.width >= 30 ? 10 : 0
    for (line, index) in choice.stores.indices.dropFirst(choice.top).prefix(rows.height).enumerated() {
      let store = choice.stores[index]
      let isSelected = index == choice.selected
      let row = rows.row(line)
      let wash: Role? = isSelected ? .selected : nil
      if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
      let path = Rect(
        x: row.x + 2, y: row.y, width: max(1, row.width - 3 - kindWidth - sizeWidth), height: 1)
      canvas.write(isSelected ? "▌" : " ", at: row.origin, style: Style(.accent, wash: wash))
      // The end of a path says more than its beginning.
      canvas.write(
        CellWidth.fitEnd(SafeText.visible(store.path), columns: path.width), in: path,
        style: Style(isSelected ? .accent : .text, wash: wash, isSelected ? [.bold] : []))
      if kindWidth > 0 {
        canvas.write(
          kind(store.kind), in: Rect(x: path.maxX + 1, y: row.y, width: kindWidth - 1, height: 1),
          style: Style(.dim, wash: wash))
      }
      if sizeWidth > 0 {
        canvas.write(
          ValueFormatter.size(store.size), in: Rect(x: row.maxX - sizeWidth, y: row.y, width: sizeWidth, height: 1),
          alignment: .trailing, style: Style(.number, wash: wash))
      }
    }
  }

  private static func kind(_ kind: StoreSearch.Found.Kind) -> String {
    switch kind {
    case .coreData: "Core Data"
    case .xml: "XML store"
    case .sqlite: "SQLite"
    }
  }
}
