import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// Monitoring on the main queue's context, as the seeds have it (reference/SEEDS.md 52, 53, 67, 68, 77).
@Suite struct ResultsMonitorTests {
  private let model = ModelSketch.model([
    ModelSketch.entity(
      "Item",
      [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("rank", .integer64AttributeType)])
  ])

  private func stack(_ file: TemporaryStore) -> CoreDataStack {
    CoreDataStack(configuration: CoreDataConfiguration(databaseURL: file.url, managedObjectModel: model))
  }

  private func request(sorted: Bool = true) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    if sorted { request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)] }
    return request
  }

  private func monitor(_ stack: CoreDataStack, sorted: Bool = true) -> PublisherProbe<([String], DataChange)> {
    PublisherProbe(stack.monitor(request(sorted: sorted)) { $0.value(forKey: "name") as? String })
  }

  private func insert(_ name: String, _ stack: CoreDataStack) throws {
    try oneAnswer(
      stack.update { context in
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(name, forKey: "name")
      })
  }

  @Test func `SEEDS 52 and 53: the initial list, then an update after every change, on the main queue`() throws {
    let file = try TemporaryStore(model: model)
    let stack = stack(file)
    try insert("b", stack)
    let probe = monitor(stack)
    try #require(probe.wait { $0.last?.0 == ["b"] })
    try insert("a", stack)
    try #require(probe.wait { $0.last?.0 == ["a", "b"] })
    try oneAnswer(
      stack.update { context in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for object in try context.fetch(request) where object.value(forKey: "name") as? String == "b" {
          object.setValue("0", forKey: "name")
        }
      })
    try #require(probe.wait { $0.last?.0 == ["0", "a"] })
    try oneAnswer(stack.update { context in try context.fetch(self.request()).forEach(context.delete) })
    try #require(probe.wait { $0.last?.0 == [] })
    #expect(probe.values.map(\.1) == [.initial] + Array(repeating: .update, count: probe.values.count - 1))
    #expect(probe.onMain.allSatisfy { $0 })
    #expect(probe.completions == 0)
  }

  @Test func `SEEDS 67: a request without sort descriptors is followed in the order of ids`() throws {
    let file = try TemporaryStore(model: model)
    let stack = stack(file)
    // The monitor is what opens the store, which is empty.
    let probe = monitor(stack, sorted: false)
    try #require(probe.wait { $0.last?.0 == [] })
    for name in ["b", "a"] { try insert(name, stack) }
    try #require(probe.wait { $0.last?.0 == ["b", "a"] })
    try insert("c", stack)
    try #require(probe.wait { $0.last?.0 == ["b", "a", "c"] })
    #expect(probe.values.map(\.1) == [.initial] + Array(repeating: .update, count: probe.values.count - 1))
    #expect(probe.completions == 0)
  }

  @Test func `SEEDS 77: what another process commits reaches the view context`() throws {
    let file = try TemporaryStore(model: model)
    let stack = stack(file)
    try insert("mine", stack)
    let probe = monitor(stack)
    try #require(probe.wait { $0.last?.0 == ["mine"] })
    // The watcher begins after the first fetch: what is committed meanwhile is told as well.
    try file.write(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (50, 1, 1, 'foreign'); UPDATE Z_PRIMARYKEY SET Z_MAX = 50;")
    try #require(probe.wait { $0.last?.0 == ["foreign", "mine"] })
    try file.write("UPDATE ZITEM SET ZNAME = 'zero', Z_OPT = Z_OPT + 1 WHERE Z_PK = 50;")
    try #require(probe.wait { $0.last?.0 == ["mine", "zero"] })
    try file.write("DELETE FROM ZITEM WHERE Z_PK = 1;")
    try #require(probe.wait { $0.last?.0 == ["zero"] })
  }

  @Test func `a subscriber that asks slowly gets the first state and then the latest`() throws {
    let file = try TemporaryStore(model: model)
    let stack = stack(file)
    let box = Box<[([String], DataChange)]>([])
    var subscription: (any Subscription)?
    let slow = AnySubscriber<([String], DataChange), any Error>(
      receiveSubscription: { subscription = $0 },
      receiveValue: { value in
        box.change { $0.append(value) }
        return .none
      }, receiveCompletion: { _ in })
    stack.monitor(request()) { $0.value(forKey: "name") as? String }.subscribe(slow)
    let eager = monitor(stack)
    try #require(eager.wait { !$0.isEmpty })
    for name in ["a", "b", "c"] { try insert(name, stack) }
    try #require(eager.wait { $0.last?.0 == ["a", "b", "c"] })
    #expect(box.value.isEmpty)
    subscription?.request(.max(1))
    try wait { box.value.count == 1 }
    #expect(box.value.last?.0 == ["a", "b", "c"] && box.value.last?.1 == .initial)
    try insert("d", stack)
    try insert("e", stack)
    try #require(eager.wait { $0.last?.0.count == 5 })
    subscription?.request(.max(1))
    try wait { box.value.count == 2 }
    #expect(box.value.last?.0 == ["a", "b", "c", "d", "e"] && box.value.last?.1 == .update)
    subscription?.cancel()
  }

  @Test func `cancelling stops, a map that throws ends it, and so does closing`() throws {
    let file = try TemporaryStore(model: model)
    let stack = stack(file)
    try insert("a", stack)
    let cancelled = monitor(stack)
    try #require(cancelled.wait { !$0.isEmpty })
    cancelled.cancel()
    let failing = PublisherProbe(
      stack.monitor(request()) { object -> String? in
        let name = object.value(forKey: "name") as? String
        if name == "bad" { throw CocoaError(.coderInvalidValue) }
        return name
      })
    let witness = monitor(stack)
    try #require(failing.wait { !$0.isEmpty } && witness.wait { !$0.isEmpty })
    try insert("bad", stack)
    #expect(failing.wait() && failing.errors.count == 1 && failing.values.count == 1)
    try #require(witness.wait { $0.last?.0.count == 2 })
    #expect(cancelled.values.count == 1 && cancelled.completions == 0)
    try stack.close()
    #expect(witness.wait() && witness.errors.isEmpty)
  }

  private func wait(_ isDone: () -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 20)
    while !isDone() {
      try #require(Date() < end)
      let turn = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { turn.signal() }
      turn.wait()
    }
  }
}
