import TextCanvas

/// What the mouse means on the panes.
struct MouseMap {
  private let state: BrowserState
  private let layout: Layout
  /// Lines that one turn of the wheel scrolls.
  static let wheelLines = 3

  init(_ state: BrowserState) {
    self.state = state
    layout = state.layout
  }

  func intent(for mouse: MouseEvent) -> Intent? {
    switch mouse.kind {
    case .release: return state.grip == nil ? nil : .release
    case .drag: return state.grip == nil ? nil : .drag(mouse.position)
    case .wheelUp: return pane(at: mouse.position).map { .scroll($0, -Self.wheelLines) }
    case .wheelDown: return pane(at: mouse.position).map { .scroll($0, Self.wheelLines) }
    case .press, .doublePress:
      guard mouse.button == .left, state.phase == .open else { return nil }
      return grip(at: mouse.position).map { .grip($0, mouse.position) }
        ?? press(at: mouse.position, isDouble: mouse.kind == .doublePress)
    }
  }

  private func pane(at point: Point) -> Pane? {
    Pane.allCases.first { layout.rect(of: $0)?.contains(point) == true }
  }

  /// The border or scrollbar under the mouse.
  private func grip(at point: Point) -> Grip? {
    if let list = layout.list, list.contains(point), point.x == list.maxX - 1, Layout.hasFrame(list),
      let rows = Optional(state.listAreas(in: list).rows), point.y >= rows.y, point.y < rows.maxY,
      ListScreen.thumb(state, rows) != nil
    {
      return .scrollbar
    }
    if let sidebar = layout.sidebar, let list = layout.list, sidebar.maxX == list.x,
      point.x == sidebar.maxX - 1 || point.x == list.x, sidebar.y <= point.y, point.y < sidebar.maxY
    {
      return .sidebarBorder
    }
    if let inspector = layout.inspector, let list = layout.list, list.maxX == inspector.x,
      point.x == inspector.x || point.x == list.maxX - 1, inspector.y <= point.y, point.y < inspector.maxY
    {
      return .inspectorBorder
    }
    return nil
  }

  private func press(at point: Point, isDouble: Bool) -> Intent? {
    guard let pane = pane(at: point), let rect = layout.rect(of: pane) else { return nil }
    let inside = Layout.inside(rect)
    guard inside.contains(point) else { return .focus(pane) }
    switch pane {
    case .sidebar:
      guard let index = state.sidebarIndex(onLine: state.sidebar.top + point.y - inside.y) else {
        return .focus(.sidebar)
      }
      return isDouble && state.focus == .sidebar ? .open : .chooseEntity(index)
    case .list: return pressList(at: point, in: rect, isDouble: isDouble)
    case .inspector:
      guard let record = state.shownRecord else { return .focus(.inspector) }
      let lines = state.inspectorLines(record, width: inside.width)
      let index = state.inspector.top + point.y - inside.y
      guard lines.lines.indices.contains(index), let field = lines.lines[index].field else { return .focus(.inspector) }
      return isDouble && state.focus == .inspector ? .open : .chooseField(field)
    }
  }

  private func pressList(at point: Point, in pane: Rect, isDouble: Bool) -> Intent {
    guard let list = state.list else { return .focus(.list) }
    let rows = Layout.rows(ofList: pane)
    let arrangement = ColumnArrangement(list, width: rows.width - Layout.gutter)
    let x = point.x - rows.x - Layout.gutter
    let column = arrangement.slots.last { $0.x <= x && x < $0.x + $0.width + ColumnArrangement.gap }?.index
    if point.y < rows.y {
      return column.map { .sortColumn($0) } ?? .focus(.list)
    }
    let areas = state.listAreas(in: pane)
    if areas.new.contains(point) {
      return .editing(.chooseNew(areas.firstNew + point.y - areas.new.y, column: column))
    }
    let lines = AnimationPlan(state).lines
    guard lines.indices.contains(point.y - areas.rows.y) else { return .focus(.list) }
    let index: Int
    switch lines[point.y - areas.rows.y].content {
    case .row(let row): index = row
    case .ghost(let ghost): return .refuse(list.reason(ofGhost: ghost))
    }
    if isDouble, state.focus == .list, index == list.cursor { return .open }
    return .chooseRow(index, column: column)
  }
}
