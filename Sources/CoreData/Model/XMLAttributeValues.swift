import Foundation

/// What an attribute's element says about values: the default, and the bounds of validation.
enum XMLAttributeValues {
  /// The default of `defaultValueString` or `defaultDateTimeInterval`, in the class of the type.
  static func defaultValue(_ element: XMLElementNode, type: NSAttributeType) -> Any? {
    if type == .dateAttributeType { return element["defaultDateTimeInterval"].flatMap(date) }
    guard let text = element["defaultValueString"] else { return nil }
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return Int64(text).map(NSNumber.init(value:)) ?? Double(text).flatMap(Int64.init(exactly:)).map(NSNumber.init)
    case .decimalAttributeType:
      let number = NSDecimalNumber(string: text)
      return number == .notANumber ? nil : number
    case .doubleAttributeType, .floatAttributeType: return Double(text).map(NSNumber.init(value:))
    case .booleanAttributeType: return NSNumber(value: text == "YES" || text == "1")
    case .stringAttributeType: return text
    case .UUIDAttributeType: return UUID(uuidString: text)
    case .URIAttributeType: return URL(string: text)
    default: return nil
    }
  }

  /// A predicate and the number of the error when it does not hold.
  typealias Rule = (condition: ModelPredicate, warning: Int)

  /// The rules of `minValueString`, `maxValueString`, the date bounds and `regularExpressionString`.
  ///
  /// Strings are bounded in length (reference: MODELCACHE; a compiled minimum of 1 is `length >= 1` with 1670).
  static func validation(_ element: XMLElementNode, type: NSAttributeType) -> [Rule] {
    switch type {
    case .stringAttributeType:
      var rules = bounds(
        of: "length", low: element.integer("minValueString").map(String.init), tooLow: 1670,
        high: element.integer("maxValueString").map(String.init), tooHigh: 1660)
      if let pattern = element["regularExpressionString"], !pattern.isEmpty {
        let escaped = pattern.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        rules.append((ModelPredicate(format: "SELF MATCHES \"\(escaped)\""), 1680))
      }
      return rules
    case .dateAttributeType:
      func cast(_ name: String) -> String? {
        element[name].flatMap(date).map { "CAST(\($0.timeIntervalSinceReferenceDate), \"NSDate\")" }
      }
      return bounds(
        of: "SELF", low: cast("minDateTimeInterval"), tooLow: 1640, high: cast("maxDateTimeInterval"), tooHigh: 1630)
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      func number(_ name: String) -> String? { element[name].flatMap { Double($0) == nil ? nil : $0 } }
      return bounds(
        of: "SELF", low: number("minValueString"), tooLow: 1620, high: number("maxValueString"), tooHigh: 1610)
    default: return []
    }
  }

  private static func bounds(
    of subject: String, low: String?, tooLow: Int, high: String?, tooHigh: Int
  ) -> [Rule] {
    var rules: [Rule] = []
    if let low { rules.append((ModelPredicate(format: "\(subject) >= \(low)"), tooLow)) }
    if let high { rules.append((ModelPredicate(format: "\(subject) <= \(high)"), tooHigh)) }
    return rules
  }

  /// The attribute of the XML that makes a rule, and its value; nil for a predicate that XML has no attribute for.
  static func bound(_ rule: ModelPredicate, type: NSAttributeType) -> (attribute: String, value: String)? {
    guard case .comparison(let comparison)? = rule.predicate?.tree, comparison.modifier == .direct else { return nil }
    let subject: ExpressionTree = type == .stringAttributeType ? .keyPath(["length"]) : .selfObject
    switch (comparison.op, comparison.right) {
    case (.matches, .constant(.string(let pattern))):
      return comparison.left == .selfObject ? ("regularExpressionString", pattern) : nil
    case (.greaterThanOrEqualTo, let limit), (.lessThanOrEqualTo, let limit):
      guard comparison.left == subject, let text = text(ofLimit: limit) else { return nil }
      let end = comparison.op == .greaterThanOrEqualTo ? "min" : "max"
      return (end + (type == .dateAttributeType ? "DateTimeInterval" : "ValueString"), text)
    default: return nil
    }
  }

  private static func text(ofLimit limit: ExpressionTree) -> String? {
    switch limit {
    case .constant(.integer(let value)): String(value)
    case .constant(.double(let value)): String(value)
    case .constant(.decimal(let value)): "\(value)"
    case .constant(.date(let value)): text(of: value.timeIntervalSinceReferenceDate)
    case .cast(let seconds, type: "NSDate"): text(ofLimit: seconds)
    default: nil
    }
  }

  /// A default as the XML writes it; nil for a class that it has no text for.
  static func text(ofDefault value: Any, type: NSAttributeType) -> String? {
    switch (type, value) {
    case (.dateAttributeType, let value as Date): text(of: value.timeIntervalSinceReferenceDate)
    case (.booleanAttributeType, let value as NSNumber): value.boolValue ? "YES" : "NO"
    case (.decimalAttributeType, let value as NSDecimalNumber): "\(value.decimalValue)"
    case (.doubleAttributeType, let value as NSNumber), (.floatAttributeType, let value as NSNumber):
      String(value.doubleValue)
    case (.integer16AttributeType, let value as NSNumber), (.integer32AttributeType, let value as NSNumber),
      (.integer64AttributeType, let value as NSNumber):
      value.stringValue
    case (.stringAttributeType, let value as String): value
    case (.UUIDAttributeType, let value as UUID): value.uuidString
    case (.URIAttributeType, let value as URL): value.absoluteString
    default: nil
    }
  }

  /// Seconds, without a fraction where there is none.
  private static func text(of seconds: Double) -> String {
    Int64(exactly: seconds).map(String.init) ?? String(seconds)
  }

  private static func date(_ text: String) -> Date? {
    Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
  }
}
