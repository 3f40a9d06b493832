import Foundation
import Synchronization

/// The stores of one model, shared by all contexts.
///
/// Source: Apple, "NSPersistentStoreCoordinator". Safe to share.
public final class NSPersistentStoreCoordinator: NSObject, Sendable {
  /// The model.
  public let managedObjectModel: NSManagedObjectModel
  private let stores = Mutex<[NSPersistentStore]>([])
  /// The contexts that take over what others save.
  let merging = MergingContexts()

  /// A coordinator without stores; the model cannot be edited from now on.
  public init(managedObjectModel: NSManagedObjectModel) {
    managedObjectModel.freeze()
    self.managedObjectModel = managedObjectModel
  }

  /// The open stores, in the order they were added.
  public var persistentStores: [NSPersistentStore] { stores.withLock { $0 } }

  /// Opens the store at a URL, making it first when there is none.
  ///
  /// Throws errors of the Cocoa domain: 134100 when the store was made with another model, 134080 when it cannot be opened,
  /// 134000 for a type that does not exist here.
  @discardableResult
  public func addPersistentStore(
    ofType type: String, configurationName: String? = nil, at url: URL?, options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    guard [NSSQLiteStoreType, NSXMLStoreType].contains(type), let url else {
      throw NSError.coreData(NSPersistentStoreInvalidTypeError, "there is no store type \(type) here", path: url?.path)
    }
    let isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    let timeout = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
    let store = try openSQLiteStore(at: url, isReadOnly: isReadOnly, timeout: timeout)
    do {
      try store.checkCompatibility(with: managedObjectModel)
    } catch {
      try remove(store)
      throw error
    }
    return store
  }

  /// Opens a SQLite store, whether or not the model's hashes are those it was made with.
  func openSQLiteStore(at url: URL, isReadOnly: Bool, timeout: Double? = nil) throws -> SQLiteStore {
    if !isReadOnly, !FileManager.default.fileExists(atPath: url.path) {
      try SQLiteStoreCreator(model: managedObjectModel).createStore(at: url)
    }
    let store = try SQLiteStore(coordinator: self, url: url, isReadOnly: isReadOnly, timeout: timeout)
    stores.withLock { $0.append(store) }
    return store
  }

  /// Closes a store: its connections are closed when this returns, after queries that run have ended.
  public func remove(_ store: NSPersistentStore) throws {
    stores.withLock { stores in stores.removeAll { $0 === store } }
    (store as? SQLiteStore)?.close()
  }

  /// The store at a URL.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// The metadata of a store; `NSStoreUUID` and `NSStoreType` are in it.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Sets a store's metadata; it is written with the next save.
  ///
  /// What is no property-list value is left out.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    var values = (metadata ?? [:]).compactMapValues { PropertyListValue($0) }
    values[NSStoreUUIDKey] = nil
    store.metadataValues = values
    store.hasChangedMetadata = true
  }

  /// The metadata of the store at a URL, read without opening it for use and without changing a byte.
  public class func metadataForPersistentStore(
    ofType type: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    let contents = try StoreContents(reading: url)
    var metadata = contents.metadata.mapValues(\.foundationValue)
    metadata[NSStoreUUIDKey] = contents.identifier
    return metadata
  }

  /// The id that a URI means, or `nil` when none of the stores, or no entity, is meant by it.
  public func managedObjectID(forURIRepresentation uri: URL) -> NSManagedObjectID? {
    if let uri = PlainURI(uri) {
      return persistentStores.lazy.compactMap { ($0 as? SQLiteStore)?.objectID(for: uri) }.first
    }
    let path = uri.path.split(separator: "/")
    guard uri.scheme == "x-coredata", let host = uri.host, path.count == 2, path[1].first == "p",
      let key = Int64(path[1].dropFirst()), let entity = managedObjectModel.entitiesByName[String(path[0])],
      let store = persistentStores.first(where: { $0.identifier == host }) as? any ObjectStore,
      let number = store.number(of: entity)
    else { return nil }
    return store.objectID(entity: number, primaryKey: key)
  }
}
