import CoreData

/// The stores of a folder, to choose from before one is opened.
struct StoreChoice: Hashable, Sendable {
  /// The most likely meant first.
  var stores: [StoreSearch.Found]
  var selected = 0
  /// The first one on screen.
  var top = 0

  /// The chosen store.
  var store: StoreSearch.Found? { stores.indices.contains(selected) ? stores[selected] : nil }
}
