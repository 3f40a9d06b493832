import Foundation

/// What is wrong with a value: Apple's code, the reason in words, and the predicate that does not hold.
struct ValidationProblem {
  var code: Int
  var text: String
  var predicate: NSPredicate?
}

extension NSAttributeDescription {
  /// What is wrong with a value by the attribute's type; `nil` when nothing is.
  func problem(with value: Any?) -> ValidationProblem? {
    guard let value else {
      return isOptional
        ? nil : ValidationProblem(code: NSValidationMissingMandatoryPropertyError, text: "\(name) must have a value")
    }
    if holdsAnyClass { return nil }
    switch attributeType {
    case .integer16AttributeType: return integerProblem(value, Int64(Int16.min)...Int64(Int16.max))
    case .integer32AttributeType: return integerProblem(value, Int64(Int32.min)...Int64(Int32.max))
    case .integer64AttributeType: return integerProblem(value, Int64.min...Int64.max)
    case .decimalAttributeType, .doubleAttributeType, .floatAttributeType:
      return value is NSNumber || value is Decimal ? nil : wrongType("a number", value)
    case .booleanAttributeType: return value is NSNumber ? nil : wrongType("true or false", value)
    case .stringAttributeType: return value is String ? nil : wrongType("a string", value)
    case .dateAttributeType:
      let date = value as? Date
      return date?.timeIntervalSinceReferenceDate.isFinite == true
        ? nil : wrongType("a date", value, code: NSValidationInvalidDateError)
    case .UUIDAttributeType: return value is UUID ? nil : wrongType("a UUID", value)
    case .URIAttributeType: return value is URL ? nil : wrongType("a URI", value, code: NSValidationInvalidURIError)
    case .binaryDataAttributeType: return value is Data ? nil : wrongType("data", value)
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType:
      // Any object: what a transformer or a class takes is not known here.
      return nil
    }
  }

  /// Integers are bounded by their width; rule 44 leaves open what Apple does, a wrong number in the store is never right.
  private func integerProblem(_ value: Any, _ range: ClosedRange<Int64>) -> ValidationProblem? {
    guard let number = value as? NSNumber, !number.doubleValue.isNaN else { return wrongType("an integer", value) }
    let isAbove: Bool
    let isBelow: Bool
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"):
      isAbove = number.doubleValue >= Double(range.upperBound) + 1
      isBelow = number.doubleValue.rounded(.towardZero) < Double(range.lowerBound)
    case UInt8(ascii: "Q") where number.uint64Value > Int64.max: (isAbove, isBelow) = (true, false)
    default: (isAbove, isBelow) = (number.int64Value > range.upperBound, number.int64Value < range.lowerBound)
    }
    if isAbove {
      return ValidationProblem(
        code: NSValidationNumberTooLargeError, text: "\(name) is too large: at most \(range.upperBound)")
    }
    return isBelow
      ? ValidationProblem(
        code: NSValidationNumberTooSmallError, text: "\(name) is too small: at least \(range.lowerBound)") : nil
  }
}

extension NSRelationshipDescription {
  /// What is wrong with the object or objects at the relationship's end; `nil` when nothing is.
  func problem(with value: Any?) -> ValidationProblem? {
    if !isToMany, value == nil {
      return isOptional
        ? nil : ValidationProblem(code: NSValidationMissingMandatoryPropertyError, text: "\(name) must have a value")
    }
    let ends: [Any]
    if isToMany {
      guard let elements = value.map(collectionElements) ?? [] else { return wrongType("a set of objects", value) }
      ends = elements
    } else {
      ends = value.map { [$0] } ?? []
    }
    let strangers = ends.filter { end in
      guard let object = end as? NSManagedObject, let destinationEntity else { return true }
      return !object.entity.isKindOf(entity: destinationEntity)
    }
    if let stranger = strangers.first {
      let given = (stranger as? NSManagedObject)?.entity.name
      return ValidationProblem(
        code: NSManagedObjectValidationError,
        text: "\(name) leads to \(destinationEntity?.name ?? "?"), not to \(given ?? "\(type(of: stranger))")")
    }
    return isToMany ? problem(withCount: ends.count) : nil
  }

  /// An optional relationship may be empty, whatever its least count.
  private func problem(withCount count: Int) -> ValidationProblem? {
    let least = max(minCount, isOptional ? 0 : 1)
    if count < least, count > 0 || !isOptional {
      return ValidationProblem(
        code: NSValidationRelationshipLacksMinimumCountError, text: "\(name) has \(count) of at least \(least) objects")
    }
    if maxCount > 0, count > maxCount {
      return ValidationProblem(
        code: NSValidationRelationshipExceedsMaximumCountError,
        text: "\(name) has \(count) of at most \(maxCount) objects")
    }
    return nil
  }
}

extension NSPropertyDescription {
  fileprivate func wrongType(_ wanted: String, _ value: Any?, code: Int = NSManagedObjectValidationError)
    -> ValidationProblem
  {
    ValidationProblem(code: code, text: "\(name) must be \(wanted), not \(value.map { "\(type(of: $0))" } ?? "nil")")
  }

  /// What the model's validation predicates find wrong with a value, the first that does not hold; `nil` when all hold.
  ///
  /// No value satisfies them all: whether one may be missing is not theirs to say (reference/CONTEXT.md 45).
  func problemByPredicates(with value: Any?) throws -> ValidationProblem? {
    guard let value else { return nil }
    for validation in validations {
      do {
        if try validation.predicate.isSatisfied(by: value) { continue }
      } catch {
        return ValidationProblem(
          code: NSManagedObjectValidationError, text: "\(name) cannot be checked: \(error.reason)",
          predicate: validation.predicate)
      }
      let code = if case .code(let code)? = validation.warning { code } else { NSManagedObjectValidationError }
      let text = if case .message(let text)? = validation.warning { text } else { reason(code, validation.predicate) }
      return ValidationProblem(code: code, text: text, predicate: validation.predicate)
    }
    return nil
  }

  /// A failed predicate in words; with the bound that it sets, where it is one.
  private func reason(_ code: Int, _ predicate: NSPredicate) -> String {
    let bound = predicate.bound
    func bounded(_ what: String, _ side: String) -> String {
      "\(name) is \(what)" + (bound.map { ": \(side) \($0)" } ?? "")
    }
    return switch code {
    case NSValidationNumberTooLargeError: bounded("too large", "at most")
    case NSValidationNumberTooSmallError: bounded("too small", "at least")
    case NSValidationDateTooLateError: bounded("too late", "at the latest")
    case NSValidationDateTooSoonError: bounded("too early", "at the earliest")
    case NSValidationStringTooLongError: bounded("too long", "at most") + (bound == nil ? "" : " characters")
    case NSValidationStringTooShortError: bounded("too short", "at least") + (bound == nil ? "" : " characters")
    case NSValidationStringPatternMatchingError: bounded("not of the form asked for", "it must match")
    default: "\(name) does not satisfy \(predicate.writtenFormat)"
    }
  }
}

extension NSPredicate {
  /// Whether the predicate holds for a value, with memory's rules for nil.
  fileprivate func isSatisfied(by value: Any) throws(PredicateError) -> Bool {
    if let formed = self as? any FormedPredicate { return try formed.compiled.evaluate(PredicateValue(value)) ?? false }
    return try form.evaluate(with: value)
  }

  /// The constant that the value is compared with; `nil` for predicates of other shapes.
  fileprivate var bound: String? {
    guard case .comparison(let comparison) = tree else { return nil }
    switch comparison.right {
    case .constant(.string(let text)): return text
    case .constant(let constant): return constant.format()
    case .cast(.constant(let constant), _):
      guard let seconds = constant.doubleValue else { return nil }
      return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    default: return nil
    }
  }
}
