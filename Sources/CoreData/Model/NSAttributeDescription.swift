import Foundation

/// An attribute: a value of one type that an object stores itself.
///
/// Follows Apple's page "NSAttributeDescription".
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// The type.
  ///
  /// `undefinedAttributeType` unless set.
  public var attributeType: NSAttributeType = .undefinedAttributeType { willSet { requireEditable(isFrozen) } }

  /// The type in its newer spelling; a number that is no type counts as undefined.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType.rawValue) }
    set { attributeType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
  }

  /// The class of values: fixed by the type, free for transformable attributes.
  public var attributeValueClassName: String? {
    get { explicitValueClassName ?? attributeType.valueClassName }
    set { explicitValueClassName = newValue == attributeType.valueClassName ? nil : newValue }
  }
  private var explicitValueClassName: String? { willSet { requireEditable(isFrozen) } }

  /// The value of new objects: `NSNumber`, `NSDecimalNumber`, `String`, `Date`, `Data`, `UUID` or `URL`; nil for none.
  ///
  /// A default of a class that is not known here is kept in `archivedDefaultValue` and reads as nil.
  public var defaultValue: Any? { willSet { requireEditable(isFrozen) } }
  /// A default of an unknown class, as it stood in the archive.
  var archivedDefaultValue: KeyedArchive.Node? { willSet { requireEditable(isFrozen) } }

  /// The name of the value transformer of a transformable attribute.
  public var valueTransformerName: String? { willSet { requireEditable(isFrozen) } }
  /// Whether the column may hold values of any storage class, which are then given as what they are.
  ///
  /// True in models inferred from plain SQLite alone; no part of a model file, nor of the version hash.
  package internal(set) final var holdsAnyClass = false { willSet { requireEditable(isFrozen) } }

  /// Whether large values may be written to files beside the store.
  ///
  /// Part of the version hash.
  public var allowsExternalBinaryDataStorage = false { willSet { requireEditable(isFrozen) } }
  /// Whether the last value is kept in the history of a deletion.
  ///
  /// Part of the version hash.
  public var preservesValueInHistoryOnDeletion = false { willSet { requireEditable(isFrozen) } }
  /// Whether the value is encrypted in CloudKit.
  public var allowsCloudEncryption = false { willSet { requireEditable(isFrozen) } }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSAttributeDescription else { return }
    attributeType = other.attributeType
    explicitValueClassName = other.explicitValueClassName
    defaultValue = other.defaultValue
    archivedDefaultValue = other.archivedDefaultValue
    valueTransformerName = other.valueTransformerName
    allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
    holdsAnyClass = other.holdsAnyClass
    allowsCloudEncryption = other.allowsCloudEncryption
  }
}

/// An attribute that the store computes from others.
///
/// Follows Apple's page "NSDerivedAttributeDescription".
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression; its text alone is the version hash.
  var derivation: ModelExpression? { willSet { requireEditable(isFrozen) } }
  /// Which related objects take part.
  var filter: ModelPredicate? { willSet { requireEditable(isFrozen) } }

  /// The canonical text of the expression, such as `count:(pages)`, `now()` or `author.name`.
  public var derivationExpressionText: String? {
    get { derivation?.text }
    set { derivation = newValue.map(ModelExpression.init(text:)) }
  }

  /// A derived attribute without an expression.
  public required init() {
    super.init()
    isReadOnly = true
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSDerivedAttributeDescription else { return }
    derivation = other.derivation
    filter = other.filter
  }
}

/// An attribute made of named parts, each an attribute or again a composite.
///
/// Follows Apple's page "NSCompositeAttributeDescription".
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The parts, in the order they were given.
  public var elements: [NSAttributeDescription] = [] { willSet { requireEditable(isFrozen) } }
  /// The name under which a model's XML defines the parts; no part of the model itself.
  var compositeName: String? { willSet { requireEditable(isFrozen) } }

  /// A composite without parts.
  public required init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSCompositeAttributeDescription else { return }
    compositeName = other.compositeName
    elements = other.elements.compactMap { $0.copy() as? NSAttributeDescription }
  }

  override func freeze() {
    super.freeze()
    for element in elements { element.freeze() }
  }
}
