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

/// Which columns are on screen and where: the first column stays, the others scroll, and what room is left goes to text
/// that would otherwise be cut.
struct ColumnArrangement: Equatable {
  /// Columns between two neighbours.
  static let gap = 2

  var slots: [ColumnSlot] = []
  /// Whether columns are hidden behind the first one.
  var hidesLeading = false
  /// Whether columns are hidden at the right.
  var hidesTrailing = false

  init(_ list: ListState, width: Int) {
    let columns = list.columns
    guard !columns.isEmpty, width > 0 else { return }
    let widths = columns.map { $0.width(isSorted: list.isSorted(by: $0), listWidth: width) }
    // A first column that would leave no room for others gives way.
    var first = widths[0]
    if columns.count > 1 {
      first = min(first, max(width / 2, columns[0].property.kind.canBeCut ? 8 : width - Self.gap - 8))
    }
    let next = max(1, list.firstColumn)
    if next < columns.count, !columns[next].property.kind.canBeCut, columns[0].property.kind.canBeCut {
      first = min(first, max(8, width - Self.gap - widths[next]))
    }
    slots = [ColumnSlot(index: 0, x: 0, width: min(first, width))]
    var x = slots[0].width + Self.gap
    var index = next
    hidesLeading = index > 1 && columns.count > 1
    while index < columns.count, x < width {
      let room = width - x
      if widths[index] <= room {
        slots.append(ColumnSlot(index: index, x: x, width: widths[index]))
      } else if columns[index].property.kind.canBeCut, room >= min(8, widths[index]) {
        slots.append(ColumnSlot(index: index, x: x, width: room))
      } else if slots.count == 1, columns[index].property.kind.canBeCut || room >= 1 {
        // Something of the current column must be seen, however narrow the screen is.
        slots.append(ColumnSlot(index: index, x: x, width: room))
      } else {
        break
      }
      x += widths[index] + Self.gap
      index += 1
    }
    hidesTrailing = index < columns.count
    giveRoom(to: columns, list: list, width: width)
  }

  /// Gives what is left at the right to columns whose text is cut, in order.
  private mutating func giveRoom(to columns: [Column], list: ListState, width: Int) {
    guard let last = slots.last else { return }
    var room = width - (last.x + last.width)
    for position in slots.indices where room > 0 {
      let column = columns[slots[position].index]
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

  /// Makes another column the current one and scrolls it into view.
  mutating func moveColumn(by step: Int, width: Int) {
    column = min(max(0, column + step), max(0, columns.count - 1))
    revealColumn(width: width)
  }

  /// Scrolls sideways until the current column is wholly on screen, as far as there is room.
  mutating func revealColumn(width: Int) {
    guard column > 0 else {
      firstColumn = min(firstColumn, 1)
      return
    }
    if column < firstColumn { firstColumn = column }
    while firstColumn < column {
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
    columns[column].chosen = min(chosen, max(Column.least, width))
    revealColumn(width: width)
  }
}
