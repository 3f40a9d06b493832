import Combine
import CoreData
import CoreDataKit
import Foundation

/// A store as `watch` has it open.
struct WatchedStore {
  let store: CommandStore
  /// Writes its changes.
  let writer: ChangeOutput
  /// The entities whose objects are told; `nil` for all.
  let wanted: Set<String>?

  /// Whether changes of an object are told.
  func isWanted(_ key: ObjectKey) -> Bool { wanted?.contains(writer.entity(of: key)?.name ?? "") ?? true }

  /// A hash of what each object holds itself, to-many relationships left out: they are found at their other ends.
  fileprivate func prints() throws -> [ObjectKey: Int] {
    var prints: [ObjectKey: Int] = [:]
    let output = ObjectOutput()
    for item in try store.answer(store.repository.summary()).entities where item.entity.superentity == nil {
      let found = Prints()
      _ = try store.answer(
        store.repository.forEach(ListQuery(entity: item.entity.name ?? "")) { object in
          guard let key = object.objectKey else { return }
          var hasher = Hasher()
          for name in object.entity.listedPropertyNames
          where object.entity.relationshipsByName[name]?.isToMany != true {
            hasher.combine(output.value(at: name, in: object).json)
          }
          found.prints[key] = hasher.finalize()
        })
      prints.merge(found.prints) { $1 }
    }
    return prints
  }
}

/// Where one reading puts its hashes; nobody else looks before it has ended.
private final class Prints {
  var prints: [ObjectKey: Int] = [:]
}

/// The store that `watch` follows at the moment, and what is needed to go on with the next; used on one queue.
final class Following {
  private(set) var current: WatchedStore
  /// Which of the stores opened one after the other this is.
  private(set) var number = 0
  var subscription: AnyCancellable?
  /// What was told last of a store that cannot be followed while it is open.
  private var prints: [ObjectKey: Int]?

  init(_ first: WatchedStore) { current = first }

  /// Takes down what the objects are now, unless that is known.
  func remember() throws {
    if prints == nil { prints = try current.prints() }
  }

  /// Goes on with the store as it was opened anew.
  func adopt(_ next: WatchedStore) {
    subscription = nil
    current.store.close()
    current = next
    number += 1
  }

  /// The difference to what was taken down before; what differs of an object is not known.
  func compare() throws -> StoreChanges? {
    guard let before = prints else { return nil }
    let after = try current.prints()
    prints = after
    var changes: [StoreChanges.Change] = []
    for (key, print) in after where before[key] != print {
      changes.append(.init(before[key] == nil ? .insert : .update, key))
    }
    for key in before.keys where after[key] == nil { changes.append(.init(.delete, key)) }
    return changes.isEmpty ? nil : StoreChanges(changes, date: Date(), source: .comparison)
  }
}
