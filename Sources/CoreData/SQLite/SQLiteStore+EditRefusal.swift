extension SQLiteStore {
  static let inferredRefusal =
    "the model was inferred from the tables, which is enough for looking and not for changes: pass the model with --model"

  /// Why nothing of the store can be changed, whoever asks, in one line; `nil` where it can.
  func editRefusal() throws -> String? {
    if isXML { return "an XML store can only be read here" }
    guard plain == nil else { return nil }
    if persistentStoreCoordinator?.managedObjectModel.isInferred == true { return Self.inferredRefusal }
    return try withConnection { try Self.triggerRefusal(on: $0) }
  }

  /// Triggers of derived attributes call functions that only the framework has (reference/ODDITIES.md 11).
  static func triggerRefusal(on connection: SQLiteConnection) throws -> String? {
    let triggers = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND instr(sql, 'NSCoreData') ORDER BY name LIMIT 1")
    guard case .text(let name)? = triggers.first?.first else { return nil }
    return "the store cannot be edited yet: its trigger \(name) calls a function of Core Data (derived attributes)"
  }
}
