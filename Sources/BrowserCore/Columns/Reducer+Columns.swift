import CoreData
import TextCanvas

/// What a person can want of columns.
enum ColumnIntent: Hashable, Sendable {
  /// Shows all columns to choose from.
  case open
  /// Lets the current column stay while the others scroll, or no longer.
  case freeze
  /// The column on a line of the chooser.
  case choose(Int)
  /// Shows the chosen column, or hides it.
  case toggle
  /// Gives the chosen column a place further right; negative further left.
  case shift(Int)
  /// Everything as it was at first.
  case reset
  /// Goes to the chosen column.
  case go
}

/// The columns of a list to choose from.
struct ColumnChooser: Hashable, Sendable {
  /// The chosen line: a place in the order of the screen.
  var selected = 0
  /// The first line on screen.
  var top = 0
}

extension BrowserState {
  mutating func columns(_ intent: ColumnIntent) -> [Effect] {
    guard var list else { return [] }
    let width = listWidth
    var chooser: ColumnChooser?
    if case .columns(let open) = overlay { chooser = open }
    let index = chooser.flatMap {
      list.orderedColumns.indices.contains($0.selected) ? list.orderedColumns[$0.selected] : nil
    }
    switch intent {
    case .open: chooser = ColumnChooser(selected: list.orderedColumns.firstIndex(of: list.column) ?? 0)
    case .freeze:
      let frozen = index ?? list.column
      list.unhide(column: frozen)
      list.toggleFrozen(column: frozen, width: width)
      chooser?.selected = list.orderedColumns.firstIndex(of: frozen) ?? 0
      if chooser == nil {
        let stays = (list.shownColumns.firstIndex(of: frozen) ?? 0) < list.frozenCount
        let name = SafeText.visible(list.columns[frozen].name)
        message = Message(text: stays ? "\(name) stays while the others scroll." : "\(name) scrolls with the others.")
      }
    case .choose(let line): chooser?.selected = max(0, min(line, list.columns.count - 1))
    case .toggle:
      guard let index else { break }
      if !list.toggle(column: index, width: width) {
        message = Message(text: "One column must be shown.", kind: .warning)
      }
    case .shift(let step):
      if let selected = chooser?.selected { chooser?.selected = list.move(columnAt: selected, by: step) }
      list.revealColumn(width: width)
    case .reset:
      list.plan = ColumnPlan()
      for column in list.columns.indices { list.columns[column].chosen = nil }
      chooser?.selected = index ?? 0
      list.revealColumn(width: width)
    case .go:
      guard let index else { break }
      list.unhide(column: index)
      list.column = index
      list.revealColumn(width: width)
      chooser = nil
      overlay = nil
      focus = .list
    }
    self.list = list
    keepColumns()
    if let chooser { overlay = .columns(chooser) }
    revealInOverlay()
    return []
  }

  /// Keeps the list's plan for the next list of its entity.
  mutating func keepColumns() {
    guard let list else { return }
    columnPlans[list.query.entity] = list.plan
  }
}

extension ListState {
  /// Shows the columns as the person left those of the entity.
  mutating func follow(_ plan: ColumnPlan?) {
    guard let plan else { return }
    self.plan = plan
    for index in columns.indices { columns[index].chosen = plan.widths[columns[index].name] }
    column = shownColumns.first ?? 0
    firstColumn = frozenCount
  }
}
