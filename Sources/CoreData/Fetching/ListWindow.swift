import Foundation

/// What one grid cell shows: enough of a value to draw it, never the whole of a large one.
public enum CellValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer of any width.
  case integer(Int64)
  /// A boolean.
  case boolean(Bool)
  /// A double or float.
  case real(Double)
  /// A decimal number, in plain notation.
  case decimal(String)
  /// A date; one outside the calendar is `odd`.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// The head of a string (or URI) and its whole length in characters.
  case text(String, length: Int)
  /// The head of binary or transformable data and its whole length in bytes.
  case bytes(head: [UInt8], count: Int)
  /// The object at the end of a to-one relationship and its display name, where it has one.
  case object(ObjectKey, title: String?)
  /// How many objects a to-many relationship holds; `nil` while that would take long to count.
  case objects(count: Int?)
  /// A value that does not fit its attribute's type, as text.
  case odd(String)
}

/// One row of a list.
public struct ListRow: Hashable, Sendable {
  /// The object's identity.
  public var key: ObjectKey
  /// A cell for each of the list's columns, in their order.
  public var cells: [CellValue]

  /// A row.
  public init(key: ObjectKey, cells: [CellValue]) {
    self.key = key
    self.cells = cells
  }
}

/// Where a window lies in its list.
public enum WindowPlace: Hashable, Sendable {
  /// The first rows.
  case start
  /// The last rows.
  case end
  /// The rows that follow this one (which is not included).
  case after(ListRow.ID)
  /// The rows just before this one (which is not included).
  case before(ListRow.ID)
  /// The rows of these keys, in this order; what is gone is left out.
  case keys([ObjectKey])
}

extension ListRow: Identifiable {
  /// The object's identity.
  public var id: ObjectKey { key }
}

/// A stretch of consecutive rows of a list.
public struct ListWindow: Hashable, Sendable {
  /// The rows, in list order.
  public var rows: [ListRow]
  /// Whether the first row is the list's first.
  public var reachesStart: Bool
  /// Whether the last row is the list's last.
  public var reachesEnd: Bool

  /// A window.
  public init(rows: [ListRow], reachesStart: Bool, reachesEnd: Bool) {
    self.rows = rows
    self.reachesStart = reachesStart
    self.reachesEnd = reachesEnd
  }
}
