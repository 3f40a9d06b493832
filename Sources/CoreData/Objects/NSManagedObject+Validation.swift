import Foundation

// Validation as a save asks for it: every property of an object, and all that is wrong at once (reference/CONTEXT.md 40–45).

extension NSManagedObject {
  /// Checks the properties, by name, and tells all that is wrong.
  final func validateProperties() throws {
    var errors: [any Error] = []
    for property in objectClass.properties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      do { try validateProperty(property.name) } catch { errors += error.validationErrors }
    }
    try throwAll(errors)
  }

  /// Checks one property as the object has it, and keeps the value that an override puts in its place.
  private final func validateProperty(_ key: String) throws {
    let slot = slot(forKey: key)
    guard isValidated(slot) else { return }
    let old = value(forKey: key)
    if old == nil, changed(slot) == nil, let stored = stored(slot), !stored.isNull { return }
    var new = old
    try validateValue(&new, forKey: key)
    if !Self.isSame(old, new) { setValue(new, forKey: key) }
  }

  /// Whether a property is one that a save writes and that is not known to be as it was.
  ///
  /// A to-many relationship that did not change is not read for this; nor is a to-one that leads somewhere in the store. What the
  /// store or the object's class computes is not the person's to correct.
  private final func isValidated(_ slot: Int) -> Bool {
    if isFault { willAccessValue(forKey: nil) }
    let isChanged = changed(slot) != nil
    let property = objectClass.properties[slot]
    if property.isReadOnly || property.isTransient && !isChanged { return false }
    return switch objectClass.kinds[slot] {
    case .attribute(_, .compositeAttributeType), .other: false
    case .attribute: true
    case .toOne: isChanged || stored(slot)?.isNull ?? true
    case .toMany: isChanged || isInserted
    }
  }

  /// Refuses to go while a relationship with the rule deny leads to an object that stays.
  final func validateDeniedDeletes() throws {
    var errors: [any Error] = []
    for property in objectClass.properties {
      guard let relationship = property as? NSRelationshipDescription, relationship.deleteRule == .denyDeleteRule
      else { continue }
      let value = value(forKey: relationship.name)
      let ends = (value as? NSManagedObject).map { [$0] } ?? value.flatMap(collectionElements) ?? []
      let staying = ends.compactMap { $0 as? NSManagedObject }.filter { !$0.isDeleted }
      guard !staying.isEmpty else { continue }
      let problem = ValidationProblem(
        code: NSValidationRelationshipDeniedDeleteError,
        text: "\(relationship.name) forbids the delete: it still leads to "
          + (staying.count == 1 ? "an object" : "\(staying.count) objects"))
      errors.append(error(problem, key: relationship.name, value: value))
    }
    try throwAll(errors)
  }

  /// Checks a value against what the model says of a property.
  final func validate(_ value: Any?, of property: NSPropertyDescription) throws {
    let value = value is NSNull ? nil : value
    let problem =
      switch property {
      case let attribute as NSAttributeDescription: attribute.problem(with: value)
      case let relationship as NSRelationshipDescription: relationship.problem(with: value)
      default: ValidationProblem?.none
      }
    guard let problem = try problem ?? property.problemByPredicates(with: value) else { return }
    throw error(problem, key: property.name, value: value)
  }

  private final func error(_ problem: ValidationProblem, key: String, value: Any?) -> NSError {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: problem.text, NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key,
    ]
    info[NSValidationValueErrorKey] = value
    info[NSValidationPredicateErrorKey] = problem.predicate
    return NSError(domain: NSCocoaErrorDomain, code: problem.code, userInfo: info)
  }
}

/// Throws nothing, the one error, or one that stands for all.
func throwAll(_ errors: [any Error]) throws {
  guard let first = errors.first else { return }
  guard errors.count > 1 else { throw first }
  let texts = errors.map { ($0 as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? "\($0)" }
  throw NSError(
    domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
    userInfo: [
      NSLocalizedDescriptionKey: texts.joined(separator: "; "), NSDetailedErrorsKey: errors.map { $0 as NSError },
    ])
}

extension Error {
  /// The errors that this one stands for, or itself.
  var validationErrors: [any Error] {
    let error = self as NSError
    guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    else { return [self] }
    return details
  }
}
