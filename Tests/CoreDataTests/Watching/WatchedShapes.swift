import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// A store of `ShapesModel`, the real `sqlite3` program that writes it, and a watcher of it.
final class WatchedShapes {
  let writer: SecondWriter
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let log = EventLog()
  /// What the store must be by what was reported.
  let mirror: ShapesMirror
  private(set) var watcher: StoreWatcher?
  private let happened = Wakeups()
  private let built = Wakeups()

  /// 6 boxes (3 of them crates), 12 tags and `items` items in one of three entities.
  static func rows(items: Int) -> String {
    """
    BEGIN;
    INSERT INTO ZBOX(Z_PK,Z_ENT,Z_OPT,ZNAME) SELECT value, 1+value%2, 1, 'box'||value FROM generate_series(1,6);
    INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT,ZNAME) SELECT value, 6, 1, 'tag'||value FROM generate_series(1,12);
    INSERT INTO ZITEM(Z_PK,Z_ENT,Z_OPT,ZNAME,ZRANK,ZDOUBLE,ZDATE,ZBOX,Z1_BOX)
      SELECT value, 3+value%3, 1, 'item'||value, value%10, value+0.5, 700000000+value, 1+value%6, 1+(1+value%6)%2
      FROM generate_series(1,\(items));
    UPDATE ZITEM SET ZSTRING=hex(randomblob(5000)) WHERE Z_PK<=15;
    INSERT INTO Z_3TAGS SELECT value, 1+value%12 FROM generate_series(1,\(items));
    UPDATE Z_PRIMARYKEY SET Z_MAX=(SELECT max(Z_PK) FROM ZITEM) WHERE Z_NAME='Item';
    COMMIT;
    """
  }

  /// Makes the store, writes rows and more `setup`, opens it, and begins to watch.
  ///
  /// With `isReadOnly` false the store is opened as for editing. Returns when all rows are known, unless `awaitsBaseline` is
  /// false.
  init(
    items: Int = 60, setup: String = "PRAGMA journal_mode=wal;", isReadOnly: Bool = true,
    settings: StoreWatcher.Settings = .init(), awaitsBaseline: Bool = true
  ) async throws {
    let model = ShapesModel().model
    writer = try SecondWriter(
      setup + Self.rows(items: items),
      making: { url in
        model.freeze()
        try SQLiteStoreCreator(model: model).createStore(at: url)
      })
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: writer.path),
      options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
    mirror = ShapesMirror(ShapesReading(try writer.run(ShapesReading.sql)))
    var settings = settings
    settings.didBuildBaseline = { [built] in built.signal() }
    watcher = try StoreWatcher(store: store, settings: settings) { [log, mirror, happened] event in
      mirror.take(event)
      log.add(event)
      happened.signal()
    }
    // The look that a watcher begins with is over before anything is committed.
    watcher?.awaitLooks()
    if awaitsBaseline { try await awaitBaseline() }
  }

  deinit { watcher?.stop() }

  /// Waits until everything that differs from the last quiet point was reported.
  ///
  /// With `isExact` nothing else may have been reported, which holds when one commit led from there to here.
  func settle(isExact: Bool = false) async throws {
    let now = ShapesReading(try writer.run(ShapesReading.sql))
    while let difference = mirror.difference(from: now, isExact: isExact) {
      try #require(await happened.next(within: .seconds(30)), Comment(rawValue: difference))
    }
    try #require(mirror.complaints == [])
  }

  /// Waits until every row is known.
  func awaitBaseline() async throws {
    try #require(await built.next(within: .seconds(30)))
  }

  /// Ends the watching.
  func stop() {
    watcher?.stop()
    watcher = nil
  }

  /// Runs statements in the other process.
  @discardableResult func run(_ sql: String) throws -> [String] { try writer.run(sql) }
}

/// Something that happens again and again, to be awaited without holding up a thread.
final class Wakeups: Sendable {
  private struct State {
    var count = 0
    var waits = 0
    var waiting: CheckedContinuation<Bool, Never>?
  }
  private let state = Mutex(State())

  /// It happened.
  func signal() { resume(true) { _ in true } }

  /// Waits for the next time, counting those that were not waited for; false when it did not come in time.
  func next(within time: Duration) async -> Bool {
    let number = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    let timer = Task {
      try await Task.sleep(for: time)
      resume(false) { $0.waits == number && $0.waiting != nil }
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.count == 0 else {
          state.count -= 1
          return true
        }
        state.waiting = continuation
        return false
      }
      if isThere { continuation.resume(returning: true) }
    }
  }

  private func resume(_ result: Bool, where isMeant: (State) -> Bool) {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard isMeant(state) else { return nil }
      guard let waiting = state.waiting else {
        state.count += 1
        return nil
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume(returning: result)
  }
}

/// What a watcher reported, to be awaited.
final class EventLog: Sendable {
  private let events = Mutex<(all: [StoreEvent], taken: Int)>(([], 0))
  private let added = Wakeups()

  func add(_ event: StoreEvent) {
    events.withLock { $0.all.append(event) }
    added.signal()
  }

  /// The next event, in order; one that no watcher reports when none came for half a minute.
  func next() async -> StoreEvent {
    guard await added.next(within: .seconds(30)) else { return .liveness(.disconnected(reason: "nothing happened")) }
    return events.withLock { events in
      defer { events.taken += 1 }
      return events.all[events.taken]
    }
  }

  /// The next changes; other events are passed over.
  func nextChanges() async -> StoreChanges {
    while true {
      switch await next() {
      case .changes(let changes): return changes
      case .liveness(.disconnected): return StoreChanges([], date: .distantPast, source: .save)
      default: continue
      }
    }
  }

  /// The next liveness; changes are passed over.
  func nextLiveness() async -> StoreLiveness {
    while true {
      if case .liveness(let liveness) = await next() { return liveness }
    }
  }
}

extension StoreChanges {
  /// One line a change, in the order of the changes.
  var lines: [String] {
    changes.map { change in
      let properties = change.properties.map { properties in
        properties.sorted { $0.key < $1.key }
          .map { " \($0.key):\($0.value.old?.short ?? "?")>\($0.value.new?.short ?? "?")" }.joined()
      }
      return
        "\(change.kind) \(change.key.entity)/\(change.key.primaryKey)\(properties ?? " ?")\(change.isOwn ? " own" : "")"
    }
  }
}

extension PropertyValue {
  /// The value as SQLite's `quote` would write it, a key as entity and primary key.
  var short: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .boolean(let flag): flag ? "1" : "0"
    case .real(let number): String(number)
    case .decimal(let text), .odd(let text): text
    case .date(let date): String(Int(date.timeIntervalSinceReferenceDate))
    case .uuid(let uuid): uuid.uuidString
    case .text(let text): "'\(text.prefix(12))'"
    case .data(let data): "X'" + data.map { String(format: "%02X", $0) }.joined() + "'"
    case .object(let key): "\(key.entity)/\(key.primaryKey)"
    case .objects(let keys): keys.map { "\($0.entity)/\($0.primaryKey)" }.joined(separator: ",")
    }
  }
}
