extension PredicateEvaluator {
  /// `FUNCTION(target, "selector:", …)`: what the target's class on Apple's platforms answers.
  ///
  /// The selectors known are those of strings, numbers, dates and collections that predicates use; a selector without
  /// arguments is a key. Without an Objective-C runtime there is no other way to call one.
  func answer(
    of target: PredicateValue, to selector: String, _ arguments: [PredicateValue]
  ) throws(PredicateError) -> PredicateValue {
    if target.isNull { return .null }
    let unknown = PredicateError("-[\(target.text) \(selector)]: unrecognized selector")
    if arguments.isEmpty { return try answer(of: target, to: selector, else: unknown) }
    switch (target, selector) {
    case (.constant(.string(let text)), "stringByAppendingString:"):
      guard case .constant(.string(let more)) = arguments[0] else { throw unknown }
      return .string(text + more)
    case (.constant(.string(let text)), "substringFromIndex:"), (.constant(.string(let text)), "substringToIndex:"):
      guard case .constant(.integer(let number)) = arguments[0], let index = Int(exactly: number),
        (0...(text as NSString).length).contains(index)
      else { throw unknown }
      let string = text as NSString
      return .string(selector == "substringToIndex:" ? string.substring(to: index) : string.substring(from: index))
    case (.constant, "pow:"): return try call(.power, [target, arguments[0]])
    case (_, "objectAtIndex:"), (_, "objectForKey:"), (_, "valueForKey:"):
      if selector == "valueForKey:", case .constant(.string(let key)) = arguments[0] {
        return try member(key, of: target)
      }
      return try element(at: arguments[0], of: target)
    case (.constant(.date(let date)), "dateByAddingTimeInterval:"):
      guard case .constant(let constant) = arguments[0], let seconds = constant.doubleValue else { throw unknown }
      return .constant(.date(date.addingTimeInterval(seconds)))
    case (.constant(.date(let date)), "timeIntervalSinceDate:"):
      guard case .constant(.date(let other)) = arguments[0] else { throw unknown }
      return .constant(.double(date.timeIntervalSince(other)))
    default:
      guard let holds = try Self.comparison(target, selector, arguments[0], captures) else { throw unknown }
      return .bool(holds)
    }
  }

  private func answer(
    of target: PredicateValue, to selector: String, else unknown: PredicateError
  ) throws(PredicateError) -> PredicateValue {
    switch (target, selector) {
    case (.constant(.string(let text)), "uppercase"): return .string(text.uppercased())
    case (.constant(.string(let text)), "lowercase"): return .string(text.lowercased())
    case (_, "count"): return .integer(Int64(try list(target, for: "count").count))
    case (_, "firstObject"): return try list(target, for: selector).first ?? .null
    case (_, "lastObject"): return try list(target, for: selector).last ?? .null
    default:
      do { return try member(selector, of: target) } catch { throw unknown }
    }
  }

  /// A method that takes one value and answers yes or no, as an operator or in `FUNCTION`; nil for an unknown one.
  static func comparison(
    _ left: PredicateValue, _ selector: String, _ right: PredicateValue, _ captures: Captures
  ) throws(PredicateError) -> Bool? {
    func compare(_ op: PredicateTree.Operator, _ options: PredicateTree.Options = []) throws(PredicateError) -> Bool? {
      let tree = PredicateTree.Comparison(.selfObject, op, .selfObject, options: options)
      return try PredicateComparer(tree, nulls: .memory, captures: captures).compare(left, right)
    }
    switch selector {
    case "isEqual:", "isEqualTo:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:", "isEqualToArray:":
      return try compare(.equalTo)
    case "isNotEqualTo:": return try compare(.notEqualTo)
    case "isLessThan:": return try compare(.lessThan)
    case "isLessThanOrEqualTo:": return try compare(.lessThanOrEqualTo)
    case "isGreaterThan:": return try compare(.greaterThan)
    case "isGreaterThanOrEqualTo:": return try compare(.greaterThanOrEqualTo)
    case "isLike:": return try compare(.like)
    case "isCaseInsensitiveLike:": return try compare(.like, .caseInsensitive)
    case "doesContain:", "containsObject:", "containsString:": return try compare(.contains)
    case "localizedCaseInsensitiveContainsString:": return try compare(.contains, [.caseInsensitive, .localeSensitive])
    case "localizedStandardContainsString:":
      return try compare(.contains, [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
    case "hasPrefix:": return try compare(.beginsWith)
    case "hasSuffix:": return try compare(.endsWith)
    case "isKindOfClass:", "isMemberOfClass:":
      guard case .other(let any) = right, let wanted = any as? Any.Type else { return nil }
      return isKind(left, of: wanted, exactly: selector == "isMemberOfClass:")
    default: return nil
    }
  }

  /// Whether a value is of a class.
  ///
  /// Swift's values count as the Foundation classes that they bridge to.
  private static func isKind(_ value: PredicateValue, of wanted: Any.Type, exactly: Bool) -> Bool {
    let actual: Any
    switch value {
    case .other(let any): actual = any
    case .object(let object): actual = object
    case .list, .dictionary: return bridged(value).contains { $0 == wanted }
    case .constant: return bridged(value).contains { $0 == wanted }
    }
    if exactly { return type(of: actual) == wanted }
    var mirror: Mirror? = Mirror(reflecting: actual)
    while let current = mirror {
      if current.subjectType == wanted { return true }
      mirror = current.superclassMirror
    }
    return false
  }

  private static func bridged(_ value: PredicateValue) -> [Any.Type] {
    let own: [Any.Type] =
      switch value {
      case .constant(.string): [NSString.self, String.self]
      case .constant(.bool): [NSNumber.self, NSValue.self, Bool.self]
      case .constant(.integer): [NSNumber.self, NSValue.self, Int.self]
      case .constant(.double): [NSNumber.self, NSValue.self, Double.self]
      case .constant(.decimal): [NSDecimalNumber.self, NSNumber.self, NSValue.self, Decimal.self]
      case .constant(.date): [NSDate.self, Date.self]
      case .constant(.data): [NSData.self, Data.self]
      case .constant(.uuid): [NSUUID.self, UUID.self]
      case .constant(.url): [NSURL.self, URL.self]
      case .list(_, isOrdered: false): [NSSet.self]
      case .list, .constant(.collection): [NSArray.self]
      case .dictionary, .constant(.dictionary): [NSDictionary.self]
      default: []
      }
    return own + [NSObject.self]
  }
}
