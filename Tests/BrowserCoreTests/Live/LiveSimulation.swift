import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import TextCanvas

@testable import BrowserCore

/// A browser without a session: effects are answered from a store in memory, changes come as the monitor would tell them.
struct LiveSimulation {
  var state: BrowserState
  var store: FakeStore
  private var told: [ObjectKey] = []

  /// The festival's events are on screen and followed.
  init(events: Int = 40, size: Size = Size(width: 120, height: 36), sort: ListSortKey? = nil) {
    store = .festival(events: events)
    state = BrowserState(size: size, zone: .utc, storeName: "Festival.sqlite")
    send(.answer(.opened(store.outline)))
    if let sort, let column = state.list?.columns.firstIndex(where: { $0.name == sort.key }) {
      send(.intent(.sortColumn(column)))
      if !sort.ascending { send(.intent(.sortColumn(column))) }
    }
  }

  /// Hands an action over and answers what it asks for, as the store is now.
  mutating func send(_ action: Action) {
    var effects = reduce(&state, action)
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      guard let answer = answer(to: effect) else { continue }
      effects += reduce(&state, .answer(answer))
    }
  }

  private mutating func answer(to effect: Effect) -> Answer? {
    switch effect {
    case .window(let request):
      return .window(
        request, store.window(request.query, columns: request.columns, at: request.place, limit: request.limit))
    case .monitor(let list, let query, _):
      told = store.ordered(query)
      return .list(list, .initial(KeyList(told)))
    case .record(let key): return .record(key, store.record(key))
    case .count(let entity): return .counted(entity: entity, store.keys(of: entity).count)
    default: return nil
    }
  }

  /// Changes the store and lets the monitor tell it, at a time; the list's part alone where the store's is not wanted.
  mutating func change(
    at now: Double? = nil, isOwn: Bool = false, by author: String? = nil, tellsStore: Bool = true,
    _ edit: (inout FakeStore) -> Void
  ) {
    if let now { state.now = now }
    let before = store
    edit(&store)
    let changes = StoreChanges(
      store.changes(since: before, isOwn: isOwn), date: Date(timeIntervalSinceReferenceDate: state.now),
      transaction: author.map { StoreChanges.Transaction(author: $0) }, source: .pages)
    guard !changes.isEmpty else { return }
    if let list = state.list {
      let keys = store.ordered(list.query)
      let update = ListUpdate(changes, from: told, to: keys, columns: list.columns.map(\.name), store: store)
      told = keys
      if let update { send(.answer(.list(list.id, .update(update)))) }
    }
    if tellsStore { send(.answer(.store(.changes(changes)))) }
  }

  /// Time passes.
  mutating func tick(to now: Double) {
    state.now = now
    send(.tick)
  }

  /// Lets everything come to rest.
  mutating func rest() {
    while let next = AnimationPlan(state, now: state.now).next { tick(to: max(next, state.now)) }
  }

  /// The plan at an instant.
  func plan(at now: Double) -> AnimationPlan { AnimationPlan(state, now: now) }

  /// The selected object, deleted or not.
  var selected: ObjectKey? { state.list?.slides.fallen ?? state.list?.selectedRow?.key }

  /// The line on which an object is shown at an instant.
  func line(of key: ObjectKey, at now: Double) -> Int? {
    guard let list = state.list else { return nil }
    return plan(at: now).lines.firstIndex { line in
      switch line.content {
      case .row(let index): list.buffer.rows[index].key == key
      case .ghost(let index): list.slides.ghosts[index].kind == .delete && list.slides.ghosts[index].row.key == key
      }
    }
  }

  /// What each line says at an instant: glyph, number of the object, strength; `=` is a gap.
  func words(at now: Double) -> [String] {
    guard let list = state.list else { return [] }
    return plan(at: now).lines.map { line in
      let (row, mark) =
        switch line.content {
        case .row(let index): (list.buffer.rows[index], "")
        case .ghost(let index): (list.slides.ghosts[index].row, "†")
        }
      let glyph = line.kind?.glyph ?? " "
      let strength = line.strength > 0 ? "/\(line.strength)" : ""
      return glyph + (line.isGap ? "=" : "\(row.key.primaryKey)\(mark)") + strength
    }
  }
}

/// The key of an event.
func event(_ number: Int) -> ObjectKey { ObjectKey(entity: 1, primaryKey: Int64(number)) }

extension FakeStore {
  /// Adds an event with a title and a priority.
  mutating func addEvent(_ number: Int, title: String, priority: Int = 0) {
    add(
      Object(
        event(number),
        [
          "title": .plain(.text(title, length: title.count)), "priority": .plain(.integer(Int64(priority))),
          "isPublic": .plain(.boolean(true)), "tags": .many([]),
        ]))
  }
}
