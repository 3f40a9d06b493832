import CoreData
import TextCanvas

/// All that the browser knows: what every frame is drawn from, and what `reduce` changes.
struct BrowserState: Equatable, Sendable {
  /// How far opening the store has come.
  enum Phase: Equatable, Sendable {
    case opening
    /// A folder holds several stores, and none is chosen yet.
    case choosing(StoreChoice)
    case open
    case failed(Problem)
  }

  /// The terminal's size in cells.
  var size: Size
  /// Whether box drawing and wide glyphs come out.
  var unicode = true
  /// Where the clock hangs that dates are shown by.
  var zone = DateZone.local
  /// The other one to switch to.
  var otherZone = DateZone.utc
  /// The file's name, known before the store is open.
  var storeName: String
  /// The entity the person asked for at the start.
  var wantedEntity: String?
  /// The filter and the order the person asked for at the start.
  var wantedFilter: String?
  var wantedSort: [ListSortKey] = []
  /// How far opening the store has come.
  var phase = Phase.opening
  /// What the store holds.
  var outline: StoreOutline?
  /// How many objects of its own each entity has, as far as that is known.
  var counts: [String: Int] = [:]
  /// The entity being counted.
  var counting: String?
  /// Entities whose objects could not be counted.
  var uncountable: Set<String> = []
  /// The list of entities.
  var sidebar = SidebarState()
  /// The list of objects.
  var list: ListState?
  /// How the columns of entities are shown, where a person changed that.
  var columnPlans: [String: ColumnPlan] = [:]
  /// One object whole.
  var inspector = InspectorState()
  /// Lists left behind, and lists gone back from.
  var history = History()
  /// The pane that keys go to.
  var focus = Pane.list
  /// Whether the focused pane has the screen to itself.
  var isZoomed = false
  /// Widths that the person chose.
  var paneWidths = PaneWidths()
  /// The line being typed, where one is.
  var prompt: Prompt?
  /// The line in which a filter is typed.
  var filterBar: FilterBar?
  /// The filters that are kept.
  var shelf = FilterShelf()
  /// What lies over the panes.
  var overlay: Overlay?
  /// The edits that wait, and whether there may be any.
  var editing = EditingState()
  /// The value being edited; changes of its object wait meanwhile.
  var editor: FieldEditor?
  /// What the message line says.
  var message: Message?
  /// The last error, for `!`.
  var lastProblem: Problem?
  /// The last number given to a list.
  var lastListID = 0
  /// What the mouse has hold of.
  var grip: Grip?
  /// The seconds of the session's clock.
  var now = 0.0
  /// How much of the motion is shown.
  var animation = AnimationLevel.full
  /// How the store is followed.
  var live = LiveState()
  /// What changed lately.
  var marks = Marks()

  /// The state before the store is open.
  init(
    size: Size, unicode: Bool = true, zone: DateZone = .local, storeName: String = "", wantedEntity: String? = nil
  ) {
    self.size = size
    self.storeName = storeName
    self.unicode = unicode
    self.zone = zone
    otherZone = zone == .utc ? .local : .utc
    self.wantedEntity = wantedEntity
  }
}

/// One of the three panes.
enum Pane: Int, CaseIterable, Hashable, Sendable {
  case sidebar, list, inspector
}

/// Widths of panes that the person chose by dragging a border; `nil` leaves them to the layout.
struct PaneWidths: Equatable, Sendable {
  var sidebar: Int?
  var inspector: Int?
}

/// What the mouse has hold of between press and release.
enum Grip: Equatable, Sendable {
  case sidebarBorder
  case inspectorBorder
  case scrollbar
}

/// The list of entities: which one is chosen and which is the first on screen.
struct SidebarState: Equatable, Sendable {
  var selected = 0
  var top = 0
}

/// Lists left behind, newest last.
struct History: Equatable, Sendable {
  /// More steps than this are forgotten, oldest first.
  static let depth = 50

  /// A list as it was left, and where the keys went.
  struct Place: Equatable, Sendable {
    var list: ListState
    var inspector: InspectorState
    var focus: Pane
    var sidebar: Int
  }

  var back: [Place] = []
  var forward: [Place] = []

  /// Remembers a place that is being left for a new one.
  mutating func leave(_ place: Place) {
    back.append(place)
    if back.count > Self.depth { back.removeFirst(back.count - Self.depth) }
    forward = []
  }
}

extension BrowserState {
  /// The outline of an entity by its name.
  func entity(named name: String) -> EntityOutline? {
    outline?.entities.first { $0.name == name }
  }

  /// The name of an object's own entity.
  func entityName(of key: ObjectKey) -> String {
    outline?.entities.first { $0.number == key.entity }?.name ?? list?.query.entity ?? ""
  }

  /// Shows dates by the other clock.
  mutating func switchZone() {
    swap(&zone, &otherZone)
    message = Message(text: "Dates are shown in \(zone.name) time.")
  }

  /// The formatter for what stands in grids and inspectors.
  var formatter: ValueFormatter { ValueFormatter(zone: zone, unicode: unicode) }

  /// How many objects an entity has with its subentities, once all of them are counted.
  func total(of name: String) -> Int? {
    guard let entities = outline?.entities, let start = entities.firstIndex(where: { $0.name == name }) else {
      return nil
    }
    var total = 0
    var index = start
    repeat {
      guard let own = counts[entities[index].name] ?? (entities[index].isAbstract ? 0 : nil) else { return nil }
      total += own
      index += 1
    } while index < entities.count && entities[index].depth > entities[start].depth
    return total
  }

  /// How many objects the list has, as far as that is known.
  var listCount: Int? {
    guard let list else { return nil }
    if let keys = list.keys { return keys.count }
    return list.query.scope == .all && list.query.text == nil && list.query.filter == nil
      ? total(of: list.query.entity) : nil
  }

  /// The position of the list's first buffered row, as far as that is known.
  var bufferPosition: Int? {
    guard let list else { return nil }
    if let position = list.buffer.position { return position }
    guard list.buffer.reachesEnd, !list.buffer.rows.isEmpty, let count = listCount else { return nil }
    return count >= list.buffer.rows.count ? count - list.buffer.rows.count : nil
  }

  /// The position of the selected object in its list, as far as that is known.
  var selectedPosition: Int? {
    guard let list, list.selectedRow != nil, let start = bufferPosition else { return nil }
    return start + list.cursor
  }
}
