import Foundation

/// A property whose value is the result of a fetch; never stored.
///
/// Follows Apple's page "NSFetchedPropertyDescription".
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The request as the model states it.
  var template: FetchRequestTemplate? { willSet { requireEditable(isFrozen) } }

  /// A fetched property without a request; always transient and read-only.
  public required init() {
    super.init()
    isTransient = true
    isReadOnly = true
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    template = (other as? NSFetchedPropertyDescription)?.template
  }
}

/// A value computed by an expression: a column of a fetch that returns dictionaries, or what an index is made of.
///
/// Follows Apple's page "NSExpressionDescription".
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression as the model states it.
  var modelExpression: ModelExpression? { willSet { requireEditable(isFrozen) } }
  /// The type of the result.
  public var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { requireEditable(isFrozen) } }

  /// The type of the result in its newer spelling.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType.rawValue) }
    set { expressionResultType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSExpressionDescription else { return }
    modelExpression = other.modelExpression
    expressionResultType = other.expressionResultType
  }
}
