import CoreData

/// What one change of a store costs a list that is followed, by the list's order; another connection writes the change.
///
/// Measured on a store of the shape that `make_events.py` writes. Its rows are changed, and put back afterwards.
enum TrackerFigures {
  static func measure(_ path: String) throws -> [Figure] {
    let url = URL(fileURLWithPath: path)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try StoreModel(forStoreAt: url).model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let database = try BareSQLite(path)
    return try context.performAndWait {
      try [[], [ListSortKey("title")], [ListSortKey("timestamp", ascending: false)], [ListSortKey("note")]]
        .flatMap { try figures(sort: $0, context, database) }
    }
  }

  private static func figures(
    sort: [ListSortKey], _ context: NSManagedObjectContext, _ database: BareSQLite
  ) throws -> [Figure] {
    var tracker = try context.listTracker(ListQuery(entity: "Event", sort: sort), columns: ["title", "note"])
    let name = "followed, \(tracker.keys.count) keys by \(sort.first?.key ?? "key"): "
    let key = tracker.keys[tracker.keys.count / 3]
    func tell(_ kind: StoreChanges.Change.Kind, _ properties: [String: StoreChanges.Change.Values]?) -> StoreChanges {
      StoreChanges([.init(kind, key, properties: properties)], date: Date(), source: .pages)
    }
    let pair = StoreChanges.Change.Values(old: .text("a title"), new: .text("zz a title"))
    func row(_ title: String) throws {
      try database.run("UPDATE ZEVENT SET ZTITLE = '\(title)', ZNOTE = '\(title)' WHERE Z_PK = \(key.primaryKey)")
    }
    var text = ""
    try database.rows("SELECT ZTITLE FROM ZEVENT WHERE Z_PK = \(key.primaryKey)") { text = Self.text(of: $0) }
    let old = StoreChanges.Change.Values(old: .text(text), new: pair.new)
    let back = StoreChanges.Change.Values(old: pair.new, new: .text(text))
    var times: (known: [Double], unknown: [Double]) = ([], [])
    for round in 0..<40 {
      let isBack = round % 2 == 1
      try row(isBack ? text : "zz a title")
      let isKnown = round % 4 < 2
      let values = isBack ? back : old
      let changes = tell(.update, isKnown ? ["title": values, "note": values] : nil)
      let start = ContinuousClock.now
      use(try tracker.apply(changes))
      let took = (ContinuousClock.now - start) / .seconds(1)
      if isKnown { times.known.append(took) } else { times.unknown.append(took) }
    }
    return [
      Figure(name: name + "old values known", ours: times.known.sorted()[10], bare: nil),
      Figure(name: name + "unknown", ours: times.unknown.sorted()[10], bare: nil),
    ]
  }

  private static func text(of statement: OpaquePointer) -> String { Benchmarks.text(statement, 0) ?? "" }
}
