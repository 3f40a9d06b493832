import Foundation

/// How an index element is kept.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// An ordinary index, compared byte by byte.
  case binary = 0
  /// A spatial index over numbers.
  case rTree = 1
}

/// One column of an index.
///
/// Follows Apple's page "NSFetchIndexElementDescription".
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
  // Sendable by the same proof as NSPropertyDescription: editable by one owner, then frozen under the model's lock.

  /// The indexed property: an attribute, a to-one relationship or an expression.
  public let property: NSPropertyDescription
  /// The property's name.
  public var propertyName: String { property.name }
  /// How the element is kept.
  public var collationType: NSFetchIndexElementType { willSet { requireEditable(isFrozen) } }
  /// Whether the index ascends.
  ///
  /// True unless set.
  public var isAscending = true { willSet { requireEditable(isFrozen) } }
  /// The index that holds the element.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?
  fileprivate final var isFrozen = false

  /// An ascending element over a property.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    self.collationType = collationType
  }

  /// An element that can be edited, over the same property.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }
}

/// An index that an entity's table carries.
///
/// Follows Apple's page "NSFetchIndexDescription".
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
  // Sendable by the same proof as NSPropertyDescription.

  /// The name, unique within the entity.
  public var name: String { willSet { requireEditable(isFrozen) } }
  /// The columns, most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    willSet { requireEditable(isFrozen) }
    didSet { adoptElements() }
  }
  /// The entity that the index belongs to.
  public internal(set) weak var entity: NSEntityDescription?
  /// Which objects the index covers, nil for all.
  var partialCondition: ModelPredicate? { willSet { requireEditable(isFrozen) } }
  private final var isFrozen = false

  /// An index with a name over columns.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adoptElements()
  }

  /// An index that can be edited, over the same properties.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copies = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
    let copy = NSFetchIndexDescription(name: name, elements: copies)
    copy.partialCondition = partialCondition
    return copy
  }

  private func adoptElements() {
    for element in elements { element.indexDescription = self }
  }

  /// Ends editing; called by the model under its lock.
  func freeze() {
    isFrozen = true
    for element in elements {
      element.isFrozen = true
      element.property.freeze()
    }
  }
}
