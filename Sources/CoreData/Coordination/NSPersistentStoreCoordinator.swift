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
  /// A SQLite store at `/dev/null`, and one of the type in memory, live as long as they are open. Throws errors of the Cocoa
  /// domain: 134100 when the store was made with another model, 134080 when it cannot be opened, 134010 when it is of another
  /// type, 134000 for a type that does not exist here.
  @discardableResult
  public func addPersistentStore(
    ofType type: String, configurationName configuration: String? = nil, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    let isInMemory = type == NSInMemoryStoreType || type == NSSQLiteStoreType && url?.path == "/dev/null"
    guard isInMemory || [NSSQLiteStoreType, NSXMLStoreType].contains(type) && url != nil else {
      throw NSError.coreData(NSPersistentStoreInvalidTypeError, "there is no store type \(type) here", path: url?.path)
    }
    if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
      throw NSError.coreData(NSCoreDataError, "the model has no configuration \(configuration)", path: url?.path)
    }
    let isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    let store = try openSQLiteStore(
      at: isInMemory ? nil : url, isReadOnly: isReadOnly && !isInMemory,
      timeout: (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue,
      StoreOptions(type: type, url: url, configuration: configuration, options))
    do {
      guard type != NSXMLStoreType || store.type == type else {
        throw NSError.coreData(
          NSPersistentStoreTypeMismatchError, "the store is of the type \(store.type), not \(type)", path: url?.path)
      }
      if !((options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false) {
        try store.checkCompatibility(with: managedObjectModel)
      }
    } catch {
      stores.withLock { stores in stores.removeAll { $0 === store } }
      store.close()
      throw error
    }
    post(NSAddedPersistentStoresKey, store)
    return store
  }

  /// Opens a SQLite store, whether or not the model's hashes are those it was made with; without a URL one in memory.
  func openSQLiteStore(
    at url: URL?, isReadOnly: Bool, timeout: Double? = nil, _ options: StoreOptions = StoreOptions()
  ) throws -> SQLiteStore {
    let memory = url == nil ? try SQLiteStore.memoryFolder() : nil
    let file = url ?? URL(fileURLWithPath: memory?.path ?? "")
    if !isReadOnly, !FileManager.default.fileExists(atPath: file.path) {
      let creator = SQLiteStoreCreator(
        model: managedObjectModel, configuration: options.configuration,
        enforcesUniqueness: options.type != NSInMemoryStoreType)
      try creator.createStore(at: file)
    }
    let store = try SQLiteStore(
      coordinator: self, url: file, isReadOnly: isReadOnly, timeout: timeout, options, memory: memory)
    stores.withLock { $0.append(store) }
    return store
  }

  /// Closes a store: its connections are closed when this returns, after queries that run have ended.
  ///
  /// Observers are told before and after (reference/CONTEXT.md 107).
  public func remove(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(where: { $0 === store }) else { return }
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
    stores.withLock { stores in stores.removeAll { $0 === store } }
    (store as? SQLiteStore)?.close()
    post(NSRemovedPersistentStoresKey, store)
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
