import CSQLite
import Foundation

/// Reading a whole table of a store with a rollback journal in stretches of primary keys.
///
/// There a reader in the middle of a SELECT keeps writers out, and one without a busy timeout fails (reference/SQLITE.md 2).
/// So no statement lasts much longer than `goal`; between two, writers get their turn. A store that is written meanwhile is
/// seen in stretches of different age, as any list read in parts.
struct ShortReads {
  private static let goal = Duration.milliseconds(8)

  let connection: SQLiteConnection
  /// The entity whose table is read; its rows are told apart by a column.
  let entity: EntityMap

  /// Calls `body` with one range of keys after the other, ascending, until the highest key there is.
  ///
  /// Each range begins at a key that exists, so that gaps cost nothing, however wide.
  func forEachRange(_ body: (ClosedRange<Int64>) throws -> Void) throws {
    var start = try firstKey(from: .min)
    var width: Int64 = 1_024
    while let first = start {
      let (sum, overflow) = first.addingReportingOverflow(width - 1)
      let end = overflow ? .max : sum
      let began = ContinuousClock.now
      try body(first...end)
      let took = began.duration(to: .now)
      if took < Self.goal / 2, width < 1 << 40 { width *= 2 } else if took > Self.goal { width = max(64, width / 2) }
      start = end == .max ? nil : try firstKey(from: end + 1)
    }
  }

  /// The lowest key that is not below `bound`.
  ///
  /// In a damaged file SQLite can answer one that is below it, and the reading would never end.
  private func firstKey(from bound: Int64) throws -> Int64? {
    let sql = "SELECT min(\(entity.key(of: "t"))) FROM \(quoted(entity.table)) t WHERE \(entity.key(of: "t")) >= ?"
    guard case .integer(let key)? = try connection.rows(sql, [.integer(bound)]).first?.first else { return nil }
    guard key >= bound else {
      throw SQLiteError(code: SQLITE_CORRUPT, message: "the keys of \(entity.table) are out of order", sql: sql)
    }
    return key
  }

  /// Calls `body` with the select narrowed to one range after the other.
  func forEachPart(of select: Select, _ body: (Select) throws -> Void) throws {
    try forEachRange { range in
      var part = select
      part.require("\(entity.key(of: "t")) BETWEEN ? AND ?", [.integer(range.lowerBound), .integer(range.upperBound)])
      try body(part)
    }
  }

  /// The keys of a list in its order: gathered in a table of the connection's own, and sorted there.
  func keys(of select: Select, limit: Int?, offset: Int, _ take: (SQLiteStatement) throws -> Void) throws {
    let sortColumns = select.order.indices.map { "k\($0)" }
    try connection.execute("DROP TABLE IF EXISTS temp.gathered")
    try connection.execute("CREATE TEMP TABLE gathered (p, e\(sortColumns.map { ", " + $0 }.joined()))")
    defer { try? connection.execute("DROP TABLE IF EXISTS temp.gathered") }
    try forEachPart(of: select) { part in
      let columns = [entity.key(of: "t"), entity.entityNumber(of: "t")] + select.order.map(\.expression)
      try connection.execute("INSERT INTO temp.gathered " + part.unordered.sql(columns: columns), part.values)
    }
    let order = zip(sortColumns, select.order).map { $0 + ($1.ascending ? "" : " DESC") }.joined(separator: ", ")
    let window = limit == nil && offset == 0 ? "" : " LIMIT \(limit ?? -1) OFFSET \(offset)"
    try connection.withStatement("SELECT p, e FROM temp.gathered ORDER BY \(order)\(window)") { statement in
      while try statement.step() { try take(statement) }
    }
  }

  /// The first rows of a list: the first of each part, merged.
  ///
  /// `read` gives the sort values of each row of a part with what was read of it.
  func first<Row>(
    _ limit: Int, of select: Select, read: (Select) throws -> [(sort: [SQLiteValue], row: Row)]
  ) throws -> [Row] {
    var best: [(sort: [SQLiteValue], row: Row)] = []
    try forEachPart(of: select) { part in
      best += try read(part)
      best.sort { select.order.precedes($0.sort, $1.sort) }
      best.removeLast(max(0, best.count - limit))
    }
    return best.map(\.row)
  }
}

extension [Select.Term] {
  /// Whether a row with some sort values comes before one with others, as SQLite sorts them.
  func precedes(_ left: [SQLiteValue], _ right: [SQLiteValue]) -> Bool {
    for (place, term) in enumerated() {
      if left[place].sorts(before: right[place]) { return term.ascending }
      if right[place].sorts(before: left[place]) { return !term.ascending }
    }
    return false
  }
}

extension SQLiteValue {
  /// Whether SQLite sorts this value before another under the BINARY collation: nothing, numbers, text, blobs.
  func sorts(before other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer(let left), .real(let right)): Self.compare(left, right) < 0
    case (.real(let left), .integer(let right)): Self.compare(right, left) > 0
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: rank < other.rank
    }
  }

  /// An integer beside a double, exactly: beyond 2^53 the two must not meet as doubles.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right.rounded(.down))
    if left != whole { return left < whole ? -1 : 1 }
    return right > Double(whole) ? -1 : 0
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob, .test: 3
    }
  }
}
