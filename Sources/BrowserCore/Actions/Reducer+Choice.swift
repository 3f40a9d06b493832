import CoreData
import Foundation
import TextCanvas

extension BrowserState {
  /// The stores to choose from, as long as none is chosen.
  var choice: StoreChoice? {
    if case .choosing(let choice) = phase { choice } else { nil }
  }

  /// A step among the stores of a folder.
  mutating func choose(_ motion: Motion) {
    guard var choice else { return }
    let height = StoreChoiceScreen.rows(of: self).height
    choice.selected = motion.target(from: choice.selected, count: choice.stores.count, height: max(1, height))
    phase = .choosing(choice)
    revealChoice()
  }

  /// Keeps the chosen store in sight.
  mutating func revealChoice() {
    guard var choice else { return }
    choice.top = Self.reveal(
      choice.selected, from: choice.top, height: StoreChoiceScreen.rows(of: self).height, count: choice.stores.count)
    phase = .choosing(choice)
  }

  /// Opens a store of the folder.
  mutating func openChoice(_ index: Int?) -> [Effect] {
    guard var choice else { return [] }
    choice.selected = index ?? choice.selected
    guard let store = choice.store else { return [] }
    phase = .opening
    storeName = store.url.lastPathComponent
    return [.choose(store), .open]
  }
}
