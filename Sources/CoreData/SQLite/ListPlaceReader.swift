import Foundation

/// Reads of one object at a time whether it is in a list and what it is sorted by; each object is read once.
///
/// Lives as long as the connection is lent.
final class ListPlaceReader {
  /// The list's order: its own sort keys, then what makes it total.
  let order: [Select.Term]
  /// How many terms come before entity number and primary key; the columns of a keyed table's key are among them.
  let sortCount: Int
  private let list: ListSelect
  private let connection: SQLiteConnection
  private let sql: String
  /// How often a row's key is bound.
  private let keyCount: Int
  private var known: [ObjectKey: [SQLiteValue]?] = [:]

  init(_ list: ListSelect, on connection: SQLiteConnection) {
    self.list = list
    self.connection = connection
    order = list.select.order
    sortCount = list.entity.isOrderedByNumber ? order.count - (list.entity.hasSubentities ? 2 : 1) : order.count
    var one = list.select.unordered
    let isRow = list.entity.isRow("t", "\(bound: .null)")
    one.require(isRow.text)
    keyCount = isRow.values.count
    sql = one.sql(columns: [list.entity.entityNumber(of: "t")] + order.prefix(sortCount).map(\.expression), limit: 1)
  }

  /// The sort values of an object, as the store has them now; `nil` for one that is not in the list.
  func values(of key: ObjectKey) throws -> [SQLiteValue]? {
    if let values = known[key] { return values }
    let values = try read(key)
    known[key] = .some(values)
    return values
  }

  /// The sort values of an object whose own ones are known.
  func complete(_ sort: [SQLiteValue], for key: ObjectKey) -> [SQLiteValue] {
    guard list.entity.isOrderedByNumber else { return sort }
    return sort + (list.entity.hasSubentities ? [.integer(Int64(key.entity))] : []) + [.integer(key.primaryKey)]
  }

  private func read(_ key: ObjectKey) throws -> [SQLiteValue]? {
    try connection.withStatement(sql) { statement in
      try statement.bind(list.select.values + Array(repeating: .integer(key.primaryKey), count: keyCount))
      guard try statement.step() else { return nil }
      // A row that became one of another entity is another object.
      if list.entity.hasSubentities, statement.integer(at: 0) != Int64(key.entity) { return nil }
      return complete((0..<sortCount).map { statement.value(at: Int32($0 + 1)) }, for: key)
    }
  }
}

extension SQLiteValue {
  /// Whether text was read that is no UTF-8: it was repaired, so that its place among others is not known.
  var isRepaired: Bool {
    if case .text(let text) = self { text.unicodeScalars.contains("\u{FFFD}") } else { false }
  }

  /// A value as a column holds it; `nil` where that is not certain.
  init?(_ value: PropertyValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .boolean(let value): self = .integer(value ? 1 : 0)
    case .real(let value): self = .real(value)
    case .decimal(let text):
      guard let value = Double(text) else { return nil }
      self = .real(value)
    case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .text(let text): self = .text(text)
    case .object(let key): self = .integer(key.primaryKey)
    case .data, .objects, .odd: return nil
    }
  }
}
