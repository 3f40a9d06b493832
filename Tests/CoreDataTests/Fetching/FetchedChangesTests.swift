import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What is told of single objects: reference/FRC.md 16 to 43.
@Suite struct FetchedChangesTests {
  private func withController(
    _ items: KeyValuePairs<String, Int> = ["a": 10, "b": 20, "c": 30, "d": 40], sort: [String] = ["rank"],
    where predicate: String? = nil,
    _ body: (FetchedFixture, NSFetchedResultsController<NSManagedObject>, ChangeRecorder) throws -> Void
  ) throws {
    let fixture = try FetchedFixture(items)
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(
        fixture.request(sort: sort, where: predicate.map { NSPredicate(format: $0, argumentArray: []) }),
        delegate: recorder)
      try withExtendedLifetime(controller) { try body(fixture, controller, recorder) }
    }
  }

  private func set(_ object: NSManagedObject, _ rank: Int) { object.setValue(NSNumber(value: rank), forKey: "rank") }

  private func names(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String] {
    controller.fetchedObjects?.map(\.label) ?? []
  }

  @Test func `FRC 16: changes show when the context processes them`() throws {
    try withController { fixture, controller, recorder in
      fixture.insert("e", 50)
      #expect(names(controller).count == 4 && recorder.told.isEmpty)
      fixture.context.processPendingChanges()
      #expect(names(controller).count == 5)
      set(try fixture.item("e"), 5)
      try fixture.context.save()
      #expect(recorder.told == ["will", "+e 0.4", "did", "will", ">e 0.4 0.0", "did"])
    }
  }

  @Test func `FRC 17: what another context saves counts once it is merged`() throws {
    try withController { fixture, controller, recorder in
      #expect(names(controller) == ["a", "b", "c", "d"])
      let other = fixture.otherContext()
      let saved = SavedNotification(other)
      try other.performAndWait {
        fixture.insert("e", 25, in: other)
        other.delete(try fixture.item("a", in: other))
        try other.save()
      }
      fixture.context.processPendingChanges()
      #expect(recorder.told.isEmpty)
      fixture.context.mergeChanges(fromContextDidSave: try #require(saved.last))
      #expect(recorder.told == ["will", "-a 0.0", "+e 0.1", "did"])
      #expect(names(controller) == ["b", "e", "c", "d"])
    }
  }

  @Test func `FRC 18: a merged change is told, also of objects that are faults or not here`() throws {
    try withController(where: "rank < 35") { fixture, controller, recorder in
      // The objects are faults, and `d` does not match.
      let other = fixture.otherContext()
      try fixture.edit(in: other) {
        set(try fixture.item("a", in: other), 33)
        set(try fixture.item("d", in: other), 11)
        try fixture.item("b", in: other).setValue("B", forKey: "name")
      }
      #expect(names(controller) == ["d", "B", "c", "a"])
      #expect(recorder.told == ["will", "+d 0.0", ">a 0.0 0.3", "~B 0.1 0.1", "did"])
    }
  }

  @Test func `FRC 19: refreshing all objects brings updates and moves only`() throws {
    try withController { fixture, controller, recorder in
      _ = names(controller)
      fixture.context.refreshAllObjects()
      fixture.context.processPendingChanges()
      #expect(recorder.objects.allSatisfy { $0.type == .update || $0.type == .move })
      #expect(names(controller) == ["a", "b", "c", "d"])
    }
  }

  @Test func `FRC 20: what changes neither members nor order nor a member is not told`() throws {
    try withController(where: "rank < 35") { fixture, controller, recorder in
      try fixture.item("d").setValue("D", forKey: "name")
      let box = NSManagedObject(
        entity: try #require(fixture.coordinator.managedObjectModel.entitiesByName["Box"]),
        insertInto: fixture.context)
      box.setValue("box", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(recorder.told.isEmpty)
    }
  }

  @Test func `FRC 20: only objects of the entity and its subentities matter`() throws {
    let fixture = try FetchedFixture(["a": 1])
    try fixture.context.performAndWait {
      let (books, own) = (ChangeRecorder(), ChangeRecorder())
      let ofBooks = try fixture.controller(fixture.request("Book"), delegate: books)
      let request = fixture.request()
      request.includesSubentities = false
      let ofOwn = try fixture.controller(request, delegate: own)
      try withExtendedLifetime((ofBooks, ofOwn)) {
        fixture.insert("i", 5)
        fixture.insert("k", 6, "Book")
        fixture.insert("t", 7, "Toy")
        try fixture.context.save()
        #expect(books.told == ["will", "+k 0.0", "did"])
        #expect(own.told == ["will", "+i 0.1", "did"])
      }
    }
  }

  @Test func `FRC 21: an object is looked at again when its section lies across a relationship that changed`() throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20, "c": 30])
    try fixture.context.performAndWait {
      let model = fixture.coordinator.managedObjectModel
      let box = NSManagedObject(entity: try #require(model.entitiesByName["Box"]), insertInto: fixture.context)
      box.setValue("old", forKey: "name")
      for name in ["a", "b"] { try fixture.item(name).setValue(box, forKey: "box") }
      try fixture.context.save()
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(
        fixture.request(sort: ["-box", "rank"]), sections: "box.name", delegate: recorder)
      #expect(controller.sections?.map(\.name) == ["old", ""])
      box.setValue("new", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[old] 0", "+[new] 0", ">a 0.0 0.0", ">b 0.1 0.1", "did"])
      #expect(controller.sections?.map(\.name) == ["new", ""])
    }
  }

  @Test func `FRC 21: an object is looked at again when the predicate crosses a relationship that changed`() throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20, "c": 30])
    try fixture.context.performAndWait {
      let model = fixture.coordinator.managedObjectModel
      let box = NSManagedObject(entity: try #require(model.entitiesByName["Box"]), insertInto: fixture.context)
      box.setValue("old", forKey: "name")
      for name in ["a", "b"] { try fixture.item(name).setValue(box, forKey: "box") }
      try fixture.context.save()
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(
        fixture.request(
          where: NSPredicate(format: "box.name == 'new' OR SUBQUERY(box.items, $i, $i.rank > 50).@count > 0")),
        delegate: recorder)
      #expect(names(controller) == [])
      box.setValue("new", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["a", "b"])
      #expect(recorder.told == ["will", "+a 0.0", "+b 0.1", "did"])
      box.setValue("other", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(names(controller) == [])
      try fixture.item("b").setValue(60, forKey: "rank")
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["a", "b"])
      // What is fetched anew is the same, saved or not.
      try controller.performFetch()
      #expect(names(controller) == ["a", "b"])
      try fixture.context.save()
      try controller.performFetch()
      #expect(names(controller) == ["a", "b"])
    }
  }

  @Test func `FRC 22: a fetch limit is kept: a row is pushed out, or follows up`() throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20, "c": 30, "d": 40])
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      let request = fixture.request()
      (request.fetchLimit, request.fetchOffset) = (2, 1)
      let controller = try fixture.controller(request, delegate: recorder)
      #expect(names(controller) == ["b", "c"])
      fixture.insert("n", 15)
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["n", "b"])
      #expect(recorder.told == ["will", "-c 0.1", "+n 0.0", "did"])
      recorder.clear()
      fixture.context.delete(try fixture.item("b"))
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-b 0.1", "+c 0.1", "did"])
      #expect(names(controller) == ["n", "c"])
    }
  }

  @Test func `FRC 24: after the context was reset nothing is told until the next fetch`() throws {
    try withController { fixture, controller, recorder in
      fixture.context.reset()
      fixture.insert("e", 5)
      try fixture.context.save()
      #expect(recorder.told.isEmpty)
      try controller.performFetch()
      #expect(names(controller) == ["e", "a", "b", "c", "d"])
      fixture.insert("f", 6)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "+f 0.1", "did"])
    }
  }

  @Test func `FRC 25: a rollback comes as ordinary changes`() throws {
    try withController { fixture, controller, recorder in
      fixture.insert("e", 5)
      fixture.context.delete(try fixture.item("b"))
      set(try fixture.item("a"), 99)
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["e", "c", "d", "a"])
      recorder.clear()
      fixture.context.rollback()
      #expect(names(controller) == ["a", "b", "c", "d"])
      #expect(recorder.told == ["will", "-e 0.0", "+b 0.1", ">a 0.3 0.0", "did"])
    }
  }

  @Test func `FRC 26: what bypasses contexts is told when its ids are merged`() throws {
    try withController { fixture, controller, recorder in
      try fixture.file.write(
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (90, 3, 1, 'n', 15); DELETE FROM ZITEM WHERE ZNAME = 'd';"
      )
      fixture.context.processPendingChanges()
      #expect(recorder.told.isEmpty)
      let store = try #require(fixture.coordinator.persistentStores.first as? SQLiteStore)
      let new = try #require(store.objectID(entity: 3, primaryKey: 90))
      let gone = try #require(controller.fetchedObjects?.last?.objectID)
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSInsertedObjectsKey: [new], NSDeletedObjectsKey: [gone]], into: [fixture.context])
      #expect(names(controller) == ["a", "n", "b", "c"])
      #expect(recorder.objects.map(\.type) == [.delete, .insert])
    }
  }

  @Test func `FRC 28: the beginning and the end are told once, around everything`() throws {
    try withController { fixture, _, recorder in
      for rank in [1, 2, 3] { fixture.insert("n\(rank)", rank) }
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "+n1 0.0", "+n2 0.1", "+n3 0.2", "did"])
      fixture.context.processPendingChanges()
      #expect(recorder.told.count == 5)
    }
  }

  @Test func `FRC 30: inside of callbacks the controller shows the new state`() throws {
    try withController { fixture, controller, recorder in
      var seen: [[String]] = []
      recorder.during = { seen.append($0.fetchedObjects?.compactMap { ($0 as? NSManagedObject)?.label } ?? []) }
      fixture.context.delete(try fixture.item("b"))
      fixture.context.processPendingChanges()
      #expect(seen == Array(repeating: ["a", "c", "d"], count: 3))
    }
  }

  @Test func `FRC 33: an insert has no old path, its new path is the one after`() throws {
    try withController { fixture, _, recorder in
      fixture.context.delete(try fixture.item("a"))
      fixture.insert("e", 35)
      fixture.context.processPendingChanges()
      let insert = try #require(recorder.objects.first { $0.type == .insert })
      #expect(insert.old == nil && insert.new == IndexPath(row: 2, section: 0))
    }
  }

  @Test func `FRC 34: a delete has no new path, its old path is the one before`() throws {
    try withController { fixture, _, recorder in
      fixture.insert("e", 1)
      fixture.context.delete(try fixture.item("c"))
      fixture.context.processPendingChanges()
      let delete = try #require(recorder.objects.first { $0.type == .delete })
      #expect(delete.new == nil && delete.old == IndexPath(row: 2, section: 0))
    }
  }

  @Test func `FRC 35: an update has both paths`() throws {
    try withController { fixture, _, recorder in
      fixture.insert("e", 1)
      try fixture.item("c").setValue("C", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "+e 0.0", "~C 0.2 0.3", "did"])
    }
  }

  @Test func `FRC 36: an object whose sort value changed with its place is moved, without an update`() throws {
    try withController { fixture, _, recorder in
      let a = try fixture.item("a")
      set(a, 35)
      a.setValue("A", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", ">A 0.0 0.2", "did"])
    }
  }

  @Test func `FRC 37: objects that shift are not told`() throws {
    try withController { fixture, _, recorder in
      fixture.context.delete(try fixture.item("a"))
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-a 0.0", "did"])
    }
  }

  @Test func `FRC 38: coming to match is an insert, ceasing to a delete, once`() throws {
    try withController(where: "rank < 35") { fixture, controller, recorder in
      set(try fixture.item("d"), 1)
      fixture.context.processPendingChanges()
      set(try fixture.item("a"), 100)
      try fixture.context.save()
      #expect(recorder.told == ["will", "+d 0.0", "did", "will", "-a 0.1", "did"])
      #expect(names(controller) == ["d", "b", "c"])
    }
  }

  @Test func `FRC 38: a missing value matches in memory as it does in the store`() throws {
    try withController(where: "rank != 10") { fixture, controller, recorder in
      try fixture.item("b").setValue(nil, forKey: "rank")
      try fixture.context.save()
      #expect(recorder.told == ["will", "-b 0.0", "did"])
      #expect(try names(controller) == fixture.context.fetch(controller.fetchRequest).map(\.label))
    }
  }

  @Test func `FRC 39: a change of no sort value is an update, even if others move`() throws {
    try withController { fixture, _, recorder in
      set(try fixture.item("a"), 99)
      for name in ["b", "c"] { try fixture.item(name).setValue(name.uppercased(), forKey: "name") }
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", ">a 0.0 0.3", "~B 0.1 0.0", "~C 0.2 0.1", "did"])
    }
  }

  @Test func `FRC 40: one delete, two updates, one move and two inserts are six changes`() throws {
    try withController(["a": 1, "b": 2, "c": 3, "d": 4, "e": 5]) { fixture, controller, recorder in
      fixture.context.delete(try fixture.item("a"))
      set(try fixture.item("b"), 9)
      for name in ["c", "d"] { try fixture.item(name).setValue(name.uppercased(), forKey: "name") }
      fixture.insert("f", 0)
      fixture.insert("g", 10)
      try fixture.context.save()
      let counts = Dictionary(grouping: recorder.objects, by: \.type).mapValues(\.count)
      #expect(counts == [.delete: 1, .update: 2, .move: 1, .insert: 2])
      #expect(names(controller) == ["f", "C", "D", "e", "b", "g"])
    }
  }

  @Test func `FRC 41: what comes and goes in one pass is not told; a twin is a delete and an insert`() throws {
    try withController { fixture, controller, recorder in
      fixture.context.delete(fixture.insert("x", 5))
      fixture.context.processPendingChanges()
      #expect(recorder.told.isEmpty)
      fixture.context.delete(try fixture.item("b"))
      let twin = fixture.insert("b", 20)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-b 0.1", "+b 0.1", "did"])
      #expect(controller.fetchedObjects?[1] === twin)
    }
  }

  @Test func `FRC 42: one change an object, no move to the same place, and a swap is two moves`() throws {
    try withController { fixture, _, recorder in
      set(try fixture.item("a"), 11)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "~a 0.0 0.0", "did"])
      recorder.clear()
      set(try fixture.item("b"), 31)
      set(try fixture.item("c"), 21)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", ">c 0.2 0.1", ">b 0.1 0.2", "did"])
    }
  }

  @Test func `FRC 58: ten thousand inserts are one pass`() throws {
    try withController { fixture, controller, recorder in
      for rank in 0..<10_000 { fixture.insert("n", (rank * 7_919) % 10_007) }
      let start = ContinuousClock.now
      fixture.context.processPendingChanges()
      print("FRC 58: 10,000 inserts told in \(ContinuousClock.now - start)")
      #expect(recorder.objects.count == 10_000 && recorder.told.count == 10_002)
      let ranks = controller.fetchedObjects?.compactMap { ($0.value(forKey: "rank") as? NSNumber)?.intValue } ?? []
      #expect(ranks.count == 10_004 && ranks == ranks.sorted())
    }
  }
}
