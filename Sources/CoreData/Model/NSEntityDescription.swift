import Foundation

/// An entity: a named kind of object with its properties and its place in the inheritance tree.
///
/// Follows Apple's page "NSEntityDescription". One difference: an inherited property is the very object that the
/// declaring entity holds, and its `entity` is that entity. Sendable by the proof at `NSPropertyDescription`.
open class NSEntityDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The model that the entity belongs to; not retained.
  public internal(set) weak var managedObjectModel: NSManagedObjectModel?
  /// The name, unique in the model.
  public var name: String? { willSet { requireEditable(isFrozen) } }
  /// The class of objects as the model states it.
  ///
  /// `NSManagedObject` unless set.
  public var managedObjectClassName: String {
    get { explicitClassName ?? "NSManagedObject" }
    set { explicitClassName = newValue }
  }
  var explicitClassName: String? { willSet { requireEditable(isFrozen) } }
  /// Whether no object may be of exactly this entity.
  public var isAbstract = false { willSet { requireEditable(isFrozen) } }
  /// Information of the program's own; no part of the version hash.
  public var userInfo: [AnyHashable: Any]? { willSet { requireEditable(isFrozen) } }
  /// Part of the version hash when set.
  public var versionHashModifier: String? { willSet { requireEditable(isFrozen) } }
  /// The name in an earlier version of the model, by which migration finds this entity.
  ///
  /// The name unless set.
  public var renamingIdentifier: String? {
    get { explicitRenamingIdentifier ?? name }
    set { explicitRenamingIdentifier = newValue == name ? nil : newValue }
  }
  var explicitRenamingIdentifier: String? { willSet { requireEditable(isFrozen) } }
  /// Combinations of attributes that no two objects may share, each a list of attribute names or descriptions.
  ///
  /// Only the entity's own; those of ancestors hold besides. Kept as names.
  public var uniquenessConstraints: [[Any]] {
    get { uniqueAttributeNames }
    set {
      uniqueAttributeNames = newValue.map { constraint in
        constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
      }
    }
  }
  var uniqueAttributeNames: [[String]] = [] { willSet { requireEditable(isFrozen) } }
  /// Indexes of the entity's table beyond those the store makes by itself.
  public var indexes: [NSFetchIndexDescription] = [] {
    willSet { requireEditable(isFrozen) }
    didSet { for index in indexes { index.entity = self } }
  }
  /// Indexes in the form that models had before 2017: property names.
  public var compoundIndexes: [[Any]] {
    get { compoundIndexNames }
    set {
      compoundIndexNames = newValue.map { index in
        index.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
      }
    }
  }
  var compoundIndexNames: [[String]] = [] { willSet { requireEditable(isFrozen) } }

  /// The parent; not retained.
  ///
  /// Set through the parent's `subentities`.
  public internal(set) weak var superentity: NSEntityDescription?
  /// The direct children, in the order they were given.
  public var subentities: [NSEntityDescription] = [] {
    willSet { requireEditable(isFrozen) }
    didSet {
      for entity in oldValue where entity.superentity === self { entity.superentity = nil }
      for entity in subentities {
        precondition(!isKindOf(entity: entity), "An entity cannot inherit from itself.")
        entity.superentity = self
      }
    }
  }

  /// The properties that the entity itself declares, in the order they were given.
  final private(set) var declaredProperties: [NSPropertyDescription] = []
  /// What lookups need, once the model is frozen.
  final private(set) var lookups: EntityLookups?
  final var isFrozen: Bool { lookups != nil }
  /// Why no object of the entity can be edited, in words; `nil` where objects can.
  ///
  /// Set in models inferred from plain SQLite, for views and tables without a key.
  package final internal(set) var editRefusal: String? { willSet { requireEditable(isFrozen) } }
  /// What the object layer knows of the entity.
  final let runtime = EntityRuntime()

  /// An entity without a name and without properties.
  public required override init() {
    super.init()
  }

  /// All properties, those of ancestors first, each group in the order it was given.
  ///
  /// Setting declares properties for this entity; those that an ancestor declares already are left out.
  public var properties: [NSPropertyDescription] {
    get { lookups?.properties ?? (superentity?.properties ?? []) + declaredProperties }
    set {
      requireEditable(isFrozen)
      let inherited = superentity?.properties ?? []
      for property in declaredProperties where property.entity === self { property.entity = nil }
      declaredProperties = newValue.filter { property in !inherited.contains { $0 === property } }
      for property in declaredProperties { property.entity = self }
    }
  }

  /// An entity that can be edited, with copies of its own properties and indexes, without parent and children.
  ///
  /// Relationships of the copy still lead to the old entities; copying the whole model redirects them.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.name = name
    copy.explicitClassName = explicitClassName
    copy.isAbstract = isAbstract
    copy.editRefusal = editRefusal
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    copy.uniqueAttributeNames = uniqueAttributeNames
    copy.compoundIndexNames = compoundIndexNames
    copy.properties = declaredProperties.compactMap { $0.copy() as? NSPropertyDescription }
    copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    return copy
  }

  /// Ends editing and prepares the lookups; called by the model under its lock, parents first.
  func freeze() {
    guard lookups == nil else { return }
    for property in declaredProperties { property.freeze() }
    for index in indexes { index.freeze() }
    lookups = EntityLookups(properties: properties)
  }

  /// The class and the name.
  open override var description: String { "\(type(of: self)) \(name ?? "?")" }
}
