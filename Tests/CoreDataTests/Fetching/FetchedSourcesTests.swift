import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Where changes come from, and on which queue: reference/FRC.md 16 to 27 and 54, beside what `FetchedChangesTests` has.
@Suite struct FetchedSourcesTests {
  private func withController(
    _ body: (FetchedFixture, NSFetchedResultsController<NSManagedObject>, ChangeRecorder) throws -> Void
  ) throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20, "c": 30])
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(fixture.request(), delegate: recorder)
      try withExtendedLifetime(controller) { try body(fixture, controller, recorder) }
    }
  }

  private func names(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String] {
    controller.fetchedObjects?.map(\.label) ?? []
  }

  @Test func `FRC 16: the end of perform shows changes, that of performAndWait does not`() async throws {
    let fixture = try FetchedFixture(["a": 10])
    let recorder = ChangeRecorder()
    let controller = try fixture.context.performAndWait {
      try fixture.controller(fixture.request(), delegate: recorder)
    }
    fixture.context.performAndWait { _ = fixture.insert("b", 20) }
    #expect(recorder.told.isEmpty && controller.fetchedObjects?.count == 1)
    try await fixture.context.perform {}
    #expect(recorder.told == ["will", "+b 0.1", "did"])
    #expect(controller.fetchedObjects?.count == 2)
  }

  @Test func `FRC 19: refreshing all objects tells what was saved elsewhere as updates and moves`() throws {
    try withController { fixture, controller, recorder in
      _ = names(controller)
      let other = fixture.otherContext()
      try other.performAndWait {
        try fixture.item("a", in: other).setValue(NSNumber(value: 25), forKey: "rank")
        try other.save()
      }
      fixture.context.processPendingChanges()
      #expect(recorder.told.isEmpty)
      fixture.context.refreshAllObjects()
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["b", "a", "c"])
      #expect(recorder.told.contains(">a 0.0 0.1"))
      #expect(recorder.objects.allSatisfy { $0.type == .update || $0.type == .move })
    }
  }

  @Test(arguments: [0, 2]) func `FRC 24: an object that is invalidated by itself counts as deleted`(limit: Int) throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20])
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      let request = fixture.request()
      request.fetchLimit = limit
      let controller = try fixture.controller(request, delegate: recorder)
      let b = try fixture.item("b")
      NotificationCenter.default.post(
        name: .NSManagedObjectContextObjectsDidChange, object: fixture.context,
        userInfo: [NSInvalidatedObjectsKey: Set([b])])
      #expect(recorder.told == ["will", "-b 0.1", "did"])
      #expect(names(controller) == ["a"])
    }
  }

  @Test func `FRC 27: an object whose row is gone is told as deleted once that is found out`() throws {
    try withController { fixture, controller, recorder in
      let b = try fixture.item("b")
      fixture.context.refresh(b, mergeChanges: false)
      fixture.context.processPendingChanges()
      recorder.clear()
      try fixture.file.write("DELETE FROM ZITEM WHERE ZNAME = 'b';")
      b.objectID.cachedRow = nil
      #expect(b.value(forKey: "name") == nil)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "- 0.1", "did"])
      #expect(names(controller) == ["a", "c"])
    }
  }

  @Test func `FRC 54: what another queue saves is told on the context's queue once it is merged there`() async throws {
    let fixture = try FetchedFixture(["a": 10])
    fixture.context.automaticallyMergesChangesFromParent = true
    let recorder = ChangeRecorder()
    let controller = try fixture.context.performAndWait {
      try fixture.controller(fixture.request(), delegate: recorder)
    }
    var queues: [Bool] = []
    recorder.during = { queues.append($0.managedObjectContext.queue.isCurrent) }
    let other = fixture.otherContext()
    try other.performAndWait {
      fixture.insert("b", 20, in: other)
      try other.save()
    }
    // Merging was put on the queue by the save: what comes after it comes after that.
    try await fixture.context.perform {}
    #expect(recorder.told == ["will", "+b 0.1", "did"])
    #expect(queues == [true, true, true])
    withExtendedLifetime(controller) {}
  }
}
