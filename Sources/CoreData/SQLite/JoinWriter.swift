/// Writes a plan's rows of join tables, and the places of members in ordered relationships.
struct JoinWriter {
  let connection: SQLiteConnection
  /// The rows of entities' tables that got another place and nothing else.
  private(set) var moved: [(table: String, key: Int64)] = []

  init(connection: SQLiteConnection) { self.connection = connection }

  mutating func write(_ plan: SavePlan) throws {
    for (table, changes) in plan.joins.sorted(by: { $0.key.table < $1.key.table }) { try write(changes, to: table) }
    for (scope, order) in plan.orders.sorted(by: { ($0.key.table, $0.key.key) < ($1.key.table, $1.key.key) }) {
      try write(order, of: scope)
    }
  }

  /// A pair is in once, also where the table has no key to keep it so (reference/ODDITIES.md 10).
  private func write(_ changes: SavePlan.JoinChanges, to join: SavePlan.JoinTable) throws {
    let (table, first, second) = (quoted(join.table), quoted(join.first), quoted(join.second))
    let isPair = "\(first) = ? AND \(second) = ?"
    func inOrder(_ pairs: Set<SavePlan.JoinPair>) -> [[SQLiteValue]] {
      pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }.map { [.integer($0.first), .integer($0.second)] }
    }
    for pair in inOrder(changes.removed.subtracting(changes.added)) {
      try connection.execute("DELETE FROM \(table) WHERE \(isPair)", pair)
    }
    for pair in inOrder(changes.added)
    where try connection.rows("SELECT 1 FROM \(table) WHERE \(isPair) LIMIT 1", pair).isEmpty {
      try connection.execute("INSERT INTO \(table) (\(first), \(second)) VALUES (?, ?)", pair)
    }
  }

  private mutating func write(_ order: SavePlan.Order, of scope: SavePlan.OrderScope) throws {
    let (table, owner, member, place) = (
      quoted(scope.table), quoted(scope.owner), quoted(scope.member), quoted(scope.place)
    )
    var places: [Int64: Int64] = [:]
    var unplaced: [Int64] = []
    for row in try connection.rows(
      "SELECT \(member), \(place) FROM \(table) WHERE \(owner) = ? ORDER BY \(member)", [.integer(scope.key)])
    {
      guard case .integer(let key) = row[0] else { continue }
      if case .integer(let value) = row[1], !order.arrived.contains(key) {
        places[key] = value
      } else {
        unplaced.append(key)
      }
    }
    // Members that the save did not know of stay, after those it did.
    let present = Set(unplaced).union(places.keys)
    let told = (order.members ?? []).filter(present.contains)
    let known = Set(told)
    let rest = places.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) + unplaced
    let members = told + rest.filter { !known.contains($0) }
    for (key, value) in OrderPlaces.changes(for: members, having: places).sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "UPDATE \(table) SET \(place) = ? WHERE \(owner) = ? AND \(member) = ?",
        [.integer(value), .integer(scope.key), .integer(key)])
      if scope.member == "Z_PK" { moved.append((scope.table, key)) }
    }
  }
}
