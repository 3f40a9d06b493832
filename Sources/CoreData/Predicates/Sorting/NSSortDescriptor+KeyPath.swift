extension NSSortDescriptor {
  // Foundation's initialiser of this name makes an object that knows no key; for a managed object this one is the narrower.

  /// Orders by the values at a managed object's key path, by their natural order; strings by their code units.
  ///
  /// The key is the property's name, so that a store can sort by it. A key path that names no property sorts in memory
  /// only. Source: Apple, `init(keyPath:ascending:)`.
  public convenience init<Root: NSManagedObject, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(as: KeySortDescriptor(path: keyPath, ascending))
  }

  /// The descriptor as one that knows its key; `nil` for Foundation's own.
  var keyed: KeySortDescriptor? { self as? KeySortDescriptor }
}

extension SortDescriptorInitializing where Self: NSSortDescriptor {
  /// The given object, which an initialiser of a class cannot return by itself.
  fileprivate init(as descriptor: KeySortDescriptor) { self = Self.made(descriptor) }

  /// Orders by the values at a key path, by their natural order; strings by their code units.
  ///
  /// Source: Apple, `init(keyPath:ascending:)`.
  public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self = Self.made(KeySortDescriptor(path: keyPath, ascending))
  }

  /// The same order as a Swift sort descriptor's.
  ///
  /// Its key is the name of the property at the key path. Source: Apple, `NSSortDescriptor.init(_:)`.
  public init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
    let named = sortDescriptor.keyPath.flatMap { KeyPathReader.keys(of: $0) }
    let path = sortDescriptor.keyPath.map { "\($0)" } ?? "\(sortDescriptor)"
    let isAscending = sortDescriptor.order == .forward
    self = Self.made(
      KeySortDescriptor(named: named, isAscending, path) { left, right in
        guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
        let order = sortDescriptor.compare(left, right)
        return isAscending ? order : order.reversed
      })
  }
}

extension KeySortDescriptor {
  /// An order by a key path, by its name where it has one.
  convenience init<Root, Value>(path keyPath: KeyPath<Root, Value>, _ ascending: Bool) {
    self.init(named: KeyPathReader.keys(of: keyPath), ascending, "\(keyPath)") { left, right in
      guard let left = left as? Root, let right = right as? Root else { return .orderedSame }
      let values = (PredicateValue(left[keyPath: keyPath]), PredicateValue(right[keyPath: keyPath]))
      // Values that have no order count as the same.
      return (try? SortKey.Comparison.natural.order(values.0, values.1)) ?? .orderedSame
    }
  }

  /// An order by what a key path names; where it names nothing, the ascending order `whole` of whole objects.
  convenience init(
    named: NamedKeyPath?, _ ascending: Bool, _ path: String, whole: @escaping (Any, Any) -> ComparisonResult
  ) {
    if let named {
      self.init(
        SortKey(
          key: named.keys.joined(separator: "."), ascending: ascending, comparison: named.comparison ?? .natural))
    } else {
      self.init(key: nil, ascending: ascending, .objects(path, whole))
    }
  }
}
