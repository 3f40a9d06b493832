import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Refreshing, and when observers are told (reference/CONTEXT.md 17, 75, 80, 81).
@Suite struct RefreshingTests {
  private func office() throws -> Office {
    try Office { context in for name in ["ann", "bob"] { context.new("Person", name, ["salary": 10]) } }
  }

  @Test func `CONTEXT 80: without merging an object becomes a fault and loses its changes`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      ann.setValue("a note", forKey: "note")
      context.refresh(ann, mergeChanges: false)
      #expect(ann.isFault)
      #expect(!ann.hasChanges && !context.hasChanges)
      #expect(ann.value(forKey: "name") as? String == "ann")
      #expect(ann.value(forKey: "note") == nil)
    }
  }

  @Test func `CONTEXT 80: with merging changes and transient values lie over the newest row`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      ann.setValue("a note", forKey: "note")
      try office.work { other in
        try other.one("Person", "ann").setValue(50, forKey: "salary")
        try other.save()
      }
      #expect((ann.value(forKey: "salary") as? NSNumber)?.intValue == 10)
      context.refresh(ann, mergeChanges: true)
      #expect((ann.value(forKey: "salary") as? NSNumber)?.intValue == 50)
      #expect(ann.value(forKey: "name") as? String == "ada")
      #expect(ann.value(forKey: "note") as? String == "a note")
      try context.save()
    }
    #expect(try office.file.rows("SELECT ZNAME, ZSALARY FROM ZPERSON ORDER BY 1") == ["ada|50", "bob|10"])
  }

  @Test func `CONTEXT 81: refreshing all keeps pending changes, and only unchanged objects become faults`() throws {
    let office = try office()
    try office.work { context in
      let (ann, bob) = (try context.one("Person", "ann"), try context.one("Person", "bob"))
      _ = bob.value(forKey: "name")
      ann.setValue("ada", forKey: "name")
      let eve = context.new("Person", "eve")
      context.refreshAllObjects()
      #expect(!ann.isFault && bob.isFault && !eve.isFault)
      #expect(ann.value(forKey: "name") as? String == "ada")
      #expect(context.updatedObjects == [ann])
      #expect(context.insertedObjects == [eve])
    }
  }

  @Test func `CONTEXT 17: the context has the objects that somebody holds, or that wait to be saved`() throws {
    let office = try office()
    try office.work { context in
      do {
        try context.one("Person", "ann").setValue("ada", forKey: "name")
        context.new("Person", "eve")
        _ = try context.one("Person", "bob")
      }
      #expect(Set(context.registeredObjects.compactMap { $0.value(forKey: "name") as? String }) == ["ada", "eve"])
      try context.save()
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func `CONTEXT 75: perform tells observers at its end, performAndWait does not`() async throws {
    let office = try office()
    let context = office.context()
    let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
    context.performAndWait { _ = context.new("Person", "eve") }
    context.performAndWait { #expect(posts.posted.isEmpty) }
    try await context.perform { _ = context.new("Person", "fay") }
    context.performAndWait { #expect(posts.take().map(\.summary) == [["inserted": ["eve", "fay"]]]) }
    await withCheckedContinuation { continuation in
      context.perform { _ = context.new("Person", "gus") }
      context.perform { continuation.resume() }
    }
    context.performAndWait { #expect(posts.take().map(\.summary) == [["inserted": ["gus"]]]) }
  }

  @Test func `CONTEXT 75: on the main queue what is changed outside perform is told at the end of the turn`()
    async throws
  {
    let office = try office()
    let posts = try await MainActor.run {
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = office.coordinator
      let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      context.new("Person", "eve")
      try context.one("Person", "ann").setValue("ada", forKey: "name")
      #expect(posts.posted.isEmpty)
      posts.context = context
      return posts
    }
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    await MainActor.run {
      #expect(posts.take().map(\.summary) == [["inserted": ["eve"], "updated": ["ada"]]])
      posts.context = nil
    }
  }

  @Test func `CONTEXT 77: blocks given to perform run in order, immediate ones at once when already there`()
    async throws
  {
    let context = try office().context()
    let log = LifeLog()
    try await context.perform {
      log.add("outer")
      context.perform { log.add("later") }
      context.performAndWait { log.add("inner") }
    }
    try await context.perform(schedule: .enqueued) { log.add("last") }
    #expect(log.take() == ["outer", "inner", "later", "last"])
    #expect(try await context.perform { 42 } == 42)
  }
}
