import CSQLite
import CoreData

/// The objects that are read: ten attributes of the types that apps have most.
final class Sample: NSManagedObject {
  @Persisted var amount: Double
  @Persisted var code: Int32
  @Persisted var created: Date
  @Persisted var identifier: UUID
  @Persisted var isDone: Bool
  @Persisted var name: String
  @Persisted var note: String?
  @Persisted var rating: Int64
  @Persisted var seen: Date?
  @Persisted var title: String
}

/// The same as a plain value: what a program without Core Data would decode a row into.
struct PlainSample {
  var amount: Double
  var code: Int32
  var created: Date
  var identifier: UUID
  var isDone: Bool
  var name: String
  var note: String?
  var rating: Int64
  var seen: Date?
  var title: String

  static let columns =
    "ZAMOUNT, ZCODE, ZCREATED, ZIDENTIFIER, ZISDONE, ZNAME, ZNOTE, ZRATING, ZSEEN, ZTITLE"

  init(_ statement: OpaquePointer) {
    amount = sqlite3_column_double(statement, 0)
    code = sqlite3_column_int(statement, 1)
    created = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2))
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, 3), count: Int(sqlite3_column_bytes(statement, 3)))
    identifier = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    isDone = sqlite3_column_int(statement, 4) != 0
    name = text(statement, 5) ?? ""
    note = text(statement, 6)
    rating = sqlite3_column_int64(statement, 7)
    seen =
      sqlite3_column_type(statement, 8) == SQLITE_NULL
      ? nil : Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 8))
    title = text(statement, 9) ?? ""
  }
}

/// A store of samples, made by our engine and filled by plain SQL.
enum SampleStore {
  static let keys = [
    "amount", "code", "created", "identifier", "isDone", "name", "note", "rating", "seen", "title",
  ]

  static func model() -> NSManagedObjectModel {
    let types: [NSAttributeType] = [
      .doubleAttributeType, .integer32AttributeType, .dateAttributeType, .UUIDAttributeType, .booleanAttributeType,
      .stringAttributeType, .stringAttributeType, .integer64AttributeType, .dateAttributeType, .stringAttributeType,
    ]
    let entity = NSEntityDescription()
    entity.name = "Sample"
    entity.managedObjectClassName = "Benchmarks.Sample"
    entity.properties = zip(keys, types).map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  /// Makes the store at a path with `count` rows and opens it.
  static func open(_ path: String, count: Int) throws -> NSPersistentStoreCoordinator {
    try make(path, count: count)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
    return coordinator
  }

  /// Makes the store at a path with `count` rows.
  static func make(_ path: String, count: Int) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
    try coordinator.remove(store)
    let database = try BareSQLite(path)
    try database.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, \(PlainSample.columns))
      SELECT i, 1, 1, i * 1.25, i % 1000, 700000000.5 + i, randomblob(16), i % 2, 'Sample ' || i,
        CASE WHEN i % 5 THEN 'A note of some length, for sample ' || i END, i * 1000003,
        CASE WHEN i % 3 THEN 710000000.25 + i END, 'The title of ' || i
      FROM n
      """)
  }
}
