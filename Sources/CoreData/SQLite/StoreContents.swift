import Foundation

/// What the framework's own tables say of a store: who it is, which entities it has, and the model it carries.
struct StoreContents {
  var identifier = ""
  var metadata: [String: PropertyListValue] = [:]
  var entities: [EntityNumbers.Row] = []
  /// The content of `Z_MODELCACHE`; empty when there is none.
  var modelCache: [UInt8] = []
  /// The tables of a database that is no Core Data store; `nil` for a store.
  var plain: PlainSchema?

  /// The entities' version hashes as the metadata states them; nil for a store without metadata that can be read.
  var versionHashes: [String: Data]? {
    guard case .dictionary(let entries)? = metadata[NSStoreModelVersionHashesKey] else { return nil }
    return entries.reduce(into: [:]) { hashes, entry in
      if case .data(let hash) = entry.value { hashes[entry.key] = hash }
    }
  }

  /// Reads the tables of the store at a URL, changing nothing; errors are of the Cocoa domain.
  ///
  /// `timeout` is how many seconds a locked file is waited for, 5 unless given.
  init(reading url: URL, timeout: Double? = nil) throws {
    guard try !StoreFile(path: url.path).isXMLStore else {
      let document = try XMLStoreDocument(reading: url)
      (identifier, metadata) = (document.identifier, document.metadata)
      return
    }
    self = try Self.reading(url, timeout: timeout) { try StoreContents($0, path: url.path) }
  }

  /// What `body` reads over a connection to the store at a URL that changes nothing; errors are of the Cocoa domain.
  static func reading<Result>(
    _ url: URL, timeout: Double?, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let file = try StoreFile(path: url.path)
    let ladder = try ReadLadder(file)
    defer { withExtendedLifetime((file, ladder)) {} }
    do {
      return try ConnectionPool(path: ladder.path, mode: ladder.mode, timeout: timeout).withConnection(body)
    } catch let error as SQLiteError {
      throw error.cocoaError(NSPersistentStoreOpenError, path: url.path)
    }
  }

  /// Reads the tables; a database that has none of the framework's is a plain one.
  ///
  /// Throws when it has only one of the two that every store has.
  init(_ connection: SQLiteConnection, path: String) throws {
    let names = Set(
      try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (?, ?, ?)",
        [
          .text("Z_METADATA"), .text("Z_PRIMARYKEY"), .text("Z_MODELCACHE"),
        ]
      ).flatMap { $0 })
    guard names.contains(.text("Z_METADATA")) || names.contains(.text("Z_PRIMARYKEY")) else {
      plain = try PlainSchemaReader.schema(connection)
      identifier = Self.plainIdentifier(of: path)
      return
    }
    guard names.contains(.text("Z_METADATA")), names.contains(.text("Z_PRIMARYKEY")) else {
      throw NSError.coreData(
        NSPersistentStoreTypeMismatchError,
        "the Core Data store is damaged (it has no \(names.contains(.text("Z_METADATA")) ? "Z_PRIMARYKEY" : "Z_METADATA"))",
        path: path)
    }
    for row in try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1") {
      if case .text(let text) = row[0] { identifier = text }
      // A store whose metadata cannot be read still has its rows.
      if case .blob(let bytes) = row[1], let value = try? BinaryPropertyList(bytes).value(),
        case .dictionary(let entries) = value
      {
        metadata = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
      }
    }
    for row in try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") {
      guard case .integer(let number) = row[0], case .text(let name) = row[1], let entity = Int32(exactly: number)
      else {
        continue
      }
      var (parent, highest): (Int32, Int64) = (0, 0)
      if case .integer(let value) = row[2] { parent = Int32(truncatingIfNeeded: value) }
      if case .integer(let value) = row[3] { highest = value }
      entities.append(.init(number: entity, name: name, parent: parent, highestKey: highest))
    }
    if names.contains(.text("Z_MODELCACHE")),
      case .blob(let bytes)? = try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1").first?.first
    {
      modelCache = bytes
    }
  }

  /// The identifier of a plain database: of the file itself, so that it stays when the file is written or moved.
  private static func plainIdentifier(of path: String) -> String {
    guard let file = FileIdentity(path: path) else { return "0" }
    return String(file.device, radix: 16) + "-" + String(file.node, radix: 16)
  }
}
