import CoreData
import TextCanvas

extension BrowserState {
  /// Shows another list from its first row.
  mutating func show(
    _ query: ListQuery, filter: String? = nil, trail: [String] = [], isAlone: Bool = false, remembering: Bool
  ) -> [Effect] {
    guard let entity = entity(named: query.entity) else {
      message = Message(text: "The model has no entity \(query.entity).", kind: .error)
      return []
    }
    if remembering, let place = currentPlace { history.leave(place) }
    lastListID += 1
    var next = ListState(id: lastListID, query: query, columns: ListState.columns(of: entity))
    next.follow(columnPlans[query.entity])
    next.filter = filter
    next.trail = trail
    next.isAlone = isAlone
    let request = next.replace(.first, place: .start, height: listHeight)
    list = next
    selectInSidebar(query.entity)
    return [.cancel(Work.ofList), .window(request)]
  }

  private var currentPlace: History.Place? {
    list.map { History.Place(list: $0.parked, inspector: inspector, focus: focus, sidebar: sidebar.selected) }
  }

  private mutating func selectInSidebar(_ entity: String) {
    guard let index = outline?.entities.firstIndex(where: { $0.name == entity }) else { return }
    sidebar.selected = index
    revealInSidebar()
  }

  /// Shows all objects of the entity at an index; a fetch behind the entities is selected only.
  mutating func choose(entity index: Int) -> [Effect] {
    guard let entities = outline?.entities, index >= 0, index < sidebarCount else { return [] }
    sidebar.selected = index
    revealInSidebar()
    guard entities.indices.contains(index) else { return [] }
    if let list, list.query.entity == entities[index].name, list.trail.isEmpty { return [] }
    return show(ListQuery(entity: entities[index].name), remembering: list?.trail.isEmpty == false)
  }

  /// Enter: opens or follows what is selected in the pane that has the focus.
  mutating func open() -> [Effect] {
    switch focus {
    case .sidebar:
      if let selectedFetch { return open(selectedFetch) }
      return choose(entity: sidebar.selected) + focus(on: .list)
    case .list:
      if selectedNewObject != nil { return focus(on: .inspector) }
      guard var list else { return [] }
      if list.failure != nil {
        let request = list.replace(.first, place: .start, height: listHeight)
        self.list = list
        return [.window(request)]
      }
      if let fallenReason {
        message = Message(text: fallenReason, kind: .warning)
        return []
      }
      guard let row = list.selectedRow, list.columns.indices.contains(list.column) else { return [] }
      let property = list.columns[list.column].property
      guard property.kind.target != nil, row.cells.indices.contains(list.column) else { return focus(on: .inspector) }
      return follow(property, of: row.key, value: row.cells[list.column])
    case .inspector:
      guard let record = shownRecord, record.fields.indices.contains(inspector.field) else { return [] }
      let field = record.fields[inspector.field]
      return follow(field.property, of: record.key, value: field.value)
    }
  }

  /// Opens the objects at the other end of a relationship.
  private mutating func follow(_ property: PropertyOutline, of key: ObjectKey, value: CellValue) -> [Effect] {
    guard let target = property.kind.target, let list else { return [] }
    if key.isNew {
      message = Message(text: "A new object leads somewhere once it is saved.")
      return []
    }
    if value == .null || value == .objects(count: 0) {
      message = Message(text: "\(SafeText.visible(property.name)) is empty: there is nothing to open.")
      return []
    }
    var trail = list.trail
    if trail.isEmpty || !list.isAlone { trail.append(label(of: key)) }
    trail.append(SafeText.visible(property.name))
    let query = ListQuery(entity: target, scope: .related(to: key, relationship: property.name))
    let effects = show(query, trail: trail, isAlone: property.kind.isToOne, remembering: true)
    return effects + focus(on: .list)
  }

  /// What an object is called: its display name, or else entity and number.
  func label(of key: ObjectKey) -> String {
    if let title = title(of: key), !title.isEmpty { return SafeText.visible(title) }
    if key.isNew { return "new \(SafeText.visible(entityName(of: key)))" }
    return "\(SafeText.visible(entityName(of: key))) \(key.primaryKey)"
  }

  /// The display name as far as the grid knows it.
  func titleInRow(of key: ObjectKey) -> String? { list?.title(of: key) }

  /// Returns to the list before this one, with its selection, column and scroll position.
  mutating func goBack() -> [Effect] {
    guard let place = history.back.popLast() else { return [] }
    if let currentPlace { history.forward.append(currentPlace) }
    return resume(place)
  }

  /// Returns to the list that was gone back from.
  mutating func goForward() -> [Effect] {
    guard let place = history.forward.popLast() else { return [] }
    if let currentPlace { history.back.append(currentPlace) }
    return resume(place)
  }

  private mutating func resume(_ place: History.Place) -> [Effect] {
    var resumed = place.list
    resumed.extending = []
    resumed.owed = 0
    resumed.stageTwo = .pending
    var requests: [WindowRequest] = []
    if resumed.buffer.rows.isEmpty, !resumed.isEmpty {
      requests.append(resumed.replace(.first, place: .start, height: listHeight))
    } else {
      resumed.replacing = nil
    }
    list = resumed
    inspector = place.inspector
    // What was still being read when the list was left is read again.
    if inspector.record?.key != inspector.key { inspector.key = nil }
    focus = place.focus
    sidebar.selected = place.sidebar
    var effects: [Effect] = [.cancel(Work.ofList)] + requests.map(Effect.window) + settle() + startStageTwo()
    if let find = resumed.find, find.matches == nil { effects += searchAgain() }
    return effects
  }

  /// Sorts by a column, ascending first and then the other way, and shows the first row.
  mutating func sort(by column: Int) -> [Effect] {
    guard let old = list, old.columns.indices.contains(column) else { return [] }
    let property = old.columns[column].property
    guard property.isSortable else {
      message = Message(text: "A list cannot be sorted by \(SafeText.visible(property.name)).", kind: .warning)
      return []
    }
    let isReversal = old.query.sort.first?.key == property.name && old.query.sort.first?.ascending == true
    var query = old.query
    query.sort = [ListSortKey(property.name, ascending: !isReversal)]
    list?.column = column
    let effects = relist(query, filter: old.filter)
    let width = listWidth
    list?.revealColumn(width: width)
    return effects
  }
}

extension PropertyOutline.Kind {
  /// The entity at the other end of a relationship.
  var target: String? {
    switch self {
    case .toOne(let entity), .toMany(let entity, _): entity
    default: nil
    }
  }

  var isToOne: Bool {
    if case .toOne = self { true } else { false }
  }
}
