import Foundation

/// Makes a new store file: tables, columns, types, indexes and the framework's own rows for a model
/// (reference/FORMAT.md, "Fixed tables", "Entity tables", "Many-to-many", "Indexes and triggers").
struct SQLiteStoreCreator {
  let model: NSManagedObjectModel
  /// Which entities the store holds; `nil` for all.
  var configuration: String?
  /// Whether the store sees to it that values are unique where the model says so.
  var enforcesUniqueness = true

  /// Makes the file.
  ///
  /// It appears whole or not at all: it is built beside its place and moved there.
  func createStore(at url: URL, metadata extra: [String: PropertyListValue] = [:]) throws {
    let building = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))")
    let manager = FileManager.default
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? manager.removeItem(atPath: building.path + suffix) }
    }
    do {
      try build(at: building.path, extra: extra)
    } catch let error as SQLiteError {
      throw error.cocoaError(NSPersistentStoreOpenError, path: url.path)
    } catch let error as ArchiveError {
      throw CocoaError(
        .featureUnsupported,
        userInfo: [NSLocalizedDescriptionKey: "the model cannot be kept in a store: \(error)"])
    }
    try manager.moveItem(at: building, to: url)
  }

  private func build(at path: String, extra: [String: PropertyListValue]) throws {
    let connection = try SQLiteConnection(path: path, mode: .create)
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA auto_vacuum = 2")
    try connection.execute("PRAGMA journal_mode = WAL")
    let plan = SchemaPlan(model: model, configuration: configuration, enforcesUniqueness: enforcesUniqueness)
    try connection.immediateTransaction {
      for statement in plan.statements { try connection.execute(statement) }
      for row in plan.entities {
        try connection.execute(
          "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
          [.integer(Int64(row.number)), .text(row.name), .integer(Int64(row.parent))])
      }
      try connection.execute(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.text(UUID().uuidString), .blob(metadata(extra))])
      try connection.execute(
        "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(try ModelArchiveWriter.cache(model))])
    }
    _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func metadata(_ extra: [String: PropertyListValue]) -> [UInt8] {
    let hashes = VersionHash.entities(of: model).filter { model.holds($0.key, in: configuration) }
    var entries: [PropertyListValue.Entry] = [
      .init(
        NSStoreModelVersionHashesKey,
        .dictionary(VersionHash.sorted(hashes).map { .init($0.name, .data($0.hash)) })),
      .init("NSStoreModelVersionChecksumKey", .string(VersionHash.checksum(hashes))),
      .init("NSStoreModelVersionHashesDigest", .string(VersionHash.digest(hashes))),
      .init("NSStoreModelVersionHashesVersion", .integer(3)),
      .init(
        NSStoreModelVersionIdentifiersKey,
        .array(model.versionIdentifiers.compactMap { $0 as? String }.sorted().map { .string($0) })),
      .init("NSPersistenceFrameworkVersion", .integer(1347)),
      .init(NSStoreTypeKey, .string(NSSQLiteStoreType)),
      .init("_NSAutoVacuumLevel", .string("2")),
    ]
    for (key, value) in extra.sorted(by: { $0.key < $1.key }) { entries.append(.init(key, value)) }
    return BinaryPropertyListWriter.bytes(.dictionary(entries))
  }
}
