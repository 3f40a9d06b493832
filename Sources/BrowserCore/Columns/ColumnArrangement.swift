import CoreData
import TextCanvas

/// Where one column stands on screen.
struct ColumnSlot: Equatable {
  /// Which column.
  var index: Int
  /// The first screen column, counted from the left edge of the rows.
  var x: Int
  var width: Int
}

extension Column {
  /// A heading takes no more than this by itself.
  static let headingLimit = 14
  static let least = 3

  /// What text takes by itself at most in a list of some width.
  static func textLimit(listWidth: Int) -> Int { min(max(12, listWidth * 3 / 10), 40) }

  /// The width this column wants: what the person chose, or the widest value and the heading within limits.
  func width(isSorted: Bool, listWidth: Int) -> Int {
    if let chosen { return chosen }
    let heading = min(headingWidth, Self.headingLimit) + (isSorted ? 2 : 0)
    let value = property.kind.canBeCut ? min(natural, Self.textLimit(listWidth: listWidth)) : natural
    return max(value, heading, Self.least)
  }

  /// The width at which nothing of what was seen is cut.
  func fullWidth(isSorted: Bool) -> Int {
    chosen ?? max(natural, headingWidth + (isSorted ? 2 : 0), Self.least)
  }

  private var headingWidth: Int { CellWidth.width(of: SafeText.visible(name)) }
}

/// Which columns are on screen and where: the frozen ones stay, the others scroll, and what room is left goes to text that
/// would otherwise be cut.
struct ColumnArrangement: Equatable {
  /// Columns between two neighbours.
  static let gap = 2
  /// What a column needs at least, beside those that stay.
  private static let leastRoom = 8

  var slots: [ColumnSlot] = []
  /// Whether columns are hidden behind those that stay.
  var hidesLeading = false
  /// Whether columns are hidden at the right.
  var hidesTrailing = false
  /// How many of the slots stay while the others scroll.
  var frozen = 0

  init(_ list: ListState, width: Int) {
    let shown = list.shownColumns
    guard !shown.isEmpty, width > 0 else { return }
    let columns = shown.map { list.columns[$0] }
    let widths = columns.map { $0.width(isSorted: list.isSorted(by: $0), listWidth: width) }
    frozen = list.frozenCount
    let next = max(frozen, min(list.firstColumn, columns.count - 1))
    var x = 0
    for index in 0..<frozen {
      let own = Self.frozenWidth(index, of: frozen, next: next, columns, widths, from: x, width: width)
      // Where the screen is too narrow for all that stay, one after them must be seen all the same.
      guard own >= Column.least || index == 0 else {
        frozen = index
        break
      }
      slots.append(ColumnSlot(index: shown[index], x: x, width: max(1, min(own, width - x))))
      x += slots[index].width + Self.gap
    }
    var index = next
    hidesLeading = index > list.frozenCount || frozen < list.frozenCount
    while index < columns.count, x < width {
      let room = width - x
      let canBeCut = columns[index].property.kind.canBeCut
      if widths[index] <= room {
        slots.append(ColumnSlot(index: shown[index], x: x, width: widths[index]))
      } else if canBeCut, room >= min(Self.leastRoom, widths[index]) || slots.count == frozen {
        slots.append(ColumnSlot(index: shown[index], x: x, width: room))
      } else if slots.count == frozen {
        // Something of the current column must be seen, however narrow the screen is.
        slots.append(ColumnSlot(index: shown[index], x: x, width: room))
      } else {
        break
      }
      x += widths[index] + Self.gap
      index += 1
    }
    hidesTrailing = index < columns.count
    giveRoom(list, width: width)
  }

  /// The width of a column that stays: one that would leave no room for others gives way.
  private static func frozenWidth(
    _ index: Int, of frozen: Int, next: Int, _ columns: [Column], _ widths: [Int], from x: Int, width: Int
  ) -> Int {
    var own = widths[index]
    let canBeCut = columns[index].property.kind.canBeCut
    if frozen > 1 {
      // Those after it need their least, and something that scrolls must be seen.
      let rest = (frozen - 1 - index) * (Column.least + gap) + gap + leastRoom
      let room = width - x - rest
      if index == 0 { return min(own, max(room, width / 2)) }
      return canBeCut ? min(own, room) : own <= room ? own : 0
    }
    own = min(own, max(width / 2, canBeCut ? leastRoom : width - gap - leastRoom))
    if !columns[next].property.kind.canBeCut, canBeCut {
      own = min(own, max(leastRoom, width - gap - widths[next]))
    }
    return own
  }

  /// Gives what is left at the right to columns whose text is cut, in order.
  private mutating func giveRoom(_ list: ListState, width: Int) {
    guard let last = slots.last else { return }
    var room = width - (last.x + last.width)
    for position in slots.indices where room > 0 {
      let column = list.columns[slots[position].index]
      let wanted = column.fullWidth(isSorted: list.isSorted(by: column))
      let extra = min(room, wanted - slots[position].width)
      guard extra > 0 else { continue }
      slots[position].width += extra
      for later in slots.indices where later > position { slots[later].x += extra }
      room -= extra
    }
  }
}

extension ListState {
  /// The columns of an entity, in its outline's order.
  static func columns(of entity: EntityOutline) -> [Column] {
    entity.properties.map { Column(property: $0) }
  }

  /// Whether the list's order is by a column.
  func isSorted(by column: Column) -> Bool { column.name == query.sort.first?.key }

  /// Lets columns grow to the widest value of new rows.
  mutating func widen(for rows: [ListRow]) {
    let formatter = ValueFormatter(zone: .utc)
    for row in rows {
      for (index, value) in row.cells.enumerated() where index < columns.count {
        let width = CellWidth.width(of: formatter.cell(value).text)
        if width > columns[index].natural { columns[index].natural = width }
      }
    }
  }

  /// Makes another of the columns shown the current one and scrolls it into view.
  mutating func moveColumn(by step: Int, width: Int) {
    let shown = shownColumns
    guard !shown.isEmpty else { return }
    let position = shown.firstIndex(of: column) ?? 0
    column = shown[min(max(0, position + step), shown.count - 1)]
    revealColumn(width: width)
  }

  /// Scrolls sideways until the current column is wholly on screen, as far as there is room.
  mutating func revealColumn(width: Int) {
    let (shown, frozen) = (shownColumns, frozenCount)
    guard let position = shown.firstIndex(of: column), position > 0 else {
      firstColumn = min(firstColumn, frozen)
      return
    }
    firstColumn = max(frozen, min(firstColumn, shown.count - 1))
    // What stays is on screen anyway.
    guard position >= frozen else { return }
    if position < firstColumn { firstColumn = position }
    while firstColumn < position {
      let arrangement = ColumnArrangement(self, width: width)
      if let slot = arrangement.slots.first(where: { $0.index == column }), slot.width >= wanted(column, in: width) {
        return
      }
      firstColumn += 1
    }
  }

  private func wanted(_ index: Int, in width: Int) -> Int {
    min(columns[index].width(isSorted: isSorted(by: columns[index]), listWidth: width), width / 2)
  }

  /// Makes the current column wider or narrower.
  mutating func resizeColumn(by step: Int, width: Int) {
    guard columns.indices.contains(column) else { return }
    let current = columns[column].width(isSorted: isSorted(by: columns[column]), listWidth: width)
    var chosen = max(Column.least, current + step)
    if !columns[column].property.kind.canBeCut { chosen = max(chosen, columns[column].natural) }
    chosen = min(chosen, max(Column.least, width))
    columns[column].chosen = chosen
    plan.widths[columns[column].name] = chosen
    revealColumn(width: width)
  }
}
