import Foundation
import Synchronization

/// The identity of a managed object: which store, which entity, which row.
///
/// One id exists for a row per coordinator while anybody holds it, and it is the row-cache entry as well. Safe to pass
/// between queues. Source: Apple, "NSManagedObjectID"; reference/CONTEXT.md 36–39.
public final class NSManagedObjectID: NSObject, NSCopying, Sendable {
  /// The object's own entity, which can be a subentity of the one it was fetched by.
  public let entity: NSEntityDescription
  /// The store that holds the row, or will; `nil` for an object not yet assigned to one.
  public var persistentStore: NSPersistentStore? { owner?.store }
  let kind: Kind

  enum Kind: Hashable, Sendable {
    /// A row: its primary key.
    case row(Int64)
    /// An object that was never saved.
    case temporary(UUID)
  }

  /// What hangs on an id and changes: the cached row, and the contexts' objects with this id.
  struct Slot: Sendable {
    var row: RowReference?
    var registrations = Registrations()
  }
  let slot: Mutex<Slot>
  private let owner: IDOwner?

  /// The row as it was last read or saved by anybody over the coordinator; `nil` when it must be read.
  var cachedRow: RowReference? {
    get { slot.withLock { $0.row } }
    set { slot.withLock { $0.row = newValue } }
  }

  /// The store's identifier, kept for URIs that outlive the store.
  private var storeIdentifier: String? { owner?.identifier }

  /// The id of an object that was never saved.
  init(temporaryFor entity: NSEntityDescription) {
    self.entity = entity
    kind = .temporary(UUID())
    owner = nil
    slot = Mutex(Slot())
  }

  /// The id of a row; only the store's table of ids makes these.
  init(entity: NSEntityDescription, primaryKey: Int64, owner: IDOwner) {
    self.entity = entity
    kind = .row(primaryKey)
    self.owner = owner
    slot = Mutex(Slot())
  }

  /// Whether the object was never saved.
  public var isTemporaryID: Bool {
    if case .temporary = kind { true } else { false }
  }

  /// `Z_PK`; 0 for a temporary id.
  var primaryKey: Int64 {
    if case .row(let key) = kind { key } else { 0 }
  }

  /// `x-coredata://STORE/Entity/p42` (`x-sqlite://…` for a row of a plain database), or `x-coredata:///Entity/tUUID` for an object that was never saved.
  public func uriRepresentation() -> URL {
    if let uri = (owner?.store as? SQLiteStore)?.plainURI(of: self) { return uri }
    let name = entity.name ?? ""
    let text =
      switch kind {
      case .row(let key): "x-coredata://\(storeIdentifier ?? "")/\(name)/p\(key)"
      case .temporary(let uuid): "x-coredata:///\(name)/t\(uuid.uuidString)"
      }
    return URL(string: text) ?? URL(fileURLWithPath: text)
  }

  /// The id itself: ids never change.
  public func copy(with zone: NSZone?) -> Any { self }

  /// Equal when they mean the same row, also when two coordinators made them.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other
      || kind == other.kind && entity.name == other.entity.name && storeIdentifier == other.storeIdentifier
  }

  /// The store as the object layer uses it.
  var objectStore: (any ObjectStore)? { persistentStore as? any ObjectStore }

  /// A hash by row.
  public override var hash: Int { kind.hashValue }

  /// The URI, in the manner of Apple's: `0x… <x-coredata://…>`.
  public override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

/// What the ids of one store share: the store, as long as it is open, and its identifier.
final class IDOwner: Sendable {
  let identifier: String
  weak let store: NSPersistentStore?

  init(identifier: String, store: NSPersistentStore) {
    self.identifier = identifier
    self.store = store
  }
}
