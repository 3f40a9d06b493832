import Foundation

/// What is asked of a store: a fetch or a save.
///
/// Source: Apple, "NSPersistentStoreRequest".
open class NSPersistentStoreRequest: NSObject {
  /// The stores that are asked; `nil` for all of the coordinator's.
  open var affectedStores: [NSPersistentStore]?

  /// A request of every store.
  public required override init() { super.init() }
}

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
  /// Dictionaries with the values of `propertiesToFetch`, by name.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// One number.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A search for objects of one entity.
///
/// Source: Apple, "NSFetchRequest".
///
/// The result type is not constrained: client code writes `NSFetchRequest<NSFetchRequestResult>`, and an existential does
/// not conform to its own protocol (reference/PLATFORM.md 5).
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  /// The name of the entity to search.
  public internal(set) var entityName: String?
  /// The entity to search; `nil` for a request made by name until it is executed.
  public var entity: NSEntityDescription? {
    didSet { entityName = entity?.name }
  }
  /// The class whose entity is searched, for a request that a class has made.
  var entityClass: NSManagedObject.Type?
  /// Which objects; `nil` for all.
  public var predicate: NSPredicate?
  /// The order; without it, objects come by entity and primary key.
  public var sortDescriptors: [NSSortDescriptor]?
  /// How many at most; 0 for no limit.
  public var fetchLimit = 0
  /// How many to leave out at the start.
  public var fetchOffset = 0
  /// Of how many objects the rows are read at a time; 0, as it is unless set, reads all with the fetch.
  ///
  /// The objects come as faults, and the first value that is asked for reads the rows of its whole page
  /// (reference/CONTEXT.md 29).
  public var fetchBatchSize = 0
  /// Whether objects of subentities are found too.
  public var includesSubentities = true
  /// Whether objects that wait to be saved are seen as they are in the context.
  ///
  /// Dictionaries always show what the store holds.
  public var includesPendingChanges = true
  /// What kind of results are given.
  public var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// Whether rows are read with the fetch, so that firing a fault needs no further query.
  public var includesPropertyValues = true
  /// Whether objects come as faults; values that were read with them are taken when the fault fires.
  public var returnsObjectsAsFaults = true
  /// Whether objects that the context has already take the values that the store holds now; their changes are kept.
  public var shouldRefreshRefetchedObjects = false
  /// Key paths of relationships whose objects are read together with those that are found.
  public var relationshipKeyPathsForPrefetching: [String]?

  // MARK: Dictionaries

  /// The columns of dictionaries: key paths, attributes, to-one relationships, or `NSExpressionDescription`s; `nil` for all
  /// attributes.
  ///
  /// Must be set after the entity. Of managed objects every property is read whatever this says.
  public var propertiesToFetch: [Any]? {
    willSet {
      precondition(
        newValue == nil || entity != nil || entityName != nil || entityClass != nil,
        "propertiesToFetch: the request needs an entity before the properties of one (NSInvalidArgumentException)")
    }
  }
  /// What rows of one dictionary have in common: key paths, attributes or to-one relationships.
  public var propertiesToGroupBy: [Any]?
  /// Which groups are given; its key paths are names of columns, and expressions that are columns count as theirs.
  public var havingPredicate: NSPredicate?
  /// Whether dictionaries that are the same are given once.
  public var returnsDistinctResults = false

  /// A request without an entity.
  public required init() { super.init() }

  /// A request for the objects of the entity with a name.
  public convenience init(entityName: String) {
    self.init()
    self.entityName = entityName
  }

  /// A request of its own that asks the same.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.affectedStores = affectedStores
    copy.entity = entity
    copy.entityName = entityName
    copy.entityClass = entityClass
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.fetchLimit = fetchLimit
    copy.fetchOffset = fetchOffset
    copy.fetchBatchSize = fetchBatchSize
    copy.includesSubentities = includesSubentities
    copy.includesPendingChanges = includesPendingChanges
    copy.resultType = resultType
    copy.includesPropertyValues = includesPropertyValues
    copy.returnsObjectsAsFaults = returnsObjectsAsFaults
    copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    copy.propertiesToFetch = propertiesToFetch
    copy.propertiesToGroupBy = propertiesToGroupBy
    copy.havingPredicate = havingPredicate
    copy.returnsDistinctResults = returnsDistinctResults
    return copy
  }

  /// What the request asks of a store, once its entity is known.
  func storeFetch(of entity: NSEntityDescription) -> StoreFetch {
    StoreFetch(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sortDescriptors ?? [],
      limit: fetchLimit, offset: fetchOffset,
      includesRows: includesPropertyValues && resultType == .managedObjectResultType && fetchBatchSize == 0)
  }
}
