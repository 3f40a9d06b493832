import Foundation

extension SQLiteStore {
  /// Writes a save in one immediate transaction.
  func save(_ request: SaveRequest) throws -> SaveResult {
    guard request.updated.isEmpty, request.deleted.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "changed objects cannot be saved yet; only inserted ones can", path: url?.path)
    }
    return SaveResult(ids: try insert(request.inserted.map(InsertedObject.init)))
  }
}

extension InsertedObject {
  fileprivate init(_ object: SavedObject) {
    self.init(
      id: object.id, attributes: object.attributes.compactMapValues { $0 },
      toOne: object.toOne.compactMapValues { $0 }, toMany: object.toMany.mapValues(\.objects))
  }
}
