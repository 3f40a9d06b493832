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
  private let happened = DispatchSemaphore(value: 0)
  private let built = DispatchSemaphore(value: 0)

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
  ) throws {
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
    if awaitsBaseline { try awaitBaseline() }
  }

  deinit { watcher?.stop() }

  /// Waits until everything that differs from the last quiet point was reported.
  ///
  /// With `isExact` nothing else may have been reported, which holds when one commit led from there to here.
  func settle(isExact: Bool = false) throws {
    let now = ShapesReading(try writer.run(ShapesReading.sql))
    while let difference = mirror.difference(from: now, isExact: isExact) {
      try #require(happened.wait(timeout: .now() + 10) == .success, Comment(rawValue: difference))
    }
    try #require(mirror.complaints == [])
  }

  /// Waits until every row is known.
  func awaitBaseline() throws {
    try #require(built.wait(timeout: .now() + 20) == .success)
  }

  /// Ends the watching.
  func stop() {
    watcher?.stop()
    watcher = nil
  }

  /// Runs statements in the other process.
  @discardableResult func run(_ sql: String) throws -> [String] { try writer.run(sql) }
}

/// What a watcher reported, to be awaited.
final class EventLog: Sendable {
  private struct State {
    var events: [StoreEvent] = []
    var taken = 0
    var waiting: CheckedContinuation<StoreEvent, Never>?
  }
  private let state = Mutex(State())

  func add(_ event: StoreEvent) {
    let waiting = state.withLock { state -> CheckedContinuation<StoreEvent, Never>? in
      state.events.append(event)
      guard let waiting = state.waiting else { return nil }
      state.waiting = nil
      state.taken += 1
      return waiting
    }
    waiting?.resume(returning: event)
  }

  /// The next event, in order.
  func next() async -> StoreEvent {
    await withCheckedContinuation { continuation in
      let event = state.withLock { state -> StoreEvent? in
        guard state.taken < state.events.count else {
          state.waiting = continuation
          return nil
        }
        state.taken += 1
        return state.events[state.taken - 1]
      }
      if let event { continuation.resume(returning: event) }
    }
  }

  /// The next changes; other events are passed over.
  func nextChanges() async -> StoreChanges {
    while true {
      if case .changes(let changes) = await next() { return changes }
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
