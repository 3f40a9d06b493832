extension SQLiteStore {
  /// The rows of some objects as the connection sees them now, without what is cached; objects that are gone are left out.
  func currentRows(
    of ids: [NSManagedObjectID], on connection: SQLiteConnection
  ) throws -> [NSManagedObjectID: RowReference] {
    var found: [NSManagedObjectID: RowReference] = [:]
    found.reserveCapacity(ids.count)
    for (name, ids) in Dictionary(grouping: ids, by: { $0.entity.name ?? "" }) {
      guard let entity = map[name] else { continue }
      let columns = rowColumns.columns(of: entity, map: map)
      var select = Select(entity, includesSubentities: false)
      // The keys are bound for each page.
      select.require(entity.isAmong("t", json: "\(bound: .null)").text)
      let sql = select.sql(columns: [entity.key(of: "t")] + columns.expressions)
      for start in stride(from: 0, to: ids.count, by: Self.pageRows) {
        let page = ids[start..<min(start + Self.pageRows, ids.count)]
        let byKey = Dictionary(page.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
        var builder = RowSlabBuilder(layout: columns.layout, capacity: byKey.count)
        var order: [NSManagedObjectID] = []
        try connection.withStatement(sql) { statement in
          let keys = "[" + byKey.keys.map(String.init).joined(separator: ",") + "]"
          try statement.bind([.text(keys)])
          while try statement.step() {
            guard let id = byKey[statement.integer(at: 0)] else { continue }
            columns.read(statement, from: 1, into: &builder)
            order.append(id)
          }
        }
        let slab = builder.finish()
        for (index, id) in order.enumerated() { found[id] = RowReference(slab: slab, index: index) }
      }
    }
    return found
  }
}
