import Foundation

/// What happens to related objects when an object is deleted.
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing; the program keeps the graph consistent.
  case noActionDeleteRule = 0
  /// The inverse relationship is emptied.
  case nullifyDeleteRule = 1
  /// Related objects are deleted, too.
  case cascadeDeleteRule = 2
  /// The deletion is refused while there are related objects.
  case denyDeleteRule = 3
}

/// A relationship from one entity to another.
///
/// Follows Apple's page "NSRelationshipDescription".
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of related objects; not retained, it belongs to the model.
  public weak var destinationEntity: NSEntityDescription? { willSet { requireEditable(isFrozen) } }
  /// The relationship that leads back, nil for none; not retained.
  ///
  /// Both sides name each other.
  public weak var inverseRelationship: NSRelationshipDescription? { willSet { requireEditable(isFrozen) } }
  /// What happens to related objects on deletion.
  ///
  /// Nullify unless set.
  public var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { requireEditable(isFrozen) } }
  /// The fewest related objects that validate when there are any.
  public var minCount = 0 { willSet { requireEditable(isFrozen) } }
  /// The most related objects that validate; 1 makes the relationship to-one, 0 sets no limit (so may other numbers).
  public var maxCount = 0 { willSet { requireEditable(isFrozen) } }
  /// Whether a to-many relationship keeps the order of its objects.
  public var isOrdered = false { willSet { requireEditable(isFrozen) } }

  /// Whether the relationship may hold more than one object.
  public var isToMany: Bool { maxCount != 1 }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSRelationshipDescription else { return }
    destinationEntity = other.destinationEntity
    inverseRelationship = other.inverseRelationship
    deleteRule = other.deleteRule
    minCount = other.minCount
    maxCount = other.maxCount
    isOrdered = other.isOrdered
  }
}
