// Foundation's `SortDescriptor` knows one comparison of strings here, by code units. Apple's knows two more, and the localized
// standard one is what a string is sorted by when nothing is said.

/// The comparisons of strings that `SortDescriptor` takes on Apple's platforms beside `.lexical`.
public enum LocalizedStringComparator: Sendable, Hashable {
  /// By the rules of the locale.
  case localized
  /// As file lists are sorted: letters without regard to case first, numbers by amount.
  case localizedStandard

  fileprivate var comparison: SortKey.Comparison {
    switch self {
    case .localized: .localized
    case .localizedStandard: .localizedStandard
    }
  }
}

extension SortDescriptor where Compared: NSFetchRequestResult {
  /// An order by a string of managed objects.
  ///
  /// Source: Apple, `SortDescriptor.init(_:comparator:order:)`.
  public init(
    _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator,
    order: SortOrder = .forward
  ) {
    let path = ComparedKeyPath(keyPath: keyPath, comparison: comparator.comparison)
    self.init(\Compared.[compared: path], order: order)
  }

  /// An order by a string of managed objects that may be missing; a missing one comes first.
  ///
  /// Source: Apple, `SortDescriptor.init(_:comparator:order:)`.
  public init(
    _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator,
    order: SortOrder = .forward
  ) {
    let path = ComparedKeyPath(keyPath: keyPath, comparison: comparator.comparison)
    self.init(\Compared.[compared: path], order: order)
  }

  /// The localized standard order of a string of managed objects, as on Apple's platforms.
  public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }

  /// The localized standard order of a string of managed objects that may be missing, as on Apple's platforms.
  public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }
}
