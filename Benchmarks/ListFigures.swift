import CSQLite
import CoreData

/// The two stages of a list on screen: a window of rows, and the keys of all rows.
///
/// Measured on a store of the shape that `make_events.py` writes: an entity Event with a text `title`.
enum ListFigures {
  private static let columns = ["amount", "note", "priority", "timestamp", "title", "uuid"]
  private static let selected =
    "Z_PK, Z_ENT, ZAMOUNT, substr(ZNOTE, 1, 256), length(ZNOTE), ZPRIORITY, ZTIMESTAMP, substr(ZTITLE, 1, 256), "
    + "length(ZTITLE), ZUUID"

  static func measure(_ path: String) throws -> [Figure] {
    let url = URL(fileURLWithPath: path)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try StoreModel(forStoreAt: url).model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let database = try BareSQLite(path)
    return try context.performAndWait { try figures(context, database) }
  }

  private static func figures(_ context: NSManagedObjectContext, _ database: BareSQLite) throws -> [Figure] {
    let plain = ListQuery(entity: "Event")
    let byTitle = ListQuery(entity: "Event", sort: [ListSortKey("title")])
    var figures: [Figure] = []

    func window(_ name: String, _ place: WindowPlace, bare sql: String) throws {
      let ours = try time(51) { use(try context.listWindow(plain, columns: columns, at: place, limit: 40)) }
      let bare = try time(51) { try database.rows(sql) { read($0) } }
      figures.append(Figure(name: name, ours: ours, bare: bare))
    }
    let before = memory("VmRSS")
    var keys = KeyList()
    let all = try time(3) {
      keys = KeyList()
      keys = try context.listKeys(plain)
    }
    let held = memory("VmRSS") - before
    let count = keys.count
    try window("first 40 rows", .start, bare: "SELECT \(selected) FROM ZEVENT ORDER BY Z_PK LIMIT 41")
    try window("last 40 rows", .end, bare: "SELECT \(selected) FROM ZEVENT ORDER BY Z_PK DESC LIMIT 41")
    let middle = keys[(count / 2)..<(count / 2 + 40)]
    let list = middle.map { String($0.primaryKey) }.joined(separator: ",")
    try window(
      "40 rows in the middle, by keys", .keys(middle), bare: "SELECT \(selected) FROM ZEVENT WHERE Z_PK IN (\(list))")

    func bareKeys(_ order: String) throws -> Double {
      try time(3) {
        var keys: [Int64] = []
        try database.rows("SELECT Z_PK FROM ZEVENT ORDER BY \(order)") { keys.append(sqlite3_column_int64($0, 0)) }
        use(keys)
      }
    }
    figures.append(
      Figure(name: "all \(count) keys", ours: all, bare: try bareKeys("Z_PK"), pieces: count))
    figures.append(
      Figure(
        name: "all keys, sorted by a text", ours: try time(3) { use(try context.listKeys(byTitle)) },
        bare: try bareKeys("ZTITLE, Z_PK"), pieces: count))
    let rounds = 1_000_000
    let lookUps = time {
      for round in 0..<rounds { use(keys[round &* 7_919 % count]) }
    }
    figures.append(Figure(name: "a key by its position", ours: lookUps, bare: nil, pieces: rounds))
    let search = time { use(keys.position(of: keys[count - 1])) }
    figures.append(Figure(name: "the position of the last key", ours: search, bare: nil))
    print(String(format: "%d keys hold about %.1f MiB", count, held))
    return figures
  }

  /// Reads the columns of a window's row.
  private static func read(_ statement: OpaquePointer) {
    use(sqlite3_column_int64(statement, 0))
    use(sqlite3_column_double(statement, 2))
    use(text(statement, 3))
    use(sqlite3_column_int64(statement, 5))
    use(sqlite3_column_double(statement, 6))
    use(text(statement, 7))
    use(sqlite3_column_bytes(statement, 9))
  }
}
