import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Sections, snapshots, differences, and how long things live: reference/FRC.md 29 to 32 and 44 to 56.
@Suite struct FetchedSectionsTests {
  private func withController(
    _ items: KeyValuePairs<String, Int> = ["a": 1, "b": 1, "c": 2, "d": 3],
    _ body: (FetchedFixture, NSFetchedResultsController<NSManagedObject>, ChangeRecorder) throws -> Void
  ) throws {
    let fixture = try FetchedFixture(items)
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(
        fixture.request(sort: ["rank", "name"]), sections: "rank", delegate: recorder)
      try withExtendedLifetime(controller) { try body(fixture, controller, recorder) }
    }
  }

  private func set(_ object: NSManagedObject, _ rank: Int) { object.setValue(NSNumber(value: rank), forKey: "rank") }

  private func withPlain(
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ body: (FetchedFixture, NSFetchedResultsController<NSManagedObject>) throws -> Void
  ) throws {
    let fixture = try FetchedFixture(["a": 10, "b": 20, "c": 30])
    try fixture.context.performAndWait {
      let controller = try fixture.controller(fixture.request(), delegate: delegate)
      try withExtendedLifetime(controller) { try body(fixture, controller) }
    }
  }

  @Test func `FRC 29: sections are told before objects, those that went before those that came`() throws {
    try withController { fixture, _, recorder in
      fixture.context.delete(try fixture.item("c"))
      fixture.insert("e", 5)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[2] 1", "+[5] 2", "-c 1.0", "+e 2.0", "did"])
    }
  }

  @Test func `FRC 31: a delegate with the snapshot method is told by it alone`() throws {
    let recorder = SnapshotRecorder()
    try withPlain(recorder) { fixture, controller in
      fixture.insert("d", 15)
      fixture.context.processPendingChanges()
      #expect(recorder.snapshots.count == 2 && recorder.others == 0)
      #expect(recorder.snapshots.last?.itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
    }
  }

  @Test func `FRC 31: a delegate with the difference method is told by it alone, but not of sections`() throws {
    let recorder = DifferenceRecorder()
    try withPlain(recorder) { fixture, controller in
      let before = controller.fetchedObjects?.map(\.objectID) ?? []
      fixture.insert("d", 15)
      fixture.context.processPendingChanges()
      #expect(recorder.differences.count == 1 && recorder.others == 0)
      #expect(before.applying(recorder.differences[0]) == controller.fetchedObjects?.map(\.objectID))
      let cut = DifferenceRecorder()
      let sections = try fixture.controller(fixture.request(), sections: "rank", delegate: cut)
      fixture.insert("e", 16)
      fixture.context.processPendingChanges()
      #expect(cut.differences.isEmpty && cut.others == 2)
      withExtendedLifetime(sections) {}
    }
  }

  @Test func `FRC 32: the first content comes as a snapshot, too`() throws {
    let recorder = SnapshotRecorder()
    try withPlain(recorder) { _, controller in
      #expect(recorder.snapshots.count == 1)
      #expect(recorder.snapshots[0].itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
      #expect(recorder.snapshots[0].reloadedItemIdentifiers.isEmpty)
    }
  }

  @Test func `FRC 44: a new section has its index after, an emptied one its index before`() throws {
    try withController { fixture, controller, recorder in
      fixture.insert("e", 0)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "+[0] 0", "+e 0.0", "did"])
      recorder.clear()
      fixture.context.delete(try fixture.item("d"))
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[3] 3", "-d 3.0", "did"])
      #expect(controller.sections?.map(\.name) == ["0", "1", "2"])
    }
  }

  @Test func `FRC 45: a section that went has no objects, one that came has its own already`() throws {
    try withController { fixture, _, recorder in
      for name in ["a", "b"] { set(try fixture.item(name), 9) }
      fixture.context.processPendingChanges()
      #expect(recorder.sections.map(\.name) == ["1", "9"])
      #expect(recorder.sections.map(\.count) == [0, 2])
      #expect(recorder.objects.map(\.type) == [.move, .move])
    }
  }

  @Test func `FRC 46: moving the last object of a section is a deleted section and a move out of it`() throws {
    try withController { fixture, _, recorder in
      set(try fixture.item("c"), 3)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[2] 1", ">c 1.0 1.0", "did"])
    }
  }

  @Test func `FRC 47: renaming a section is one that went, one that came, and moved objects`() throws {
    try withController { fixture, _, recorder in
      for name in ["a", "b"] { set(try fixture.item(name), 0) }
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[1] 0", "+[0] 0", ">a 0.0 0.0", ">b 0.1 0.1", "did"])
    }
  }

  @Test func `FRC 48: a section that comes to stand elsewhere went and came, its objects moved`() throws {
    let fixture = try FetchedFixture(["a": 1, "b": 2, "c": 3])
    try fixture.context.performAndWait {
      for (name, group) in [("a", "x"), ("b", "y"), ("c", "z")] {
        try fixture.item(name).setValue(group, forKey: "string")
      }
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(fixture.request(), sections: "string", delegate: recorder)
      set(try fixture.item("a"), 9)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "-[x] 0", "+[x] 2", ">a 0.0 2.0", "did"])
      #expect(controller.sections?.map(\.name) == ["y", "z", "x"])
    }
  }

  @Test func `FRC 49: a snapshot has section names and object ids, and casts to the typed one`() throws {
    let recorder = SnapshotRecorder()
    let fixture = try FetchedFixture(["a": 1, "b": 1, "c": 2])
    try fixture.context.performAndWait {
      let controller = try fixture.controller(fixture.request(), sections: "rank", delegate: recorder)
      let snapshot = try #require(recorder.snapshots.first)
      let ids = controller.fetchedObjects?.map(\.objectID) ?? []
      #expect(snapshot.sectionIdentifiers == ["1", "2"])
      #expect(snapshot.itemIdentifiers(inSection: "1") == Array(ids.prefix(2)))
      #expect(snapshot.sectionIdentifier(containingItem: ids[2]) == "2")
    }
  }

  @Test func `FRC 50 and 52: a changed object is reloaded, not deleted and inserted`() throws {
    let recorder = SnapshotRecorder()
    try withPlain(recorder) { fixture, controller in
      let b = try fixture.item("b")
      b.setValue("B", forKey: "name")
      fixture.context.processPendingChanges()
      let last = try #require(recorder.snapshots.last)
      #expect(last.reloadedItemIdentifiers == [b.objectID])
      #expect(last.itemIdentifiers == recorder.snapshots[0].itemIdentifiers)
      set(b, 99)
      fixture.context.processPendingChanges()
      #expect(recorder.snapshots.last?.itemIdentifiers.last == b.objectID)
      #expect(recorder.snapshots.last?.reloadedItemIdentifiers == [b.objectID])
      #expect(controller.updatedObjectIDs == [b.objectID])
    }
  }

  @Test func `FRC 51: ids that become permanent are told as one replacement`() throws {
    let (snapshots, differences) = (SnapshotRecorder(), DifferenceRecorder())
    try withPlain(snapshots) { fixture, controller in
      let other = try fixture.controller(fixture.request(), delegate: differences)
      let recorder = ChangeRecorder()
      let third = try fixture.controller(fixture.request(), delegate: recorder)
      var ids = other.fetchedObjects?.map(\.objectID) ?? []
      let new = fixture.insert("d", 15)
      fixture.context.processPendingChanges()
      let temporary = new.objectID
      #expect(temporary.isTemporaryID && snapshots.snapshots.last?.itemIdentifiers[1] == temporary)
      ids = ids.applying(differences.differences[0]) ?? []
      try fixture.context.save()
      #expect(snapshots.snapshots.count == 3)
      #expect(snapshots.snapshots.last?.itemIdentifiers == controller.fetchedObjects?.map(\.objectID))
      #expect(differences.differences.count == 2 && differences.differences[1].count == 2)
      #expect(ids.applying(differences.differences[1]) == controller.fetchedObjects?.map(\.objectID))
      #expect(recorder.told == ["will", "+d 0.1", "did"])
      try fixture.context.save()
      #expect(snapshots.snapshots.count == 3 && differences.differences.count == 2)
      withExtendedLifetime(third) {}
    }
  }

  @Test func `FRC 53: a difference has offsets before and after, moves are associated, updates told beside it`() throws
  {
    let recorder = DifferenceRecorder()
    try withPlain(recorder) { fixture, controller in
      let (a, b) = (try fixture.item("a"), try fixture.item("b"))
      set(a, 99)
      b.setValue("B", forKey: "name")
      fixture.context.processPendingChanges()
      let difference = try #require(recorder.differences.first)
      #expect(difference.removals == [.remove(offset: 0, element: a.objectID, associatedWith: 2)])
      #expect(difference.insertions == [.insert(offset: 2, element: a.objectID, associatedWith: 0)])
      #expect(Set(recorder.updated[0]) == [a.objectID, b.objectID])
      b.setValue("b", forKey: "name")
      fixture.context.processPendingChanges()
      #expect(recorder.differences.last?.isEmpty == true && recorder.updated.last == [b.objectID])
      withExtendedLifetime(controller) {}
    }
  }

  @Test func `FRC 54: the delegate is called on the context's queue`() throws {
    let fixture = try FetchedFixture(["a": 1])
    let recorder = ChangeRecorder()
    let controller = try fixture.context.performAndWait {
      try fixture.controller(fixture.request(), delegate: recorder)
    }
    var calls = 0
    recorder.during = { face in
      face.managedObjectContext.assertQueue()
      #expect(face.managedObjectContext.queue.isCurrent)
      calls += 1
    }
    fixture.context.performAndWait {
      fixture.insert("b", 2)
      fixture.context.processPendingChanges()
    }
    #expect(calls == 3)
    withExtendedLifetime(controller) {}
  }

  @Test func `FRC 55: changes and saves inside of a callback begin a new pass after this one`() throws {
    try withController { fixture, controller, recorder in
      var rounds = 0
      recorder.during = { _ in
        guard recorder.told.last == "will", rounds < 2 else { return }
        rounds += 1
        fixture.insert("n\(rounds)", 3)
        if rounds == 1 { fixture.context.processPendingChanges() } else { try? fixture.context.save() }
      }
      fixture.context.delete(try fixture.item("a"))
      fixture.context.processPendingChanges()
      #expect(recorder.told.filter { $0 == "will" }.count == 3)
      var isOpen = false
      for told in recorder.told where told == "will" || told == "did" {
        #expect((told == "will") != isOpen, "will and did alternate")
        isOpen = told == "will"
      }
      #expect(
        try controller.fetchedObjects == fixture.context.fetch(controller.fetchRequest))
      #expect(Set(recorder.objects.filter { $0.type == .insert }.map { $0.object.label }) == ["n1", "n2"])
    }
  }

  @Test func `FRC 56: nothing is told after the delegate was taken away, nor after the controller is gone`() throws {
    let fixture = try FetchedFixture(["a": 1, "b": 2])
    try fixture.context.performAndWait {
      let recorder = ChangeRecorder()
      var controller: NSFetchedResultsController? = try fixture.controller(fixture.request(), delegate: recorder)
      weak let core = controller?.core
      // In the middle of telling, as well.
      recorder.during = { _ in if recorder.told.count == 2 { controller?.delegate = nil } }
      for rank in 3...6 { fixture.insert("n", rank) }
      fixture.context.processPendingChanges()
      #expect(recorder.told.count == 2)
      recorder.during = nil
      controller?.delegate = recorder
      controller = nil
      #expect(core == nil)
      fixture.insert("m", 7)
      fixture.context.processPendingChanges()
      #expect(recorder.told.count == 2)
    }
  }
}
