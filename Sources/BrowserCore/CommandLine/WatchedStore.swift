import Combine
import CoreData
import CoreDataKit

/// A store as `watch` has it open.
struct WatchedStore {
  let store: CommandStore
  /// Writes its changes.
  let writer: ChangeOutput
  /// The entities whose objects are told; `nil` for all.
  let wanted: Set<String>?
  /// The objects that are told when `--where` narrows them.
  let query: ListQuery?

  /// Whether changes of an object are told.
  func isWanted(_ key: ObjectKey) -> Bool { wanted?.contains(writer.entity(of: key)?.name ?? "") ?? true }
}

/// The store that `watch` follows at the moment, and what is needed to go on with the next; used on one queue.
final class Following {
  private(set) var current: WatchedStore
  /// Which of the stores opened one after the other this is, from 1.
  private(set) var number = 1
  var subscription: AnyCancellable?
  /// The following of the objects that `--where` asks for, and which those are now.
  var list: AnyCancellable?
  var keys: KeyList?

  init(_ first: WatchedStore) { current = first }

  /// Goes on with the store opened anew, from what was known of its objects.
  func reopen(_ open: (StoreMemory?) throws -> WatchedStore) throws {
    let memory = current.store.repository.stopFollowing()
    subscription = nil
    list = nil
    current.store.close()
    current = try open(memory)
    number += 1
  }
}
