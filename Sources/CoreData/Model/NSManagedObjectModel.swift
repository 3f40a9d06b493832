import Foundation
import Synchronization

/// The entities of a store, with their inheritance, configurations and versions.
///
/// Follows Apple's page "NSManagedObjectModel". A model can be built in code and changed until something uses it (a
/// coordinator, for one); from then on changes stop the program. Sendable by the proof at `NSPropertyDescription`.
open class NSManagedObjectModel: NSObject, NSCopying, @unchecked Sendable {
  /// The entities, in the order they were given; an entity's children must be among them to be stored.
  public var entities: [NSEntityDescription] = [] {
    willSet { requireEditable(isFrozen) }
    didSet {
      for entity in oldValue where entity.managedObjectModel === self { entity.managedObjectModel = nil }
      for entity in entities { entity.managedObjectModel = self }
    }
  }
  /// The model's version identifiers, which stores of the model carry; for the developer, no part of any hash.
  public var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireEditable(isFrozen) } }
  /// Texts for validation messages by Apple's key patterns.
  public var localizationDictionary: [String: String]? { willSet { requireEditable(isFrozen) } }
  /// Fetch requests by name.
  var fetchRequestTemplates: [String: FetchRequestTemplate] = [:] { willSet { requireEditable(isFrozen) } }
  /// Whether the model was made of a store's tables: then it has no version hashes to compare, and serves for reading only.
  package internal(set) var isInferred = false { willSet { requireEditable(isFrozen) } }
  /// Named subsets of the entities.
  final private(set) var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]

  private final let freezing = Mutex(())
  private final var frozenEntitiesByName: [String: NSEntityDescription]?
  private final var isFrozen: Bool { frozenEntitiesByName != nil }

  /// A model without entities.
  public required override init() {
    super.init()
  }

  /// Whether the model can still be changed.
  public var isEditable: Bool { !isFrozen }

  /// The entities by name.
  ///
  /// Fast once the model is in use.
  public var entitiesByName: [String: NSEntityDescription] {
    frozenEntitiesByName
      ?? Dictionary(
        entities.compactMap { entity in entity.name.map { ($0, entity) } }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of the configurations, sorted.
  public var configurations: [String] { entitiesByConfiguration.keys.sorted() }

  /// The entities of a configuration, all for nil; nil when there is no such configuration.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    configuration.map { entitiesByConfiguration[$0] } ?? entities
  }

  /// Makes a configuration, or replaces one.
  public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    requireEditable(isFrozen)
    entitiesByConfiguration[configuration] = entities
  }

  /// Ends editing and prepares all lookups.
  ///
  /// May be called from any thread and any number of times.
  func freeze() {
    freezing.withLock { _ in
      guard frozenEntitiesByName == nil else { return }
      // Parents first: lookups of an entity include what it inherits.
      for entity in entities where entity.superentity == nil { Self.freeze(entity) }
      for entity in entities { entity.freeze() }
      frozenEntitiesByName = entitiesByName
      LoadedModels.add(self)
    }
  }

  private static func freeze(_ entity: NSEntityDescription) {
    entity.freeze()
    for child in entity.subentities { freeze(child) }
  }

  /// The names of the entities.
  open override var description: String {
    "\(type(of: self)) \(entities.compactMap(\.name).joined(separator: ", "))"
  }

  /// A model that can be edited, with copies of all entities.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.take(from: self)
    return copy
  }

  /// Models are equal when they say the same, whatever the order of entities and properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || differences(from: other).isEmpty
  }

  /// Equal models have equally many entities.
  open override var hash: Int { entities.count }
}
