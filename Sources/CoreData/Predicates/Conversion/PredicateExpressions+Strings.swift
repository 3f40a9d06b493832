// `#Predicate` takes three methods of strings on Apple's platforms that Foundation gives no expressions here. Expressions of
// this module's own would do for evaluation, but printing a predicate stops the program at one that Foundation does not know.
// So they are put together from Foundation's, with key paths to the text in the form that the method compares.

/// A text that is compared by a method other than by code units.
public struct ComparableText: Comparable, Hashable, Codable, Sendable {
  private enum Method: String, Codable {
    case caseInsensitive, localized
  }

  private let text: String
  private let method: Method

  fileprivate static func caseInsensitive(_ text: String) -> Self { Self(text: text, method: .caseInsensitive) }
  fileprivate static func localized(_ text: String) -> Self { Self(text: text, method: .localized) }

  private func order(_ other: Self) -> ComparisonResult {
    switch method {
    case .caseInsensitive: text.caseInsensitiveCompare(other.text)
    case .localized: text.localizedCompare(other.text)
    }
  }

  /// Whether the method takes both for the same.
  public static func == (left: Self, right: Self) -> Bool { left.order(right) == .orderedSame }
  /// Whether the method puts the left text first.
  public static func < (left: Self, right: Self) -> Bool { left.order(right) == .orderedAscending }
  /// Hashes what does not differ between equal texts.
  public func hash(into hasher: inout Hasher) { hasher.combine(method) }
}

extension String {
  /// The text without the differences that `localizedStandardContains(_:)` leaves aside: case and diacritics.
  public var localizedStandardForm: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: .current)
  }
  /// The text as `caseInsensitiveCompare(_:)` compares it.
  public var caseInsensitiveForm: ComparableText { .caseInsensitive(self) }
  /// The text as `localizedCompare(_:)` compares it.
  public var localizedForm: ComparableText { .localized(self) }
}

extension PredicateExpressions {
  /// A comparison of two texts by their forms, with a `ComparisonResult`.
  public typealias FormComparison<Left: PredicateExpression, Right: PredicateExpression> = Conditional<
    Equal<KeyPath<Left, ComparableText>, KeyPath<Right, ComparableText>>, Value<ComparisonResult>,
    Conditional<
      Comparison<KeyPath<Left, ComparableText>, KeyPath<Right, ComparableText>>, Value<ComparisonResult>,
      Value<ComparisonResult>
    >
  >

  /// `text.localizedStandardContains(other)` within `#Predicate`.
  public static func build_localizedStandardContains<Text, Other>(
    _ text: Text, _ other: Other
  ) -> CollectionContainsCollection<KeyPath<Text, String>, KeyPath<Other, String>>
  where Text: PredicateExpression, Other: PredicateExpression, Text.Output == String, Other.Output == String {
    CollectionContainsCollection(
      base: KeyPath(root: text, keyPath: \.localizedStandardForm),
      other: KeyPath(root: other, keyPath: \.localizedStandardForm))
  }

  /// `text.caseInsensitiveCompare(other)` within `#Predicate`.
  public static func build_caseInsensitiveCompare<Text, Other>(
    _ text: Text, _ other: Other
  ) -> FormComparison<Text, Other>
  where Text: PredicateExpression, Other: PredicateExpression, Text.Output == String, Other.Output == String {
    compare(
      KeyPath(root: text, keyPath: \.caseInsensitiveForm), KeyPath(root: other, keyPath: \.caseInsensitiveForm))
  }

  /// `text.localizedCompare(other)` within `#Predicate`.
  public static func build_localizedCompare<Text, Other>(
    _ text: Text, _ other: Other
  ) -> FormComparison<Text, Other>
  where Text: PredicateExpression, Other: PredicateExpression, Text.Output == String, Other.Output == String {
    compare(KeyPath(root: text, keyPath: \.localizedForm), KeyPath(root: other, keyPath: \.localizedForm))
  }

  private static func compare<Left, Right>(
    _ left: KeyPath<Left, ComparableText>, _ right: KeyPath<Right, ComparableText>
  ) -> FormComparison<Left, Right> {
    Conditional(
      test: Equal(lhs: left, rhs: right), trueBranch: Value(.orderedSame),
      falseBranch: Conditional(
        test: Comparison(lhs: left, rhs: right, op: .lessThan), trueBranch: Value(.orderedAscending),
        falseBranch: Value(.orderedDescending)))
  }
}

/// A text in the form that a method compares.
protocol ComparedTextExpression {
  /// The options of a comparison that takes the same texts for equal; nil for any other key path.
  var options: PredicateTree.Options? { get }
  /// The text itself.
  func text(_ conversion: inout PredicateConversion) throws -> ExpressionTree
}

extension PredicateExpressions.KeyPath: ComparedTextExpression {
  var options: PredicateTree.Options? {
    let path: AnyKeyPath = keyPath
    if path == \String.localizedStandardForm { return [.caseInsensitive, .diacriticInsensitive, .localeSensitive] }
    if path == \String.caseInsensitiveForm { return .caseInsensitive }
    return path == \String.localizedForm ? .localeSensitive : nil
  }

  func text(_ conversion: inout PredicateConversion) throws -> ExpressionTree { try conversion.expression(root) }
}
