import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// The publishers of the dynamic repository: cold, one answer, on a background queue, ended by cancelling.
@Suite struct EntityRepositoryTests {
  private static func model() -> NSManagedObjectModel {
    let special = ModelSketch.entity("Special", [ModelSketch.attribute("extra", .stringAttributeType)])
    let item = ModelSketch.entity(
      "Item",
      [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("rank", .integer64AttributeType)],
      children: [special])
    return ModelSketch.model([
      item, special, ModelSketch.entity("Empty", [ModelSketch.attribute("name", .stringAttributeType)]),
    ])
  }

  private func repository(_ store: TemporaryStore, _ model: NSManagedObjectModel) -> EntityRepository {
    EntityRepository(
      stack: CoreDataStack(
        configuration: CoreDataConfiguration(databaseURL: store.url, managedObjectModel: model, isReadOnly: true)))
  }

  private func store(_ model: NSManagedObjectModel, rows: Int = 3) throws -> TemporaryStore {
    let store = try TemporaryStore(model: model)
    // Empty 1, Item 2, Special 3.
    try store.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) SELECT i, 2, 1, 'item ' || (i * 7919 % \(rows)), i FROM n;
      UPDATE ZITEM SET Z_ENT = 3 WHERE Z_PK = 2;
      """)
    return store
  }

  private func answer<Output>(_ publisher: AnyPublisher<Output, any Error>) throws -> Output {
    let probe = PublisherProbe(publisher)
    try #require(probe.wait())
    if let error = probe.errors.first { throw error }
    #expect(probe.completions == 1)
    #expect(probe.values.count == 1)
    #expect(probe.onMain.allSatisfy { !$0 })
    return try #require(probe.values.first)
  }

  @Test func `every question is answered once, off the main queue`() throws {
    let model = Self.model()
    let file = try store(model)
    let repository = repository(file, model)
    #expect(try answer(repository.summary()).entities.compactMap(\.entity.name) == ["Empty", "Item", "Special"])
    #expect(try answer(repository.count(entity: "Item")) == 2)
    #expect(try answer(repository.count(entity: "Special")) == 1)
    #expect(try answer(repository.firstWithObjects(["Empty", "Special", "Item"])) == "Special")
    #expect(try answer(repository.firstWithObjects(["Empty"])) == nil)
    #expect(try answer(repository.keys(ListQuery(entity: "Item"))).count == 3)
    let window = try answer(repository.window(ListQuery(entity: "Item"), columns: ["rank"], at: .start, limit: 2))
    #expect(window.rows.map(\.cells) == [[.integer(1)], [.integer(3)]])
    let record = try answer(repository.record(ObjectKey(entity: 3, primaryKey: 2)))
    #expect(record?.entity.name == "Special")
    #expect(try answer(repository.record(ObjectKey(entity: 3, primaryKey: 99))) == nil)
  }

  @Test func `objects are given in order, with offset and limit`() throws {
    let model = Self.model()
    let file = try store(model, rows: 1_203)
    let repository = repository(file, model)
    func ranks(_ query: ListQuery, offset: Int = 0, limit: Int? = nil) throws -> [Int] {
      let box = Box<[Int]>([])
      let count = try answer(
        repository.forEach(query, offset: offset, limit: limit) { object in
          box.change { $0.append((object.value(forKey: "rank") as? NSNumber)?.intValue ?? -1) }
        })
      let found = box.value
      #expect(count == found.count)
      return found
    }
    let sorted = ListQuery(entity: "Item", sort: [ListSortKey("rank", ascending: false)])
    let all = Array((1...1_203).reversed())
    #expect(try ranks(sorted) == all)
    #expect(try ranks(sorted, offset: 1_000) == Array(all.dropFirst(1_000)))
    #expect(try ranks(sorted, offset: 499, limit: 3) == Array(all[499..<502]))
    #expect(try ranks(sorted, offset: 5_000) == [])
    #expect(try ranks(sorted, offset: 1, limit: .max) == Array(all.dropFirst()))
    #expect(try ranks(sorted, limit: 0) == [])
  }

  @Test func `an object is found by its URI, whatever entity of its line that names`() throws {
    let model = Self.model()
    let file = try store(model)
    let repository = repository(file, model)
    let identifier = try answer(repository.summary()).identifier
    func entity(_ text: String) throws -> String? {
      try answer(repository.object(try #require(URL(string: text))) { $0.entity.name ?? "" })
    }
    #expect(try entity("x-coredata://\(identifier)/Item/p1") == "Item")
    #expect(try entity("x-coredata://\(identifier)/Item/p2") == "Special")
    #expect(try entity("x-coredata://\(identifier)/Special/p1") == nil)
    #expect(try entity("x-coredata://\(identifier)/Item/p99") == nil)
    #expect(try entity("x-coredata://\(UUID())/Item/p1") == nil)
  }

  @Test func `nothing happens before somebody subscribes, and each subscriber has its own work`() throws {
    let model = Self.model()
    let missing = try TemporaryDirectory()
    let url = missing.url.appending(path: "Later.sqlite")
    let stack = CoreDataStack(
      configuration: CoreDataConfiguration(databaseURL: url, managedObjectModel: model, isReadOnly: true))
    let count = EntityRepository(stack: stack).count(entity: "Item")
    let failing = PublisherProbe(count)
    #expect(failing.wait())
    #expect(failing.values.isEmpty)
    #expect(failing.completions == 1)
    #expect(failing.errors.count == 1)
    #expect((failing.errors.first as? CocoaError)?.code == .fileReadNoSuchFile)
    // The same publisher succeeds once the file is there.
    let file = try store(model)
    try FileManager.default.copyItem(at: file.url, to: url)
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file.url.path + suffix) {
      try FileManager.default.copyItem(atPath: file.url.path + suffix, toPath: url.path + suffix)
    }
    #expect(try answer(count) == 2)
    #expect(try answer(count) == 2)
  }

  @Test func `an error is told once`() throws {
    let model = Self.model()
    let file = try store(model)
    let probe = PublisherProbe(repository(file, model).keys(ListQuery(entity: "Nobody")))
    #expect(probe.wait())
    #expect(probe.values.isEmpty && probe.errors.count == 1 && probe.completions == 1)
  }

  @Test func `cancelling stops the query, and the next one does not wait for it`() throws {
    let model = Self.model()
    let file = try store(model, rows: 300_000)
    let repository = repository(file, model)
    #expect(try answer(repository.count(entity: "Special")) == 1)
    let slow = ListQuery(entity: "Item", text: "é", sort: [ListSortKey("name")])
    let clock = ContinuousClock()
    var whole: Duration = .zero
    whole = try clock.measure { _ = try answer(repository.keys(slow)) }
    for _ in 0..<3 {
      let probe = PublisherProbe(repository.keys(ListQuery(entity: "Item", sort: [ListSortKey("name")])))
      probe.cancel()
      // Both run on one queue: this one is answered only when the cancelled one is over.
      let next = try clock.measure { _ = try answer(repository.count(entity: "Special")) }
      #expect(next < max(whole * 2, .seconds(1)))
      #expect(probe.values.isEmpty && probe.errors.isEmpty && probe.completions == 0)
    }
  }
}

/// A value that several threads may change, one after the other.
final class Box<Value>: @unchecked Sendable {
  // Sendable is unchecked: the value is read and written under the lock.
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { lock.withLock { stored } }

  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&stored) } }
}
