import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// Lists that are followed, and the events of a store, with another process that writes.
@Suite struct ListMonitorTests {
  private static func model() -> NSManagedObjectModel {
    ModelSketch.model([
      ModelSketch.entity(
        "Item",
        [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("rank", .integer64AttributeType)]),
      ModelSketch.entity("Other", [ModelSketch.attribute("name", .stringAttributeType)]),
    ])
  }

  /// A store of three items whose log is there, a writer that stays connected, and a repository that only reads.
  private struct Place {
    let file: TemporaryStore
    let writer: ConnectedShell
    let stack: CoreDataStack
    let repository: EntityRepository

    init(isReadOnly: Bool = true) throws {
      let model = ListMonitorTests.model()
      file = try TemporaryStore(model: model)
      writer = try ConnectedShell(file)
      try writer.run(
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (1, 1, 1, 'a', 10), (2, 1, 1, 'b', 20), (3, 1, 1, 'c', 30);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Item';
        """)
      stack = CoreDataStack(
        configuration: CoreDataConfiguration(
          databaseURL: file.url, managedObjectModel: model, isReadOnly: isReadOnly))
      repository = EntityRepository(stack: stack)
    }

    func events() -> PublisherProbe<StoreEvent> {
      PublisherProbe(repository.events().setFailureType(to: (any Error).self).eraseToAnyPublisher())
    }

    func monitor(_ query: ListQuery) -> PublisherProbe<ListEvent> {
      PublisherProbe(repository.monitor(query, columns: ["name", "rank"]))
    }
  }

  private let byRank = ListQuery(entity: "Item", sort: [ListSortKey("rank")])

  private func keys(_ event: ListEvent?) -> [Int64] {
    switch event {
    case .initial(let keys): keys[0..<keys.count].map(\.primaryKey)
    case .update(let update): update.keys[0..<update.keys.count].map(\.primaryKey)
    case nil: []
    }
  }

  @Test func `the keys come first, then each commit of another process as one step`() throws {
    let place = try Place()
    let probe = place.monitor(byRank)
    try #require(probe.wait { $0.count == 1 })
    #expect(probe.values.first == .initial(KeyList((1...3).map { ObjectKey(entity: 1, primaryKey: $0) })))
    try place.writer.run("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (4, 1, 1, 'd', 15);")
    try #require(probe.wait { $0.count == 2 })
    try place.writer.run("UPDATE ZITEM SET ZRANK = 5, Z_OPT = 2 WHERE Z_PK = 3;")
    try #require(probe.wait { $0.count == 3 })
    try place.writer.run("DELETE FROM ZITEM WHERE Z_PK = 1;")
    try #require(probe.wait { $0.count == 4 })
    #expect(probe.values.map { keys($0) } == [[1, 2, 3], [1, 4, 2, 3], [3, 1, 4, 2], [3, 4, 2]])
    guard case .update(let insert) = probe.values[1], case .update(let move) = probe.values[2],
      case .update(let delete) = probe.values[3]
    else { return #expect(Bool(false), "\(probe.values)") }
    let new = ObjectKey(entity: 1, primaryKey: 4)
    #expect(insert.list == ListChanges(inserts: [.init(new, at: 1)]))
    #expect(insert.rows[new]?.cells == [.text("d", length: 1), .integer(15)])
    #expect(move.list.moves == [.init(ObjectKey(entity: 1, primaryKey: 3), from: 3, to: 0)])
    #expect(delete.list.deletes.map(\.position) == [1])
    #expect(probe.completions == 0)
  }

  @Test func `what does not concern the list makes no step`() throws {
    let place = try Place()
    let probe = place.monitor(byRank)
    let events = place.events()
    try #require(probe.wait { $0.count == 1 } && events.wait { $0.count == 1 })
    try place.writer.run("INSERT INTO ZOTHER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x');")
    try #require(events.wait { $0.count == 2 })
    try place.writer.run("UPDATE ZITEM SET ZNAME = 'z' WHERE Z_PK = 2;")
    try #require(probe.wait { $0.count == 2 })
    guard case .update(let update) = probe.values[1] else { return #expect(Bool(false)) }
    #expect(update.list.updates == [.init(ObjectKey(entity: 1, primaryKey: 2), from: 1, to: 1)])
  }

  @Test func `a slow subscriber gets every step, in order`() throws {
    let place = try Place()
    let events = place.events()
    var subscription: (any Subscription)?
    let box = Box<[ListEvent]>([])
    let slow = AnySubscriber<ListEvent, any Error>(
      receiveSubscription: { subscription = $0 },
      receiveValue: { value in
        box.change { $0.append(value) }
        return .none
      }, receiveCompletion: { _ in })
    place.repository.monitor(byRank, columns: ["name"]).subscribe(slow)
    try #require(events.wait { $0.count == 1 })
    subscription?.request(.max(1))
    let first = place.monitor(byRank)
    try #require(first.wait { $0.count == 1 })
    for number in 4...9 {
      try place.writer.run("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (\(number), 1, 1, \(number));")
      try #require(first.wait { keys($0.last).count == number })
    }
    #expect(box.value.count == 1)
    subscription?.request(.unlimited)
    // The last steps may still be on their way to this subscriber.
    let end = Date(timeIntervalSinceNow: 120)
    while keys(box.value.last).count < 9, Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    // Applied one after the other, the steps lead from the first list to the last.
    var list = KeyList()
    for event in box.value {
      switch event {
      case .initial(let keys): list = keys
      case .update(let update):
        list.apply(update.list)
        #expect(list == update.keys)
      }
    }
    #expect(list.count == 9)
    subscription?.cancel()
  }

  @Test func `subscribers share one watcher, and a later one hears how the store is followed`() throws {
    let place = try Place()
    let first = place.events()
    try #require(first.wait { $0.count == 1 })
    let second = place.events()
    try #require(second.wait { $0.count == 1 })
    #expect(first.values == [.liveness(.live)] && second.values == [.liveness(.live)])
    try place.writer.run("DELETE FROM ZITEM WHERE Z_PK = 1;")
    try #require(first.wait { $0.count == 2 } && second.wait { $0.count == 2 })
    #expect(first.values[1] == second.values[1])
    first.cancel()
    try place.writer.run("DELETE FROM ZITEM WHERE Z_PK = 2;")
    try #require(second.wait { $0.count == 3 })
    #expect(first.values.count == 2)
    second.cancel()
    // Nobody watches now; a new subscriber begins with the store as it is.
    let third = place.events()
    try #require(third.wait { $0.count == 1 })
    try place.writer.run("DELETE FROM ZITEM WHERE Z_PK = 3;")
    try #require(third.wait { $0.count == 2 })
    guard case .changes(let changes) = third.values[1] else { return #expect(Bool(false)) }
    #expect(changes.changes.map(\.key.primaryKey) == [3])
  }

  @Test func `a save of this process is a step as well, marked as its own`() throws {
    let place = try Place(isReadOnly: false)
    let probe = place.monitor(byRank)
    try #require(probe.wait { $0.count == 1 })
    let session = EditSession(stack: place.stack)
    _ = try oneAnswer(session.perform(.set(ObjectKey(entity: 1, primaryKey: 1), property: "rank", .integer(99))))
    _ = try oneAnswer(session.perform(.save))
    try #require(probe.wait { $0.count == 2 })
    guard case .update(let update) = probe.values[1] else { return #expect(Bool(false)) }
    #expect(keys(probe.values[1]) == [2, 3, 1])
    #expect(update.changes.changes.map(\.isOwn) == [true])
    try place.writer.run("UPDATE ZITEM SET ZRANK = 1 WHERE Z_PK = 3;")
    try #require(probe.wait { $0.count == 3 })
    guard case .update(let foreign) = probe.values[2] else { return #expect(Bool(false)) }
    #expect(foreign.changes.changes.map(\.isOwn) == [false])
  }

  @Test func `closing the stack ends monitors and events, and everything after it is cancelled`() throws {
    let place = try Place()
    let (monitor, events) = (place.monitor(byRank), place.events())
    try #require(monitor.wait { $0.count == 1 } && events.wait { $0.count == 1 })
    try place.stack.close()
    #expect(monitor.wait() && monitor.errors.isEmpty && events.wait())
    #expect(place.stack.isClosed)
    #expect(throws: CocoaError.self) { try oneAnswer(place.repository.count(entity: "Item")) }
    let late = place.monitor(byRank)
    #expect(late.wait())
    #expect(late.values.isEmpty)
    // Every reader is gone: a connection that writes works (reference/SQLITE.md 1).
    let writing = CoreDataStack(
      configuration: CoreDataConfiguration(
        databaseURL: place.file.url, managedObjectModel: place.stack.managedObjectModel))
    let session = EditSession(stack: writing)
    _ = try oneAnswer(session.perform(.set(ObjectKey(entity: 1, primaryKey: 1), property: "name", .text("w"))))
    #expect(try oneAnswer(session.perform(.save)).result == .saved(count: 1, keys: [:]))
  }

  @Test func `a list goes on in the stack that opens the store anew, by a step`() throws {
    let place = try Place()
    let (monitor, events) = (place.monitor(byRank), place.events())
    try #require(monitor.wait { $0.count == 1 } && events.wait { $0.count == 1 })
    guard case .initial(let former) = monitor.values[0] else { return #expect(Bool(false)) }
    // Until every row is known nothing can be remembered: a small store's are, as soon as one change was told.
    try place.writer.run("UPDATE ZITEM SET ZNAME = 'x', Z_OPT = 2 WHERE Z_PK = 1;")
    try #require(monitor.wait { $0.count == 2 })
    var memory = place.repository.stopFollowing()
    try place.stack.close()
    try place.writer.run(
      """
      UPDATE ZITEM SET ZNAME = 'y', Z_OPT = 3 WHERE Z_PK = 1; DELETE FROM ZITEM WHERE Z_PK = 2;
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (4, 1, 1, 'd', 5);
      """)
    for isRemembered in [true, false] {
      if !isRemembered { memory = nil } else { try #require(memory != nil) }
      let stack = CoreDataStack(configuration: place.stack.configuration)
      stack.follow(on: memory)
      let repository = EntityRepository(stack: stack)
      let told = PublisherProbe(
        repository.events(sinceReopening: true).setFailureType(to: (any Error).self).eraseToAnyPublisher())
      try #require(told.wait { $0.count == 2 })
      guard case .changes(let changes) = told.values[1] else { return #expect(Bool(false), "\(told.values)") }
      #expect(changes.isComplete == isRemembered)
      #expect(changes.changes.map(\.key.primaryKey) == (isRemembered ? [1, 2, 4] : []))
      // It may come a little later than the first who wanted to know.
      let next = PublisherProbe(repository.monitor(byRank, columns: ["name", "rank"], after: former))
      try #require(next.wait { $0.count == 1 })
      #expect(keys(next.values.first) == [4, 1, 3])
      guard case .update(let update) = next.values.first else {
        #expect(!isRemembered)
        continue
      }
      #expect(isRemembered)
      #expect(update.list.inserts.map(\.key.primaryKey) == [4])
      #expect(update.list.deletes.map(\.key.primaryKey) == [2])
      #expect(update.list.updates.map(\.key.primaryKey) == [1])
      try stack.close()
    }
  }

  @Test func `a store that cannot be opened fails the monitor, and events tell why`() throws {
    let folder = try TemporaryDirectory()
    let stack = CoreDataStack(
      configuration: CoreDataConfiguration(
        databaseURL: folder.url.appending(path: "Nobody.sqlite"), managedObjectModel: Self.model(), isReadOnly: true))
    let repository = EntityRepository(stack: stack)
    let probe = PublisherProbe(repository.monitor(byRank, columns: []))
    #expect(probe.wait() && probe.errors.count == 1)
    let events = PublisherProbe(repository.events().setFailureType(to: (any Error).self).eraseToAnyPublisher())
    #expect(events.wait())
    guard case .liveness(.disconnected)? = events.values.first else { return #expect(Bool(false), "\(events.values)") }
  }

  @Test func `objects read after a commit of others show it at once`() throws {
    let place = try Place()
    func ranks() throws -> [Int] {
      let box = Box<[Int]>([])
      _ = try oneAnswer(
        place.repository.forEach(byRank) { object in
          box.change { $0.append((object.value(forKey: "rank") as? NSNumber)?.intValue ?? -1) }
        })
      return box.value
    }
    #expect(try ranks() == [10, 20, 30])
    let key = ObjectKey(entity: 1, primaryKey: 2)
    #expect(try oneAnswer(place.repository.record(key))?.version == 1)
    try place.writer.run("UPDATE ZITEM SET ZRANK = 25, Z_OPT = 2 WHERE Z_PK = 2;")
    #expect(try ranks() == [10, 25, 30])
    #expect(try oneAnswer(place.repository.record(key))?.version == 2)
    let window = try oneAnswer(place.repository.window(byRank, columns: ["rank"], at: .start, limit: 9))
    #expect(window.rows.map(\.cells) == [[.integer(10)], [.integer(25)], [.integer(30)]])
  }
}
