import Foundation
import Synchronization

/// The type of SQLite stores.
public let NSSQLiteStoreType = "SQLite"
/// The type of XML stores, which are read only.
public let NSXMLStoreType = "XML"
/// The type of stores in memory.
public let NSInMemoryStoreType = "InMemory"
/// Option: the store is only read, and not a byte of it or beside it changes.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: how many seconds to wait for a store that another process has locked; 5 unless set.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Metadata: the store's type.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata: the store's identifier.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata: the hashes of the entities of the model that the store was made with.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the identifiers of the model that the store was made with.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// A store that a coordinator has opened.
///
/// Source: Apple, "NSPersistentStore".
///
/// Sendable is unchecked because subclasses are open: what this class holds is set once in `init`, or kept under `state`;
/// SQLite stores hold nothing else but a connection pool with a lock of its own.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  private struct State {
    var identifier = UUID().uuidString
    var metadata: [String: PropertyListValue] = [:]
    var hasChangedMetadata = false
  }
  private let state = Mutex(State())

  /// The coordinator that opened the store.
  public private(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// Where the store lies.
  public let url: URL?
  /// Whether the store is only read.
  public let isReadOnly: Bool
  /// Which of the model's configurations the store holds the entities of.
  public let configurationName: String

  init(
    coordinator: NSPersistentStoreCoordinator?, url: URL?, isReadOnly: Bool,
    configuration: String = NSPersistentStoreCoordinator.defaultConfiguration
  ) {
    configurationName = configuration
    persistentStoreCoordinator = coordinator
    self.url = url
    self.isReadOnly = isReadOnly
  }

  /// The store's identifier (`Z_UUID`), which its objects' URIs begin with.
  public var identifier: String {
    get { state.withLock { $0.identifier } }
    set { state.withLock { $0.identifier = newValue } }
  }

  /// The kind of store, as in its metadata.
  open var type: String { NSSQLiteStoreType }

  /// The store's metadata as property-list objects, with `NSStoreUUID` and `NSStoreType` in it.
  public var metadata: [String: Any] {
    var result = metadataValues.mapValues(\.foundationValue)
    result[NSStoreUUIDKey] = identifier
    result[NSStoreTypeKey] = type
    return result
  }

  /// Whether `setMetadata` was called since the metadata was written.
  var hasChangedMetadata: Bool {
    get { state.withLock { $0.hasChangedMetadata } }
    set { state.withLock { $0.hasChangedMetadata = newValue } }
  }

  var metadataValues: [String: PropertyListValue] {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }
}

/// What the object layer asks of a store: the seam that every kind of store stands behind.
protocol ObjectStore: NSPersistentStore {
  /// The ids of the objects that a fetch finds, in order, their rows cached on them.
  func objectIDs(for fetch: StoreFetch) throws -> [NSManagedObjectID]
  /// The dictionaries that a fetch finds.
  func dictionaries(for fetch: DictionaryFetch) throws -> [[String: Any]]
  /// How many objects a fetch finds.
  func count(for fetch: StoreFetch) throws -> Int
  /// The row of an object, read anew and cached on its id; `nil` when it is gone.
  func row(of id: NSManagedObjectID) throws -> RowReference?
  /// Reads the rows of some objects anew and caches them on their ids; a row that is gone leaves none.
  func readRows(of ids: [NSManagedObjectID]) throws
  /// The ids at the other end of a to-many relationship, in the relationship's order when it has one.
  func objectIDs(atEndOf relationship: NSRelationshipDescription, of id: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  /// The id that a to-one relationship's key means, or `nil` for an entity that the store does not have.
  func objectID(entity number: Int32, primaryKey: Int64) -> NSManagedObjectID?
  /// The number of an entity in this store.
  func number(of entity: NSEntityDescription) -> Int32?
  /// Reserves keys for objects that were never saved, in a transaction of its own; answers their permanent ids in order.
  func reserveIDs(for new: [NSManagedObjectID]) throws -> [NSManagedObjectID]
  /// Writes all of a save in one transaction, or nothing of it.
  ///
  /// The written objects' rows are cached anew on their ids, the deleted ones' are taken off. Throws `SaveConflicts` when
  /// rows are not what the changes were based on, else errors of the Cocoa domain.
  func save(_ request: SaveRequest) throws -> SaveResult
}

/// What a fetch asks of one store.
struct StoreFetch {
  var entity: NSEntityDescription
  var includesSubentities = true
  var predicate: NSPredicate?
  var sort: [NSSortDescriptor] = []
  var limit = 0
  var offset = 0
  /// Whether the rows are read too, or the ids alone.
  var includesRows = true
}

/// How a store was asked to be opened.
struct StoreOptions {
  var type = NSSQLiteStoreType
  /// Where the store is said to lie.
  var url: URL?
  var configuration: String?
  /// Pragmas for each connection.
  var pragmas: [String: String] = [:]

  init() {}

  init(type: String, url: URL?, configuration: String?, _ options: [AnyHashable: Any]?) {
    (self.type, self.url, self.configuration) = (type, url, configuration)
    for (name, value) in options?[NSSQLitePragmasOption] as? NSDictionary as? [String: Any] ?? [:] {
      pragmas[name] = "\(value)"
    }
  }
}
