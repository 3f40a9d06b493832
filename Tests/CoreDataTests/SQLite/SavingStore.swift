import Foundation
import TestSupport

@testable import CoreData

/// A store that a test saves into without a context: requests written by hand, the file looked at with `sqlite3`.
final class SavingStore {
  let file: TemporaryStore
  let store: SQLiteStore
  private let coordinator: NSPersistentStoreCoordinator

  /// Opens a file with a model; without one the model in the file.
  init(_ file: TemporaryStore, model: NSManagedObjectModel? = nil, timeout: Double? = nil) throws {
    self.file = file
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model ?? StoreModel(forStoreAt: file.url).model)
    store = try coordinator.openSQLiteStore(at: file.url, isReadOnly: false, timeout: timeout)
  }

  /// A store of the model of every shape, with rows put in by `sqlite3`.
  convenience init(shapes sql: String = "", timeout: Double? = nil) throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    if !sql.isEmpty { try file.write(sql) }
    try self.init(file, model: sketch.model, timeout: timeout)
  }

  var model: NSManagedObjectModel { coordinator.managedObjectModel }

  /// The id of a row.
  func id(_ entity: String, _ key: Int64) throws -> NSManagedObjectID {
    guard let number = store.map[entity]?.number, let id = store.objectID(entity: number, primaryKey: key) else {
      throw CocoaError(.keyValueValidation)
    }
    return id
  }

  /// A new object.
  func new(
    _ entity: String, _ attributes: [String: Any?] = [:], toOne: [String: NSManagedObjectID?] = [:],
    toMany: [String: ToManyChange] = [:]
  ) throws -> SavedObject {
    guard let entity = model.entitiesByName[entity] else { throw CocoaError(.keyValueValidation) }
    return SavedObject(
      id: NSManagedObjectID(temporaryFor: entity), attributes: attributes, toOne: toOne, toMany: toMany)
  }

  /// An object based on its row as it is now.
  func known(
    _ entity: String, _ key: Int64, _ attributes: [String: Any?] = [:], toOne: [String: NSManagedObjectID?] = [:],
    toMany: [String: ToManyChange] = [:]
  ) throws -> SavedObject {
    let id = try id(entity, key)
    return SavedObject(
      id: id, snapshot: try store.row(of: id), attributes: attributes, toOne: toOne, toMany: toMany)
  }

  @discardableResult func save(
    inserted: [SavedObject] = [], updated: [SavedObject] = [], deleted: [SavedObject] = [], author: String? = nil,
    contextName: String? = nil
  ) throws -> [NSManagedObjectID] {
    try store.save(
      SaveRequest(
        inserted: inserted, updated: updated, deleted: deleted, author: author, contextName: contextName)
    ).ids
  }

  func rows(_ sql: String) throws -> [String] { try file.rows(sql) }
}
