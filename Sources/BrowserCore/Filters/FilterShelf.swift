import CoreData

/// A filter that a person keeps under a name.
public struct SavedFilter: Hashable, Sendable, Codable, Identifiable {
  /// What it is called; one name, one filter.
  public var name: String
  /// The entity whose objects it filters.
  public var entity: String
  /// The filter as it was typed.
  public var text: String
  /// The order that the list had.
  public var sort: [Sort]
  /// The name.
  public var id: String { name }

  /// A sort key as it is kept.
  public struct Sort: Hashable, Sendable, Codable {
    /// The property.
    public var key: String
    /// Whether smaller values come first.
    public var ascending: Bool
  }

  /// A filter under a name.
  public init(name: String, entity: String, text: String, sort: [ListSortKey] = []) {
    self.name = name
    self.entity = entity
    self.text = text
    self.sort = sort.map { Sort(key: $0.key, ascending: $0.ascending) }
  }
}

/// The filters that are kept for one store.
public struct FilterShelf: Hashable, Sendable {
  /// Filters under a name, by name.
  public var saved: [SavedFilter] = []
  /// Texts of former filters, the newest first.
  public var history: [String] = []
  /// What a person should know, such as a file that cannot be read.
  public var remarks: [String] = []

  /// How many former filters are kept.
  static let longestHistory = 100

  /// An empty shelf.
  public init() {}
}

/// What is to be kept, or no longer.
public enum FilterChange: Hashable, Sendable {
  /// A text was applied.
  case remember(String)
  /// A filter is kept, in the place of another of the name.
  case save(SavedFilter)
  /// The filter of a name is no longer kept.
  case delete(String)
}

extension FilterShelf {
  /// Makes a change.
  public mutating func apply(_ change: FilterChange) {
    switch change {
    case .remember(let text):
      history.removeAll { $0 == text }
      history.insert(text, at: 0)
      if history.count > Self.longestHistory { history.removeLast(history.count - Self.longestHistory) }
    case .save(let filter):
      saved.removeAll { $0.name == filter.name }
      saved.append(filter)
      saved.sort { $0.name.lowercased() < $1.name.lowercased() }
    case .delete(let name): saved.removeAll { $0.name == name }
    }
  }
}
