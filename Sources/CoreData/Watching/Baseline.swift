/// The rows of all watched tables as they were last seen, for telling what changed where nothing else tells.
///
/// It is read bit by bit. Up to `built` rows are known at all; up to `current` they are known as they are now, and from
/// there to `built` they have to be compared.
struct Baseline: Sendable {
  /// Before which row of which table one stands.
  struct Place: Comparable, Sendable {
    var table: Int
    var key: Int64

    static func < (one: Place, other: Place) -> Bool { (one.table, one.key) < (other.table, other.key) }
  }
  /// A row that is other than it was.
  struct Found: Sendable {
    let table: String
    let rowid: Int64
    let delta: RowDelta
  }

  private static let start = Place(table: 0, key: .min)

  private let tables: [WatchedTable]
  private let isLink: [[Bool]]
  private let places: [String: Int]
  private var rows: [TableBaseline]
  private var built = start
  private var current = start

  /// Nothing is known yet.
  init(_ watched: WatchedTables) {
    // Join tables without row ids are not made by any version of the framework, and have no key to be read by.
    tables = watched.names.compactMap { watched[$0] }.filter { $0.layout.hasRowIDs || $0.object != nil }
    isLink = tables.map { table in table.layout.columns.indices.map { table.links.contains($0) } }
    places = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.layout.name, $0) })
    rows = tables.map { TableBaseline(linkCount: $0.links.count) }
  }

  private var end: Place { Place(table: tables.count, key: .min) }
  /// Whether every row is known.
  var isBuilt: Bool { built == end }
  /// Whether nothing has to be compared.
  var isCurrent: Bool { current == built }

  /// Rows may be other than they were, and nobody knows which.
  mutating func invalidate() { current = Self.start }

  /// Takes in a row that is known to have changed; false where comparing will come upon it.
  mutating func take(_ delta: RowDelta, table: String, rowid: Int64) -> Bool {
    guard let index = places[table] else { return true }
    let place = Place(table: index, key: rowid)
    guard place < current else { return place >= built }
    rows[index].set(rowid, delta.after.map { (RowPrint($0, isLink: isLink[index]), $0) })
    return true
  }

  /// Reads rows until `isEnough` says so, and answers those that differ.
  ///
  /// The connection is in one transaction, which must show the present state. Rows that were not known are read only with
  /// `beyond`.
  mutating func read(
    on connection: SQLiteConnection, beyond: Bool, isEnough: () -> Bool
  ) throws -> [Found] {
    var found: [Found] = []
    repeat {
      guard current < (beyond ? end : built) else { break }
      current = try readRows(on: connection, isEnough: isEnough, &found)
      built = max(built, current)
    } while !isEnough()
    return found
  }

  private mutating func readRows(
    on connection: SQLiteConnection, isEnough: () -> Bool, _ found: inout [Found]
  ) throws -> Place {
    let (index, first, isKnown) = (current.table, current.key, current < built)
    let (table, layout) = (tables[index], tables[index].layout)
    var last = isKnown && built.table == index ? built.key - 1 : Int64.max
    let key = layout.hasRowIDs ? layout.rowIDName : "Z_PK"
    let sql = """
      SELECT \(key), \(layout.columns.map(quoted).joined(separator: ", ")) FROM \(quoted(layout.name))
      WHERE \(key) BETWEEN ? AND ? ORDER BY \(key)
      """
    var present = TableBaseline.Rows()
    let before = found.count
    try connection.withStatement(sql) { statement in
      try statement.bind([.integer(first), .integer(last)])
      while try statement.step() {
        let key = statement.integer(at: 0)
        let print = RowPrint(statement, after: 1, isLink: isLink[index])
        var values = rows[index].keepsValues ? layout.values(of: statement, after: 1) : nil
        if isKnown, !rows[index].holds(key, print) {
          let known = rows[index].row(key)
          let after = values ?? layout.values(of: statement, after: 1)
          let old = known.map { before in
            self.before(before, table, key, after: before.digest == print.digest ? after : nil)
          }
          found.append(Found(table: layout.name, rowid: key, delta: RowDelta(before: old, after: after)))
        }
        if !rows[index].keepsValues { values = nil }
        present.append(key, print, values: values)
        if isEnough() {
          last = key
          break
        }
      }
    }
    if isKnown { found += deletions(in: first...last, index, present.keys) }
    if !isKnown || found.count > before { rows[index].replace(first...last, with: present) }
    return last == .max ? Place(table: index + 1, key: .min) : Place(table: index, key: last + 1)
  }

  private func deletions(in range: ClosedRange<Int64>, _ index: Int, _ present: [Int64]) -> [Found] {
    var place = 0
    return rows[index].keys(in: range).compactMap { key in
      while place < present.count, present[place] < key { place += 1 }
      guard place == present.count || present[place] != key, let known = rows[index].row(key) else { return nil }
      let delta = RowDelta(before: before(known, tables[index], key, after: nil), after: nil)
      return Found(table: tables[index].layout.name, rowid: key, delta: delta)
    }
  }

  /// What is known of a row as it was; `after` is what it is now where only links differ.
  private func before(
    _ known: TableBaseline.Known, _ table: WatchedTable, _ key: Int64, after: [RecordValue]?
  ) -> [RecordValue?] {
    if let values = known.values { return values }
    var row: [RecordValue?] = after ?? Array(repeating: nil, count: table.layout.columns.count)
    for (column, link) in zip(table.links, known.links) {
      row[column] = RowPrint.value(ofLink: link) ?? after?[column]
    }
    if let alias = table.layout.rowIDColumn { row[alias] = .integer(key) }
    return row
  }
}
