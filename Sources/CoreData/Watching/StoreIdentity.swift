/// What must stay as it was for rows to mean what they meant when the store was opened.
struct StoreIdentity: Equatable, Sendable {
  /// Something of it changed.
  enum Breach: Equatable, Sendable { case schemaChanged, modelChanged }

  /// The watched tables as they were made.
  let layouts: [String: TableLayout]
  /// The version hashes of the model's entities.
  private let hashes: PropertyListValue?
  private let modelCache: Int
  private let entities: [EntityNumbers.Row]

  /// The tables whose changed rows call for another look at the identity.
  static let tables: Set<String> = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]

  /// Reads what there is now; throws where the framework's own tables are gone.
  init(of tables: Set<String>, path: String, on connection: SQLiteConnection) throws {
    let contents = try StoreContents(connection, path: path)
    layouts = try TableLayout.read(tables, on: connection)
    hashes = contents.metadata[NSStoreModelVersionHashesKey]
    modelCache = contents.modelCache.hashValue
    // Numbers from 16,000 on are the framework's own, which come and go with history and mirroring.
    entities = contents.entities.filter { $0.number < 16_000 }
      .map { .init(number: $0.number, name: $0.name, parent: $0.parent, highestKey: 0) }
      .sorted { $0.number < $1.number }
  }

  /// What makes rows of `now` mean something else than rows of this did; nil where nothing does.
  func breach(by now: StoreIdentity) -> Breach? {
    if hashes != now.hashes || modelCache != now.modelCache || entities != now.entities { return .modelChanged }
    return layouts == now.layouts ? nil : .schemaChanged
  }
}
