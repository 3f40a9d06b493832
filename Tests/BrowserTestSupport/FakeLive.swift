import BrowserCore
import Combine
import CoreData
import Foundation
import Synchronization

/// The lists that are followed, and what is told to those who follow the store.
final class FakeLive: Sendable {
  struct Followed {
    var query: ListQuery
    var columns: [String]
    var keys: [ObjectKey]
    var updates: PassthroughSubject<ListEvent, any Error>
  }

  let events = PassthroughSubject<StoreEvent, Never>()
  private let lists = Mutex<[Int: Followed]>([:])
  private let last = Mutex(0)

  func nextNumber() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }

  func begin(
    _ number: Int, _ query: ListQuery, _ columns: [String], _ keys: [ObjectKey],
    _ updates: PassthroughSubject<ListEvent, any Error>
  ) {
    lists.withLock { $0[number] = Followed(query: query, columns: columns, keys: keys, updates: updates) }
  }

  func end(_ number: Int) { lists.withLock { $0[number] = nil } }

  /// The lists, as they were told last; what is told now is noted.
  func advance(_ keys: (ListQuery) -> [ObjectKey]) -> [(list: Followed, keys: [ObjectKey])] {
    lists.withLock { lists in
      lists.keys.sorted().compactMap { number in
        guard let list = lists[number] else { return nil }
        let new = keys(list.query)
        lists[number]?.keys = new
        return (list, new)
      }
    }
  }
}

extension FakeService {
  /// Changes the store, and tells it to all who follow the store or a list.
  @discardableResult
  public func change(
    by author: String? = nil, isOwn: Bool = false, date: Date = Date(timeIntervalSinceReferenceDate: 0),
    _ edit: (inout FakeStore) -> Void
  ) -> StoreChanges {
    let before = store
    var after = before
    edit(&after)
    store = after
    let changes = StoreChanges(
      after.changes(since: before, isOwn: isOwn), date: date,
      transaction: author.map { StoreChanges.Transaction(author: $0) }, source: author == nil ? .pages : .history)
    guard !changes.isEmpty else { return changes }
    live.events.send(.changes(changes))
    for (list, keys) in live.advance({ after.ordered($0) }) {
      let update = ListUpdate(changes, from: list.keys, to: keys, columns: list.columns, store: after)
      if let update { list.updates.send(.update(update)) }
    }
    return changes
  }

  /// Changes the store, and tells those who follow that anything may have changed.
  public func changeUnseen(_ edit: (inout FakeStore) -> Void) {
    var after = store
    edit(&after)
    store = after
    var changes = StoreChanges([], date: Date(timeIntervalSinceReferenceDate: 0), source: .comparison)
    changes.isComplete = false
    live.events.send(.changes(changes))
  }

  /// Tells how the store is followed.
  public func tell(_ liveness: StoreLiveness) { live.events.send(.liveness(liveness)) }
}

extension ListUpdate {
  /// The step between two states of a list; `nil` when it is not concerned.
  public init?(
    _ changes: StoreChanges, from old: [ObjectKey], to new: [ObjectKey], columns: [String], store: FakeStore
  ) {
    let (before, after) = (Set(old), Set(new))
    let concerned = changes.changes.filter { before.contains($0.key) || after.contains($0.key) }
    var list = ListChanges()
    for (position, key) in old.enumerated() where !after.contains(key) {
      list.deletes.append(ListChanges.Place(key, at: position))
    }
    for (position, key) in new.enumerated() where !before.contains(key) {
      list.inserts.append(ListChanges.Place(key, at: position))
    }
    let from = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
    let staying = new.filter(before.contains)
    let calm = Self.longestAscending(staying.map { from[$0] ?? 0 })
    let changed = Set(concerned.map(\.key))
    for (position, key) in new.enumerated() where before.contains(key) {
      let start = from[key] ?? 0
      let step = ListChanges.Step(key, from: start, to: position)
      if !calm.contains(start) {
        list.moves.append(step)
      } else if changed.contains(key) {
        list.updates.append(step)
      }
    }
    guard !list.isEmpty else { return nil }
    let keys = list.inserts.map(\.key) + list.moves.map(\.key) + list.updates.map(\.key)
    var rows: [ObjectKey: ListRow] = [:]
    if keys.count <= Self.rowLimit {
      for row in store.window(
        ListQuery(entity: ""), columns: columns, at: .keys(keys), limit: keys.count
      ).rows { rows[row.key] = row }
    }
    self.init(
      changes: StoreChanges(concerned, date: changes.date, transaction: changes.transaction, source: changes.source),
      list: list, keys: KeyList(new), rows: rows)
  }

  /// The members of a longest ascending subsequence.
  private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var members: Set<Int> = []
    var index = tails.last ?? -1
    while index >= 0 {
      members.insert(numbers[index])
      index = previous[index]
    }
    return members
  }
}
