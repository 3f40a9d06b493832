/// The value at a key path, ordered as a store orders it: nil first, texts by a method.
///
/// Sort descriptors of Foundation's own kind hold key paths and nothing else. A key path to one of these tells its own key
/// path and the method as well.
public struct ComparedValue<Value>: Comparable {
  let keyPath: AnyKeyPath
  let comparison: SortKey.Comparison?
  private let read: () -> Value

  fileprivate init(_ keyPath: AnyKeyPath, _ comparison: SortKey.Comparison?, read: @escaping () -> Value) {
    self.keyPath = keyPath
    self.comparison = comparison
    self.read = read
  }

  private func order(_ other: Self) -> ComparisonResult {
    let (left, right) = (PredicateValue(read()), PredicateValue(other.read()))
    // Values that have no order, such as sets, count as the same.
    return (try? (comparison ?? .natural).order(left, right)) ?? .orderedSame
  }

  /// Whether both values have the same place in the order.
  public static func == (left: Self, right: Self) -> Bool { left.order(right) == .orderedSame }
  /// Whether the left value comes first.
  public static func < (left: Self, right: Self) -> Bool { left.order(right) == .orderedAscending }
}

/// Any `ComparedValue`.
protocol KeyPathComparison {
  var keyPath: AnyKeyPath { get }
  var comparison: SortKey.Comparison? { get }
}

extension ComparedValue: KeyPathComparison {}

/// A key path as an argument of another.
struct ComparedKeyPath<Root, Value>: Hashable, Sendable {
  let keyPath: any KeyPath<Root, Value> & Sendable
  let comparison: SortKey.Comparison?

  static func == (left: Self, right: Self) -> Bool {
    left.keyPath == right.keyPath && left.comparison == right.comparison
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(comparison)
  }
}

extension NSFetchRequestResult {
  subscript<Value>(compared path: ComparedKeyPath<Self, Value>) -> ComparedValue<Value> {
    ComparedValue(path.keyPath, path.comparison) { self[keyPath: path.keyPath] }
  }
}
