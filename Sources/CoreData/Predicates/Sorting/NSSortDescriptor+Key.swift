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
  /// The names known are those of strings. With another one, comparing two values stops the process, as an unrecognised
  /// selector does on Apple's platforms, and a fetch is refused. There is no `Selector` here, hence the text; the name may
  /// also end as Swift writes it, `localizedStandardCompare(_:)`.
  public init(key: String?, ascending: Bool, selector: String) {
    let method =
      SortKey.Comparison(selector: selector).map(KeySortDescriptor.Method.comparison) ?? .unknown(selector)
    self = Self.made(KeySortDescriptor(key: key, ascending: ascending, method))
  }

  /// Orders by the values at a key path with a closure.
  ///
  /// A store cannot sort by it.
  public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    self = Self.made(KeySortDescriptor(key: key, ascending: ascending, .block(cmptr)))
  }

  static func made(_ descriptor: KeySortDescriptor) -> Self {
    guard let descriptor = descriptor as? Self else { fatalError("\(Self.self) sorts by no key") }
    return descriptor
  }
}

extension NSSortDescriptor {
  /// The key path that the values are read from; nil for a descriptor without one.
  ///
  /// For one made of a Swift key path, the name of the property.
  public var key: String? { keyed?.ownKey }

  /// The name of the method that compares two values; nil for a closure.
  public var selector: String? { keyed?.method.selector }

  /// Does nothing: a descriptor holds no code but what the program gave it.
  public func allowEvaluation() {}

  /// How to sort, as a value; nil for a descriptor that only memory can sort by, see `refusal`.
  package var sortKey: SortKey? { keyed?.ownSortKey }

  /// Why a store cannot sort by the descriptor (rule 34); nil when it can.
  package var refusal: String? {
    guard let descriptor = keyed else { return Self.blockRefusal }
    return switch descriptor.method {
    case .comparison: nil
    case .unknown(let selector): "unsupported NSSortDescriptor selector: \(selector)"
    case .block: Self.blockRefusal
    case .objects(let path, _): "unsupported NSSortDescriptor (the key path \(path) names no property)"
    }
  }

  private static var blockRefusal: String { "unsupported NSSortDescriptor (comparator blocks are not supported)" }
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

    /// The method of a name, also without its colon or with Swift's parentheses.
    package init?(selector name: String) {
      let stem =
        name.hasSuffix("(_:)") ? String(name.dropLast(4)) : name.hasSuffix(":") ? String(name.dropLast()) : name
      self.init(rawValue: stem + ":")
    }
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
  /// How two values are compared, ascending.
  enum Method {
    case comparison(SortKey.Comparison)
    /// A method that nothing here answers.
    case unknown(String)
    case block(Comparator)
    /// Whole objects, by a Swift key path that has no name.
    case objects(String, (Any, Any) -> ComparisonResult)

    var selector: String? {
      switch self {
      case .comparison(let comparison): comparison.rawValue
      case .unknown(let name): name
      case .block, .objects: nil
      }
    }
  }

  /// Nil orders the objects themselves.
  let ownKey: String?
  let method: Method

  /// Nil without a method that is known.
  let ownSortKey: SortKey?

  init(key: String?, ascending: Bool, _ method: Method) {
    ownKey = key
    self.method = method
    ownSortKey =
      if case .comparison(let comparison) = method {
        SortKey(key: key, ascending: ascending, comparison: comparison)
      } else {
        nil
      }
    let block: Comparator = if case .block(let block) = method { block } else { { _, _ in .orderedSame } }
    // Foundation's class wants a Swift key path; nothing here reads through it.
    super.init(keyPath: \NSObject.hash, ascending: ascending, comparator: block)
  }

  convenience init(_ sorting: SortKey) {
    self.init(key: sorting.key, ascending: sorting.ascending, .comparison(sorting.comparison))
  }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    do throws(PredicateError) {
      let order: ComparisonResult
      switch method {
      case .comparison(let comparison): order = try comparison.order(try value(of: object1), try value(of: object2))
      case .unknown(let selector):
        throw PredicateError("-[\(try value(of: object1).text) \(selector)]: unrecognized selector sent to instance")
      case .block(let block):
        let left = try value(of: object1).anyValue(Captures()) ?? NSNull()
        let right = try value(of: object2).anyValue(Captures()) ?? NSNull()
        order = block(left, right)
      case .objects(_, let compare): order = compare(object1, object2)
      }
      return ascending ? order : order.reversed
    } catch {
      fatalError("*** Terminating app due to uncaught exception '\(error.name)', reason: '\(error.reason)'")
    }
  }

  private func value(of object: Any) throws(PredicateError) -> PredicateValue {
    try SortKey(key: ownKey, ascending: true).value(of: PredicateValue(object))
  }

  override var reversedSortDescriptor: Any { KeySortDescriptor(key: ownKey, ascending: !ascending, method) }

  override func copy(with zone: NSZone? = nil) -> Any { self }
  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(ownKey)
    hasher.combine(ascending)
    hasher.combine(method.selector)
    return hasher.finalize()
  }
  override func isEqual(_ object: Any?) -> Bool {
    guard let other = (object as? NSSortDescriptor)?.keyed else { return false }
    // Closures cannot be compared.
    return other === self
      || (ownKey == other.ownKey && ascending == other.ascending && method.selector != nil
        && method.selector == other.method.selector)
  }
  override var description: String {
    "(\(ownKey ?? "SELF"), \(ascending ? "ascending" : "descending"), \(method.selector ?? "block"))"
  }
}
