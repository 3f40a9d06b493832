import Foundation

extension NSPropertyDescription {
  /// What a value must satisfy, each with the warning at the same place of `validationWarnings`.
  ///
  /// A predicate that an archive holds in a form without text is left out. Parsed once when the model is in use.
  public var validationPredicates: [NSPredicate] { validations.map(\.predicate) }

  /// Replaces the validation predicates and their warnings: messages, or numbers in the Cocoa error domain.
  public func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [Any]?
  ) {
    validationConditions = (validationPredicates ?? []).map { ModelPredicate($0) }
    self.validationWarnings = validationWarnings ?? []
  }

  /// A validation predicate with its warning, when it has one.
  struct Validation {
    let predicate: NSPredicate
    let warning: Warning?
  }

  /// What a failed validation says.
  enum Warning: Hashable, Sendable {
    case message(String)
    /// A number in the Cocoa error domain.
    case code(Int)
  }

  /// The predicates with their warnings; cached once the model is in use.
  var validations: [Validation] { frozenValidations ?? parsedValidations }

  /// The predicates with their warnings, parsed now.
  var parsedValidations: [Validation] {
    validationConditions.enumerated().compactMap { index, condition in
      guard let predicate = condition.predicate else { return nil }
      let warning = validationWarnings.indices.contains(index) ? validationWarnings[index] : nil
      switch warning {
      case let message as String: return Validation(predicate: predicate, warning: .message(message))
      case let code as Int: return Validation(predicate: predicate, warning: .code(code))
      default: return Validation(predicate: predicate, warning: nil)
      }
    }
  }
}

extension NSDerivedAttributeDescription {
  /// How the store computes the value; nil when there is none, or one without text in an archive.
  public var derivationExpression: NSExpression? {
    get { derivation?.expression }
    set { derivation = newValue.map { ModelExpression($0) } }
  }

  /// Which related objects take part in the derivation; nil for all.
  public var filteringPredicate: NSPredicate? {
    get { filter?.predicate }
    set { filter = newValue.map { ModelPredicate($0) } }
  }
}

extension NSExpressionDescription {
  /// The expression.
  public var expression: NSExpression? {
    get { modelExpression?.expression }
    set { modelExpression = newValue.map { ModelExpression($0) } }
  }
}

extension NSFetchIndexDescription {
  /// Which objects the index covers; nil for all.
  public var partialIndexPredicate: NSPredicate? {
    get { partialCondition?.predicate }
    set { partialCondition = newValue.map { ModelPredicate($0) } }
  }
}
