import Combine
import CoreData
import CoreDataKit
import Dispatch
import Foundation
import Synchronization

/// `watch`: a line of JSON for every change of a store, whoever makes it, until it is asked to end.
///
/// Nothing is ever written. The store is still opened as a writer opens it, unless `--read-only` forbids that or it may not be
/// written: a write-ahead log that nobody has open can only be followed so. Under `--read-only` such a store is read as it was
/// when it was opened, compared with what it is when something newer lies there, and opened anew.
struct WatchCommand {
  private let invocation: Invocation
  private let output: (String) -> Void
  private let flush: () -> Void
  private let errors: (String) -> Void

  init(
    _ invocation: Invocation, output: @escaping (String) -> Void, flush: @escaping () -> Void,
    errors: @escaping (String) -> Void
  ) {
    (self.invocation, self.output, self.flush, self.errors) = (invocation, output, flush, errors)
  }

  /// Prints changes until `end`; a store that can no longer be followed is thrown as an error.
  func run(until end: CommandEnd) throws {
    let following = Following(try open(following: nil))
    // Lines are made and written here, one change after the other, whatever queue events come on.
    let queue = DispatchQueue(label: "WatchCommand")
    func follow() {
      let number = following.number
      followList(following, number, on: queue, end)
      let events = following.current.store.repository.events(sinceReopening: number > 1)
      following.subscription = events.receive(on: queue).sink { event in
        guard following.number == number else { return }
        switch event {
        case .changes(let changes):
          if following.current.query == nil { write(changes, following) }
        case .liveness(.polling(let reason)):
          errors("storebrowser: changes are looked for every few seconds: \(reason)\n")
        case .liveness(.outdated):
          do {
            try following.reopen(open(following:))
            follow()
          } catch { end.finish(error) }
        case .liveness(.disconnected(let reason)):
          end.finish(CommandFailure("the store can no longer be followed: \(reason)", "start watch again"))
        case .liveness: break
        }
      }
    }
    queue.sync(execute: follow)
    defer {
      queue.sync { (following.subscription, following.list) = (nil, nil) }
      following.current.store.close()
    }
    try end.wait()
    // Nothing is cut off in the middle of a line.
    queue.sync(execute: flush)
  }

  /// Tells the changes of the objects that `--where` asks for: that come, go, or are in the list before and after.
  private func followList(_ following: Following, _ number: Int, on queue: DispatchQueue, _ end: CommandEnd) {
    guard let query = following.current.query else { return }
    following.list = following.current.store.repository.monitor(query, columns: [], after: following.keys)
      .receive(on: queue)
      .sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion, following.number == number { end.finish(error) }
        },
        receiveValue: { event in
          guard following.number == number else { return }
          switch event {
          case .initial(let keys): following.keys = keys
          case .update(let update):
            following.keys = update.keys
            write(update.changes, following)
          }
        })
  }

  private func open(following memory: StoreMemory?) throws -> WatchedStore {
    let path = invocation.operands[0]
    let isReadOnly = invocation.options["read-only"] != nil || !FileManager.default.isWritableFile(atPath: path)
    let store = try CommandStore(invocation, isReadOnly: isReadOnly, following: memory)
    var wanted: Set<String>?
    var query: ListQuery?
    if invocation.operands.count > 1 {
      let entity = try store.entity(named: invocation.operands[1])
      wanted = Set(entity.selfAndSubentities.compactMap(\.name))
      query = try store.filter(invocation, of: entity).map { ListQuery(entity: entity.name ?? "").filtered(by: $0) }
    } else if invocation.options["where"] != nil {
      throw UsageError("watch --where needs the entity that it is about", "write watch STORE ENTITY --where PREDICATE")
    }
    return WatchedStore(
      store: store, writer: ChangeOutput(try store.answer(store.repository.summary())), wanted: wanted, query: query)
  }

  private func write(_ changes: StoreChanges, _ watched: Following) {
    if !changes.isComplete {
      errors("storebrowser: something changed before every object was known: which cannot be told\n")
    }
    for change in changes.changes where watched.current.isWanted(change.key) {
      let (values, related) = current(change, watched.current)
      output(
        watched.current.writer.line(
          change, date: changes.date, transaction: changes.transaction, values: values, related: related) + "\n")
    }
    flush()
  }

  /// The object as it is now: its values, and the objects of to-many relationships that changed; nothing when it is gone.
  private func current(_ change: StoreChanges.Change, _ watched: WatchedStore) -> (
    values: OutputRow, related: OutputRow
  ) {
    guard change.kind != .delete else { return ([], []) }
    let untold = (change.properties ?? [:]).filter { $0.value.new == nil }.map(\.key)
    let found = try? watched.store.object(watched.writer.uri(of: change.key)) { object -> (OutputRow, OutputRow) in
      let related = ObjectOutput(showsRelationships: true)
      return (ObjectOutput().properties(of: object), untold.map { ($0, related.value(at: $0, in: object)) })
    }
    return found ?? ([], [])
  }
}
