/// Gives `NSSortDescriptor` initialisers that return a subclass; a class's own initialisers cannot.
public protocol SortDescriptorInitializing {}

extension NSSortDescriptor: SortDescriptorInitializing {}

extension SortDescriptorInitializing where Self: NSSortDescriptor {
  /// Orders by the values at a key path, by their natural order; strings by their code units.
  ///
  /// Nil comes before everything when ascending, as SQLite has it. Without a key the objects themselves are compared.
  /// Source: Apple, `NSSortDescriptor`; PREDICATES.md, rule 38.
  public init(key: String?, ascending: Bool) {
    self = Self.made(KeySortDescriptor(SortKey(key: key, ascending: ascending)))
  }

  /// Orders by the values at a key path with the method of that name, such as `localizedStandardCompare:`.
  ///
  /// The names known are those of strings; any other compares by natural order.
  public init(key: String?, ascending: Bool, selector: String) {
    let comparison = SortKey.Comparison(rawValue: selector) ?? .natural
    self = Self.made(KeySortDescriptor(SortKey(key: key, ascending: ascending, comparison: comparison)))
  }

  /// Orders by the values at a key path with a closure.
  ///
  /// A store cannot sort by it.
  public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    self = Self.made(KeySortDescriptor(SortKey(key: key, ascending: ascending), block: cmptr))
  }

  private static func made(_ descriptor: KeySortDescriptor) -> Self {
    guard let descriptor = descriptor as? Self else { fatalError("\(Self.self) sorts by no key") }
    return descriptor
  }
}

extension NSSortDescriptor {
  /// The key path that the values are read from; nil for a descriptor without one, and for one of a Swift key path.
  public var key: String? { (self as? KeySortDescriptor)?.sorting.key }

  /// How to sort, as a value; nil for a descriptor that only memory can sort by, or that holds a Swift key path.
  package var sortKey: SortKey? {
    guard let descriptor = self as? KeySortDescriptor, descriptor.block == nil else { return nil }
    return descriptor.sorting
  }
}

/// An order by the values at a key path.
package struct SortKey: Hashable, Sendable {
  /// Nil orders the objects themselves.
  package var key: String?
  package var ascending: Bool
  package var comparison: Comparison

  package init(key: String?, ascending: Bool, comparison: Comparison = .natural) {
    self.key = key
    self.ascending = ascending
    self.comparison = comparison
  }

  /// The methods that compare two values, under their names on Apple's platforms.
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case natural = "compare:"
    case caseInsensitive = "caseInsensitiveCompare:"
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    case localizedStandard = "localizedStandardCompare:"
  }
}

extension SortKey {
  /// The order of two objects.
  ///
  /// Raises for values that have none.
  package func order(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> ComparisonResult {
    let order = try comparison.order(try value(of: left), try value(of: right))
    return ascending ? order : order.reversed
  }

  func value(of object: PredicateValue) throws(PredicateError) -> PredicateValue {
    guard let key else { return object }
    let keys = key.split(separator: ".").map(String.init)
    return try PredicateEvaluator(Captures(), nulls: .memory).follow(keys[...], from: object)
  }
}

extension SortKey.Comparison {
  /// The ascending order of two values; nil comes first.
  package func order(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> ComparisonResult {
    switch (left.isNull, right.isNull) {
    case (true, true): return .orderedSame
    case (true, false): return .orderedAscending
    case (false, true): return .orderedDescending
    case (false, false): break
    }
    guard case (.constant(.string(let left)), .constant(.string(let right))) = (left, right) else {
      return try PredicateComparer.order(left, right, nil) ?? .orderedSame
    }
    return order(left, right)
  }

  /// The ascending order of two strings.
  package func order(_ left: String, _ right: String) -> ComparisonResult {
    switch self {
    case .natural: left.order(to: right, [])
    case .caseInsensitive: left.order(to: right, .caseInsensitive)
    case .localized: left.compare(right, options: [], range: nil, locale: .current)
    case .localizedCaseInsensitive: left.compare(right, options: .caseInsensitive, range: nil, locale: .current)
    case .localizedStandard: left.localizedStandardCompare(right)
    }
  }
}

extension ComparisonResult {
  var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }
}

/// A sort descriptor by key, which Foundation's own class cannot be here.
final class KeySortDescriptor: NSSortDescriptor {
  let sorting: SortKey
  let block: Comparator?

  init(_ sorting: SortKey, block: Comparator? = nil) {
    self.sorting = sorting
    self.block = block
    // Foundation's class wants a Swift key path; nothing here reads through it.
    super.init(keyPath: \NSObject.hash, ascending: sorting.ascending, comparator: block ?? { _, _ in .orderedSame })
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    do {
      guard let block else { return try sorting.order(PredicateValue(object1), PredicateValue(object2)) }
      let left = try sorting.value(of: PredicateValue(object1)).anyValue(Captures()) ?? NSNull()
      let right = try sorting.value(of: PredicateValue(object2)).anyValue(Captures()) ?? NSNull()
      return ascending ? block(left, right) : block(left, right).reversed
    } catch {
      fatalError("*** Terminating app due to uncaught exception '\(error.name)', reason: '\(error.reason)'")
    }
  }

  override var reversedSortDescriptor: Any {
    var reversed = sorting
    reversed.ascending.toggle()
    return KeySortDescriptor(reversed, block: block)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }
  override var hash: Int { sorting.hashValue }
  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    return other === self || (block == nil && other.block == nil && other.sorting == sorting)
  }
  override var description: String {
    "(\(sorting.key ?? "SELF"), \(ascending ? "ascending" : "descending"), \(sorting.comparison.rawValue))"
  }
}
