import Foundation

/// What every property of an entity has in common: name, optionality, validation, versioning.
///
/// Follows Apple's page "NSPropertyDescription". A description may be changed until its model is in use; a change
/// after that stops the program.
///
/// Sendable is unchecked because the class is mutable until frozen: before that a model belongs to whoever builds it,
/// like any class; freezing happens once under the model's lock, and from then on every setter traps, so that threads
/// that received the frozen model only read.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The entity that declares the property, nil while it belongs to none.
  ///
  /// Subentities share the property.
  public internal(set) weak var entity: NSEntityDescription?
  /// The name, unique among the properties of the entity and its ancestors.
  public var name: String = "" { willSet { requireEditable(isFrozen) } }
  /// Whether the property may be nil when an object is saved.
  ///
  /// True unless set.
  public var isOptional = true { willSet { requireEditable(isFrozen) } }
  /// Whether the property lives in memory only.
  ///
  /// False unless set.
  public var isTransient = false { willSet { requireEditable(isFrozen) } }
  /// Information of the program's own; no part of the version hash.
  public var userInfo: [AnyHashable: Any]? { willSet { requireEditable(isFrozen) } }
  /// Whether the old model editor asked for an index; recent models use `NSEntityDescription.indexes`.
  public var isIndexed = false { willSet { requireEditable(isFrozen) } }
  /// Whether Core Spotlight indexes the property.
  public var isIndexedBySpotlight = false { willSet { requireEditable(isFrozen) } }
  /// Part of the version hash when set: marks a change that the other settings do not show.
  public var versionHashModifier: String? { willSet { requireEditable(isFrozen) } }

  /// The name in an earlier version of the model, by which migration finds this property.
  ///
  /// The name unless set.
  public var renamingIdentifier: String? {
    get { explicitRenamingIdentifier ?? name }
    set { explicitRenamingIdentifier = newValue == name ? nil : newValue }
  }
  var explicitRenamingIdentifier: String? { willSet { requireEditable(isFrozen) } }

  /// What a value must satisfy, each with the warning at the same place of `validationWarnings`.
  var validationConditions: [ModelPredicate] = [] { willSet { requireEditable(isFrozen) } }
  /// The message (or its number in the error domain) for each validation predicate.
  public internal(set) var validationWarnings: [Any] = [] { willSet { requireEditable(isFrozen) } }

  /// Whether the framework alone writes the property: derived attributes and fetched properties.
  package internal(set) final var isReadOnly = false { willSet { requireEditable(isFrozen) } }
  final private(set) var isFrozen = false
  /// The parsed validation predicates, once the model is in use.
  final private(set) var frozenValidations: [Validation]?

  /// A property without a name, optional and not transient.
  public required override init() {
    super.init()
  }

  /// A property that can be edited, with the same settings and no entity.
  ///
  /// References to other entities and properties are kept as they are; copying the whole model redirects them.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.take(from: self)
    return copy
  }

  /// Takes over the settings of another description of the same class; subclasses add theirs.
  func take(from other: NSPropertyDescription) {
    name = other.name
    isOptional = other.isOptional
    isTransient = other.isTransient
    userInfo = other.userInfo
    isIndexed = other.isIndexed
    isIndexedBySpotlight = other.isIndexedBySpotlight
    versionHashModifier = other.versionHashModifier
    explicitRenamingIdentifier = other.explicitRenamingIdentifier
    validationConditions = other.validationConditions
    validationWarnings = other.validationWarnings
    isReadOnly = other.isReadOnly
  }

  /// Ends editing; called by the model under its lock.
  func freeze() {
    frozenValidations = parsedValidations
    isFrozen = true
  }

  /// The class and the name.
  open override var description: String { "\(type(of: self)) \(entity?.name ?? "?").\(name)" }
}
