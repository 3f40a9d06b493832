/// Which state of a monitored list a value shows.
public enum DataChange: Hashable, Sendable {
  /// The first one.
  case initial
  /// A later one.
  case update
}
