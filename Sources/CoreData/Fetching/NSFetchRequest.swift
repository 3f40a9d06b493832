import Foundation

/// What is asked of a store: a fetch or a save.
///
/// Source: Apple, "NSPersistentStoreRequest".
open class NSPersistentStoreRequest: NSObject {}

/// What kind of results a fetch gives; raw values as Apple's (reference/CONTEXT.md 33).
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// Apple's number.
  public let rawValue: UInt

  /// A result type by its number.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// `NSManagedObjectID`s.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// One number.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A search for objects of one entity.
///
/// Source: Apple, "NSFetchRequest".
///
/// The result type is not constrained: client code writes `NSFetchRequest<NSFetchRequestResult>`, and an existential does
/// not conform to its own protocol (reference/PLATFORM.md 5).
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The name of the entity to search.
  public internal(set) var entityName: String?
  /// The entity to search; `nil` for a request made by name until it is executed.
  public var entity: NSEntityDescription? {
    didSet { entityName = entity?.name }
  }
  /// Which objects; `nil` for all.
  public var predicate: NSPredicate?
  /// The order; without it, objects come by entity and primary key.
  public var sortDescriptors: [NSSortDescriptor]?
  /// How many at most; 0 for no limit.
  public var fetchLimit = 0
  /// How many to leave out at the start.
  public var fetchOffset = 0
  /// Whether objects of subentities are found too.
  public var includesSubentities = true
  /// Whether objects that wait to be saved are seen as they are in the context.
  public var includesPendingChanges = true
  /// What kind of results are given.
  public var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// Whether rows are read with the fetch, so that firing a fault needs no further query.
  public var includesPropertyValues = true
  /// Whether objects come as faults; values that were read with them are taken when the fault fires.
  public var returnsObjectsAsFaults = true

  /// A request without an entity.
  public override init() { super.init() }

  /// A request for the objects of the entity with a name.
  public convenience init(entityName: String) {
    self.init()
    self.entityName = entityName
  }

  /// What the request asks of a store, once its entity is known.
  func storeFetch(of entity: NSEntityDescription) -> StoreFetch {
    StoreFetch(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sortDescriptors ?? [],
      limit: fetchLimit, offset: fetchOffset,
      includesRows: includesPropertyValues && resultType == .managedObjectResultType)
  }
}
