import CSQLite
import CoreData

/// What a fetch into managed objects and the reading of their attributes take.
enum ObjectFigures {
  static let count = 100_000

  static func measure(in folder: URL) throws -> [Figure] {
    let path = folder.appendingPathComponent("samples.sqlite").path
    let coordinator = try SampleStore.open(path, count: count)
    let database = try BareSQLite(path)
    let select = "SELECT Z_PK, \(PlainSample.columns) FROM ZSAMPLE ORDER BY Z_PK"

    let decoding = try time {
      var samples: [PlainSample] = []
      try database.rows("SELECT \(PlainSample.columns) FROM ZSAMPLE ORDER BY Z_PK") { samples.append(PlainSample($0)) }
      use(samples)
    }
    let stepping = try time { try database.rows(select) { use(sqlite3_column_int64($0, 0)) } }
    let keys = try time {
      var keys: [Int64] = []
      try database.rows("SELECT Z_PK FROM ZSAMPLE ORDER BY Z_PK") { keys.append(sqlite3_column_int64($0, 0)) }
      use(keys)
    }

    var figures: [Figure] = []
    /// Times `work` on objects fetched anew by a context of its own, the fetch included.
    func fetched(_ name: String, bare: Double, pieces: Int, _ work: ([Sample]) -> Void) throws {
      let ours = try time {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { work(try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))) }
      }
      figures.append(Figure(name: name, ours: ours, bare: bare, pieces: pieces))
    }
    try fetched("fetch 100,000 objects, read nothing", bare: stepping, pieces: count) { use($0) }
    try fetched("fetch, all 10 attributes by @Persisted", bare: decoding, pieces: count) { $0.forEach(readProperties) }
    try fetched("fetch, all 10 attributes by value(forKey:)", bare: decoding, pieces: count) { $0.forEach(readKeys) }

    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let ids = try time {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Sample")
        request.resultType = .managedObjectIDResultType
        use(try context.fetch(request))
      }
      figures.append(Figure(name: "fetch 100,000 ids", ours: ids, bare: keys, pieces: count))
      let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
      let again = try time { use(try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))) }
      figures.append(Figure(name: "fetch again, objects being there", ours: again, bare: stepping, pieces: count))
      figures += reads(of: Array(samples.prefix(1_000)))
    }
    return figures
  }

  @inline(never)
  static func readProperties(_ sample: Sample) {
    use(sample.amount)
    use(sample.code)
    use(sample.created)
    use(sample.identifier)
    use(sample.isDone)
    use(sample.name)
    use(sample.note)
    use(sample.rating)
    use(sample.seen)
    use(sample.title)
  }

  @inline(never)
  static func readKeys(_ sample: Sample) {
    for key in SampleStore.keys { use(sample.value(forKey: key)) }
  }

  /// One attribute of 1,000 objects again and again.
  private static func reads(of samples: [Sample]) -> [Figure] {
    let rounds = 1_000
    func reading<Value>(_ name: String, _ read: (Sample) -> Value) -> Figure {
      let seconds = time {
        for _ in 0..<rounds { for sample in samples { use(read(sample)) } }
      }
      return Figure(name: name, ours: seconds, bare: nil, pieces: rounds * samples.count)
    }
    return [
      reading("read Int64") { $0.rating },
      reading("read Double") { $0.amount },
      reading("read Bool") { $0.isDone },
      reading("read Date") { $0.created },
      reading("read Date?") { $0.seen },
      reading("read String") { $0.name },
      reading("read String?") { $0.note },
      reading("value(forKey:) of an Int64") { $0.value(forKey: "rating") },
    ]
  }
}
