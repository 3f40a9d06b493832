import CoreData

/// Which columns a list shows, in what order, and how many of them stay while the others scroll.
///
/// One plan an entity, for as long as the program runs. The cells of rows are read for all columns in any case: a plan is
/// about the eye, and changing it reads nothing.
struct ColumnPlan: Hashable, Sendable {
  /// Names in the order of the screen; those that are not named follow in the entity's own order.
  var order: [String] = []
  var hidden: Set<String> = []
  /// How many of the columns shown stay while the others scroll.
  var frozen = 1
  /// Widths that the person chose.
  var widths: [String: Int] = [:]
}

extension ListState {
  /// All columns in the plan's order, as indices into `columns`.
  var orderedColumns: [Int] {
    guard !plan.order.isEmpty else { return Array(columns.indices) }
    let places = Dictionary(plan.order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return columns.indices.sorted {
      (places[columns[$0].name] ?? plan.order.count + $0) < (places[columns[$1].name] ?? plan.order.count + $1)
    }
  }

  /// The columns that are shown, in order, as indices into `columns`; never none.
  var shownColumns: [Int] {
    guard !plan.hidden.isEmpty else { return orderedColumns }
    let shown = orderedColumns.filter { !plan.hidden.contains(columns[$0].name) }
    return shown.isEmpty ? Array(orderedColumns.prefix(1)) : shown
  }

  /// How many of the columns shown stay in place; one at least scrolls.
  var frozenCount: Int { max(0, min(plan.frozen, shownColumns.count - 1)) }

  /// Shows a column or hides it; the last one that is shown stays.
  ///
  /// Answers whether that was possible.
  mutating func toggle(column index: Int, width: Int) -> Bool {
    let name = columns[index].name
    let shown = shownColumns
    if plan.hidden.remove(name) != nil { return true }
    guard shown.count > 1, let position = shown.firstIndex(of: index) else { return false }
    if position < plan.frozen { plan.frozen -= 1 }
    plan.hidden.insert(name)
    if column == index { column = shown[position == 0 ? 1 : position - 1] }
    revealColumn(width: width)
    return true
  }

  /// Shows a column that something leads to.
  mutating func unhide(column index: Int) {
    guard columns.indices.contains(index) else { return }
    plan.hidden.remove(columns[index].name)
  }

  /// Gives a column another place among all of them, hidden ones included.
  mutating func move(columnAt position: Int, by step: Int) -> Int {
    var order = orderedColumns
    let target = max(0, min(order.count - 1, position + step))
    guard order.indices.contains(position), target != position else { return position }
    order.insert(order.remove(at: position), at: target)
    plan.order = order.map { columns[$0].name }
    return target
  }

  /// Lets a column stay at the left while the others scroll, or lets it go back among them.
  mutating func toggleFrozen(column index: Int, width: Int) {
    guard let position = shownColumns.firstIndex(of: index) else { return }
    let frozen = frozenCount
    var order = orderedColumns
    order.removeAll { $0 == index }
    if position < frozen {
      plan.frozen = frozen - 1
      // Back to where the entity has it, among those that scroll.
      let stays = Set(shownColumns.prefix(frozen)).subtracting([index])
      let place = order.firstIndex { !stays.contains($0) && $0 > index } ?? order.count
      order.insert(index, at: place)
    } else {
      plan.frozen = frozen + 1
      let last = frozen == 0 ? nil : order.firstIndex(of: shownColumns[frozen - 1])
      order.insert(index, at: last.map { $0 + 1 } ?? 0)
    }
    plan.order = order.map { columns[$0].name }
    // The others stay where they are on screen.
    firstColumn = max(frozenCount, firstColumn + (frozenCount - frozen))
    revealColumn(width: width)
  }
}
