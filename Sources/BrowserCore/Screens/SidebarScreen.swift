import CoreData
import TextCanvas

/// The entities, subentities below their parents, with how many objects a list of each would show.
enum SidebarScreen {
  static func draw(_ state: BrowserState, in pane: Rect, into canvas: inout Canvas) {
    let isFocused = state.focus == .sidebar
    let entities = state.outline?.entities ?? []
    let inside = Layout.inside(pane)
    let isLonger = state.sidebarLines > inside.height
    let fetches = state.fetches
    Frame(
      number: 1, title: [Piece("Entities", Frame.name(isFocused: isFocused))],
      footer: isLonger ? [Piece("\(state.sidebar.selected + 1) of \(state.sidebarCount)", Style(.dim))] : [],
      isFocused: isFocused
    ).draw(in: pane, into: &canvas)
    if entities.isEmpty {
      Notice(lines: [Piece("No entities", Style(.dim))]).draw(in: inside, into: &canvas)
    }
    for line in 0..<inside.height {
      guard let index = state.sidebarIndex(onLine: state.sidebar.top + line) else {
        if state.sidebar.top + line == entities.count, !fetches.isEmpty {
          canvas.write("Saved fetches", in: inside.row(line).leading(1).rest, style: Style(.header))
        }
        continue
      }
      guard entities.indices.contains(index) else {
        draw(
          fetches[index - entities.count], isSelected: index == state.sidebar.selected, isFocused: isFocused,
          in: inside.row(line), into: &canvas)
        continue
      }
      draw(
        entities[index], total: total(of: entities[index], state), badge: badge(of: entities[index], state),
        isSelected: index == state.sidebar.selected, isFocused: isFocused, in: inside.row(line), into: &canvas)
    }
  }

  /// A fetch: a person's own, or the model's with a mark, and with `…` where it asks for values.
  private static func draw(
    _ fetch: SidebarFetch, isSelected: Bool, isFocused: Bool, in row: Rect, into canvas: inout Canvas
  ) {
    let wash: Role? = isSelected ? (isFocused ? .selected : .inactiveSelection) : nil
    if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
    if isSelected { canvas.write("▌", at: row.origin, style: Style(.accent, wash: wash)) }
    let cells = row.leading(2).rest.trailing(1).rest
    var (name, detail) = (SafeText.visible(fetch.name), "")
    if case .template(let template) = fetch {
      detail = "model"
      if !template.variables.isEmpty { name += "…" }
    }
    let room = cells.width >= CellWidth.width(of: name) + detail.count + 1 ? detail.count : 0
    canvas.write(
      name, in: cells.trailing(room == 0 ? 0 : room + 1).rest,
      style: Style(.link, wash: wash, isSelected ? [.bold] : []))
    if room > 0 { canvas.write(detail, in: cells, alignment: .trailing, style: Style(.dim, wash: wash)) }
  }

  private static func total(of entity: EntityOutline, _ state: BrowserState) -> String {
    if let total = state.total(of: entity.name) { return ValueFormatter.grouped(total) }
    return state.uncountable.contains(entity.name) ? "?" : "…"
  }

  /// What happened to the objects of an entity a moment ago, and how much of that is still shown.
  private static func badge(of entity: EntityOutline, _ state: BrowserState) -> (badge: Badge, strength: UInt8)? {
    guard let badge = state.live.badges[entity.name] else { return nil }
    let strength = badge.fade.strength(at: state.now, state.animation)
    return strength > 0 ? (badge, strength) : nil
  }

  private static func draw(
    _ entity: EntityOutline, total: String, badge: (badge: Badge, strength: UInt8)?, isSelected: Bool, isFocused: Bool,
    in row: Rect, into canvas: inout Canvas
  ) {
    let wash: Role? = isSelected ? (isFocused ? .selected : .inactiveSelection) : nil
    if let wash { canvas.fill(row, style: Style(.text, wash: wash)) }
    if isSelected { canvas.write("▌", at: row.origin, style: Style(.accent, wash: wash)) }
    let cells = row.leading(2).rest.trailing(1).rest
    let counted = min(CellWidth.width(of: total), cells.width)
    let names = cells.trailing(counted + 1).rest
    let indented = names.leading(min(entity.depth * 2, max(0, names.width - 6))).rest
    var name = Style(entity.isAbstract ? .dim : .text, wash: wash)
    if entity.isAbstract { name.attributes.insert(.italic) }
    if isSelected { name.attributes.insert(.bold) }
    let text = SafeText.visible(entity.name)
    canvas.write(text, in: indented, style: name)
    let rest = indented.leading(CellWidth.width(of: text) + 1).rest
    if entity.isAbstract, rest.width >= 10 {
      canvas.write("(abstract)", in: rest, style: Style(.dim, wash: wash))
    }
    var number = Style(total == "…" || total == "0" || entity.isAbstract ? .dim : .number, wash: wash)
    if let (badge, strength) = badge {
      number = Style(number.role, wash: badge.kind.role, strength: strength)
      canvas.fill(cells.trailing(counted).part, style: Style(.text, wash: badge.kind.role, strength: strength))
      let room = rest.width - (entity.isAbstract && rest.width >= 10 ? 11 : 0)
      let pieces = badge.tally.parts.map { Piece($0.text, Style($0.kind.role, wash: wash)) }
      if let widest = pieces.first, CellWidth.width(of: widest.text) <= room {
        let shown = pieces.width + pieces.count - 1 <= room ? pieces : [widest]
        let spaced = Array(shown.map { [$0] }.joined(separator: [Piece(" ", Style(.text, wash: wash))]))
        canvas.write(spaced, in: rest.trailing(spaced.width).part)
      }
    }
    canvas.write(total, in: cells, alignment: .trailing, style: number)
  }
}
