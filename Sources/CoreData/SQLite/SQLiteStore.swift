import Foundation
import Synchronization

/// A store in Apple's SQLite format, an XML store that is read through a private one, or a plain SQLite database whose
/// tables are shown as entities.
///
/// Everything that can change after opening is behind a lock: the pool's connections and the table of ids.
final class SQLiteStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
  /// How entities and properties lie in the tables.
  let map: StoreMap
  let schema: StoreSchema
  let ids = ObjectIDTable()
  let rowColumns = RowColumnsCache()
  /// The tables and keys of a plain database; `nil` for a store in Apple's format.
  let plain: PlainLayout?
  /// Numbers of rows that have none of their own.
  let keys: InternedKeys
  /// What this process wrote; see `OwnSaves` for how the watcher asks.
  let ownSaves = OwnSaves()
  /// Saves of this process come one after the other, so that none waits for another's lock by polling.
  let saving = NSLock()
  /// How the file is read when it is only read.
  let ladder: ReadLadder?
  /// Keeps the file's descriptor for as long as connections are open.
  let file: StoreFile
  /// What the file was when it was opened, for telling whether a snapshot or a copy is still what lies there.
  let stamp: FileStamp
  /// What does not fit the model, one line each.
  let remarks: [String]
  let isXML: Bool
  /// Where the database lies, also of a store in memory, whose `url` is what the program said.
  let fileURL: URL
  /// Which entities the store holds; `nil` for all.
  let configuration: String?
  private let isInMemory: Bool
  /// The folder of a store in memory, which goes with it.
  private let memory: PrivateCopy?
  private let pool: ConnectionPool

  /// Opens an existing store.
  ///
  /// Errors are of the Cocoa domain.
  init(
    coordinator: NSPersistentStoreCoordinator, url: URL, isReadOnly: Bool, timeout: Double? = nil,
    _ options: StoreOptions = StoreOptions(), memory: PrivateCopy? = nil
  ) throws {
    fileURL = url
    self.memory = memory
    configuration = options.configuration
    isInMemory = options.type == NSInMemoryStoreType
    file = try StoreFile(path: url.path)
    stamp = FileStamp(file)
    keys = InternedKeys.shared(for: file.identity)
    let xml = try Self.conversion(of: file, url: url, isReadOnly: isReadOnly, coordinator.managedObjectModel)
    ladder = try xml?.ladder ?? (isReadOnly ? ReadLadder(file) : nil)
    isXML = xml != nil
    if !isReadOnly, file.journal == nil { _ = try ReadLadder(file) }
    pool = ConnectionPool(
      path: ladder?.path ?? url.path, mode: ladder?.mode ?? .readWrite, timeout: timeout, keys: keys,
      pragmas: options.pragmas)
    do {
      let (schema, contents) = try pool.withConnection { connection in
        (try StoreSchema(connection), try StoreContents(connection, path: url.path))
      }
      self.schema = schema
      let layout = contents.plain.map { PlainLayout($0) }
      plain = layout
      map =
        layout.map { [keys] in StoreMap(model: coordinator.managedObjectModel, plain: $0, keys: keys) }
        ?? StoreMap(model: coordinator.managedObjectModel, numbers: contents.entities, schema: schema)
      remarks = map.remarks + (xml?.remarks ?? [])
      super.init(
        coordinator: coordinator, url: memory == nil ? url : options.url, isReadOnly: isReadOnly,
        configuration: options.configuration ?? NSPersistentStoreCoordinator.defaultConfiguration)
      identifier = xml?.document.identifier ?? contents.identifier
      metadataValues = xml?.document.metadata ?? contents.metadata
    } catch let error as SQLiteError {
      throw error.cocoaError(NSPersistentStoreOpenError, path: url.path)
    }
  }

  private typealias Conversion = (document: XMLStoreDocument, ladder: ReadLadder, remarks: [String])

  /// The SQLite store that is read in an XML store's place; `nil` for other files.
  private static func conversion(
    of file: StoreFile, url: URL, isReadOnly: Bool, _ model: NSManagedObjectModel
  ) throws -> Conversion? {
    guard file.journal == nil, file.isXMLStore else { return nil }
    guard isReadOnly else {
      throw NSError.coreData(
        NSFileWriteNoPermissionError, "an XML store can only be read here: open it read-only", path: url.path)
    }
    let document = try XMLStoreDocument(reading: url)
    var conversion = try XMLStoreConversion(document, model: model, path: url.path)
    let copy = try conversion.convert(model: model, name: url.lastPathComponent)
    return (document, ReadLadder(copy), conversion.remarks)
  }

  /// Whether a long statement would keep writers out.
  var needsShortReads: Bool { file.journal == .rollback && ladder?.access != .copy }

  /// Closes every connection, waiting for queries that run; from now on nothing can be asked.
  func close() { pool.close() }

  /// Lends a connection to `body`; errors of SQLite leave as errors of the Cocoa domain.
  func withConnection<Result>(
    _ cancellation: FetchCancellation? = nil, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    do {
      return try pool.withConnection(cancellation: cancellation, body)
    } catch let error as SQLiteError {
      throw error.cocoaError(path: url?.path)
    }
  }

  /// `SQLite`, `XML` or `InMemory`; a plain database is of another type.
  override var type: String {
    isInMemory ? NSInMemoryStoreType : isXML ? NSXMLStoreType : plain == nil ? NSSQLiteStoreType : "PlainSQLite"
  }

  func number(of entity: NSEntityDescription) -> Int32? { entity.name.flatMap { map[$0]?.number } }

  func objectID(entity number: Int32, primaryKey: Int64) -> NSManagedObjectID? {
    guard let entity = map[number] else { return nil }
    return ids.id(table: entity.table, entity: entity, primaryKey: primaryKey, store: self)
  }

  /// Throws unless the model's hashes are those that the store was made with (reference/HASHES.md).
  ///
  /// A plain database must have a table for some entity at least. A model that was made of the tables of a Core Data store
  /// serves for reading: it knows neither rules nor all relationships.
  func checkCompatibility(with model: NSManagedObjectModel) throws {
    guard plain == nil || model.entities.isEmpty || !map.entities.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreTypeMismatchError,
        "the database is not a Core Data store (it has no Z_METADATA), nor has it a table for any entity of the model",
        path: url?.path)
    }
    if model.isInferred, plain == nil {
      guard isReadOnly else {
        throw NSError.coreData(
          NSPersistentStoreIncompatibleVersionHashError, Self.inferredRefusal, path: url?.path)
      }
      return
    }
    guard case .dictionary(let entries)? = metadataValues[NSStoreModelVersionHashesKey] else { return }
    let stored = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let own = VersionHash.entities(of: model).filter { model.holds($0.key, in: configuration) }
    guard stored == own.mapValues({ PropertyListValue.data($0) }) else {
      throw NSError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        "The model used to open the store is incompatible with the one used to create the store", path: url?.path)
    }
  }
}
