import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Making controllers, fetching, and looking at results: reference/FRC.md 1 to 15 and 54.
@Suite struct FetchedResultsTests {
  private func withFixture(
    _ items: KeyValuePairs<String, Int> = ["a": 10, "b": 20, "c": 30], _ body: (FetchedFixture) throws -> Void
  ) throws {
    let fixture = try FetchedFixture(items)
    try fixture.context.performAndWait { try body(fixture) }
  }

  private func names(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String]? {
    controller.fetchedObjects?.map(\.label)
  }

  @Test func `FRC 1: no sort descriptors at all stop the program`() async {
    await #expect(processExitsWith: .failure) {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      _ = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    }
  }

  @Test func `FRC 1: an empty array of sort descriptors works, by object id, with tracking`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(fixture.request(sort: []), delegate: recorder)
      #expect(names(controller) == ["a", "b", "c"])
      fixture.insert("d", 1)
      try fixture.context.save()
      #expect(names(controller) == ["a", "b", "c", "d"])
      #expect(recorder.told == ["will", "+d 0.3", "did"])
    }
  }

  @Test func `FRC 2: sections out of order are an error`() throws {
    try withFixture(["a": 1, "b": 2, "c": 1]) { (fixture: FetchedFixture) throws -> Void in
      let controller = NSFetchedResultsController(
        fetchRequest: fixture.request(sort: ["name"]), managedObjectContext: fixture.context,
        sectionNameKeyPath: "rank", cacheName: nil)
      #expect {
        try controller.performFetch()
      } throws: { error in
        (error as NSError).code == NSCoreDataError
          && (error as NSError).localizedDescription.contains("index 2 has an out of order section name '1'")
      }
    }
  }

  @Test func `FRC 4: results other than objects are refused`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let request = fixture.request()
      request.resultType = .managedObjectIDResultType
      #expect(throws: NSError.self) { try fixture.controller(request) }
    }
  }

  @Test func `FRC 5: the request stays the same object, and what is set in it counts from the next fetch on`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let request = fixture.request()
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(request, delegate: recorder)
      #expect(controller.fetchRequest === request)
      request.predicate = NSPredicate(format: "rank > 15", argumentArray: [])
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
      #expect(names(controller) == ["a", "b", "c"])
      try controller.performFetch()
      #expect(names(controller) == ["c", "b"])
      fixture.insert("d", 25)
      fixture.insert("e", 5)
      fixture.context.processPendingChanges()
      #expect(recorder.told == ["will", "+d 0.1", "did"])
    }
  }

  @Test func `FRC 6: before a fetch there are no results, after it there is one section`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let controller = NSFetchedResultsController(
        fetchRequest: fixture.request(), managedObjectContext: fixture.context, sectionNameKeyPath: nil,
        cacheName: "some")
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      #expect(controller.cacheName == "some" && controller.sectionNameKeyPath == nil)
      #expect(controller.managedObjectContext === fixture.context)
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 3)
      #expect(controller.sections?.map(\.numberOfObjects) == [3])
      let nobody = NSPredicate(format: "rank > 99", argumentArray: [])
      #expect(try fixture.controller(fixture.request(where: nobody)).sections?.map(\.numberOfObjects) == [0])
      #expect(try fixture.controller(fixture.request(where: nobody), sections: "rank").sections?.count == 0)
    }
  }

  @Test func `FRC 6: a request that the store refuses throws`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      #expect(throws: NSError.self) { try fixture.controller(fixture.request("Nobody")) }
    }
  }

  @Test func `FRC 7: results show what is not saved yet, and an array once taken stays`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      fixture.insert("d", 15)
      fixture.context.delete(try fixture.item("c"))
      let recorder = ChangeRecorder()
      let controller = try fixture.controller(fixture.request(), delegate: recorder)
      let before = controller.fetchedObjects ?? []
      #expect(before.map(\.label) == ["a", "d", "b"])
      fixture.insert("e", 1)
      fixture.context.processPendingChanges()
      #expect(names(controller) == ["e", "a", "d", "b"])
      #expect(before.map(\.label) == ["a", "d", "b"])
    }
  }

  @Test func `FRC 8: sections are named by the value as text, with as many objects as they say`() throws {
    try withFixture(["a": 1, "b": 2, "c": 2]) { (fixture: FetchedFixture) throws -> Void in
      let controller = try fixture.controller(fixture.request(sort: ["-rank", "name"]), sections: "rank")
      let sections = try #require(controller.sections)
      #expect(sections.map(\.name) == ["2", "1"])
      #expect(sections.map(\.numberOfObjects) == [2, 1])
      #expect(sections.map { $0.objects?.compactMap { ($0 as? NSManagedObject)?.label } } == [["b", "c"], ["a"]])
    }
  }

  @Test func `FRC 9: index titles are capitalised first letters, unless the delegate has others`() throws {
    try withFixture(["apple": 1, "berry": 2, "blue": 3]) { (fixture: FetchedFixture) throws -> Void in
      let controller = try fixture.controller(fixture.request(sort: ["name"]), sections: "name")
      #expect(controller.sectionIndexTitle(forSectionName: "über") == "Ü")
      #expect(controller.sectionIndexTitles == ["A", "B", "B"])
      #expect(controller.sections?.map(\.indexTitle) == ["A", "B", "B"])
      #expect(controller.section(forSectionIndexTitle: "B", at: 2) == 2)
      #expect(controller.section(forSectionIndexTitle: "B", at: 0) == 1)
      #expect(controller.section(forSectionIndexTitle: "X", at: 0) == NSNotFound)
      let delegate = DeafDelegate()
      controller.delegate = delegate
      #expect(controller.sectionIndexTitles == ["<apple>", "<berry>", "<blue>"])
    }
  }

  @Test func `FRC 10: paths lead to objects and back, a foreign object has none`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let controller = try fixture.controller(fixture.request(sort: ["-rank"]), sections: "rank")
      let path = IndexPath(row: 0, section: 1)
      #expect(controller.object(at: path).label == "b")
      #expect(controller.indexPath(forObject: controller.object(at: path)) == path)
      #expect(controller.indexPath(forObject: fixture.insert("z", 1)) == nil)
    }
  }

  @Test func `FRC 10: a path that leads nowhere stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let fixture = try FetchedFixture(["a": 1])
      try fixture.context.performAndWait {
        _ = try fixture.controller(fixture.request()).object(at: IndexPath(row: 1, section: 0))
      }
    }
  }

  @Test func `FRC 11: a delegate is handed the same controller under another type, and is held weakly`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      var recorder: ChangeRecorder? = ChangeRecorder()
      let controller = try fixture.controller(fixture.request(), delegate: recorder)
      let other = try fixture.controller(fixture.request())
      var faces = 0
      recorder?.during = { face in
        // Outside of the macro, which knows the standard library's operators only.
        let (same, differs) = (face === controller, face !== controller)
        #expect(same && !differs)
        let (maybe, none): (NSFetchedResultsController<NSManagedObject>?, AnyController?) = (controller, nil)
        let (sameAsMaybe, maybeDiffers, sameAsNone) = (face === maybe, maybe !== face, none === maybe)
        #expect(sameAsMaybe && !maybeDiffers && !sameAsNone)
        #expect(face.isEqual(controller))
        #expect(face.hash == controller.hash)
        let (differsFromOther, sameAsOther) = (face !== other, face === other)
        #expect(differsFromOther && !sameAsOther)
        #expect(!face.isEqual(other))
        #expect(face.fetchedObjects?.compactMap { ($0 as? NSManagedObject)?.label } == ["a", "b", "c", "d"])
        #expect((face.object(at: IndexPath(item: 3, section: 0)) as? NSManagedObject)?.label == "d")
        faces += 1
      }
      fixture.insert("d", 40)
      fixture.context.processPendingChanges()
      #expect(faces == 3)
      recorder = nil
      #expect(controller.delegate == nil)
    }
  }

  @Test func `FRC 14: a cache changes nothing`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let cached = NSFetchedResultsController(
        fetchRequest: fixture.request(), managedObjectContext: fixture.context, sectionNameKeyPath: "rank",
        cacheName: "cache")
      try cached.performFetch()
      #expect(names(cached) == names(try fixture.controller(fixture.request(), sections: "rank")))
      NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "cache")
    }
  }

  @Test func `FRC 15: without a delegate, or with one that tells nobody, results stay as they are`() throws {
    try withFixture { (fixture: FetchedFixture) throws -> Void in
      let alone = try fixture.controller(fixture.request())
      let deaf = DeafDelegate()
      let unheard = try fixture.controller(fixture.request(), delegate: deaf)
      let end = EndRecorder()
      let heard = try fixture.controller(fixture.request(), delegate: end)
      for rank in [1, 2] {
        fixture.insert("n", rank)
        fixture.context.processPendingChanges()
      }
      #expect(names(alone) == ["a", "b", "c"])
      #expect(names(unheard) == ["a", "b", "c"])
      #expect(names(heard) == ["n", "n", "a", "b", "c"])
      #expect(end.count == 2)
      // What was missed comes with the first change that is tracked.
      let recorder = ChangeRecorder()
      alone.delegate = recorder
      fixture.insert("z", 99)
      fixture.context.processPendingChanges()
      #expect(names(alone) == ["n", "n", "a", "b", "c", "z"])
      #expect(recorder.told == ["will", "+n 0.0", "+n 0.1", "+z 0.5", "did"])
    }
  }
}
