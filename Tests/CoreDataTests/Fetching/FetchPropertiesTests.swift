import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The properties of fetch requests (reference/CONTEXT.md 4, 29, 31 to 35).
///
/// What was read is told from what is read anew by changing the file in between.
@Suite struct FetchPropertiesTests {
  private func office() throws -> Office {
    try Office { context in
      for name in ["a", "b", "c", "d", "e"] {
        let department = context.new("Department", "dep \(name)")
        context.new("Person", name, ["salary": 10, "department": department])
      }
    }
  }

  private func request(_ entity: String = "Person") -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  @Test
  func `CONTEXT 32: a request has Apple's defaults, its entity when it is executed, and copies that ask the same`()
    throws
  {
    let plain = NSFetchRequest<NSManagedObject>(entityName: "Person")
    #expect(plain.entity == nil && plain.entityName == "Person")
    #expect(plain.resultType == .managedObjectResultType && plain.fetchLimit == 0 && plain.fetchOffset == 0)
    #expect(plain.includesPendingChanges && plain.includesSubentities && plain.includesPropertyValues)
    #expect(plain.returnsObjectsAsFaults && !plain.returnsDistinctResults && !plain.shouldRefreshRefetchedObjects)
    #expect(plain.fetchBatchSize == 0 && plain.propertiesToFetch == nil && plain.predicate == nil)
    let office = try office()
    let store = try #require(office.coordinator.persistentStores.first)
    plain.predicate = NSPredicate(format: "name > %@", argumentArray: ["a"])
    plain.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    (plain.fetchLimit, plain.fetchOffset, plain.fetchBatchSize) = (3, 1, 2)
    (plain.includesSubentities, plain.includesPendingChanges, plain.includesPropertyValues) = (false, false, false)
    (plain.returnsObjectsAsFaults, plain.returnsDistinctResults) = (false, true)
    plain.shouldRefreshRefetchedObjects = true
    plain.resultType = .dictionaryResultType
    plain.relationshipKeyPathsForPrefetching = ["department"]
    plain.propertiesToFetch = ["name"]
    plain.propertiesToGroupBy = ["name"]
    plain.havingPredicate = NSPredicate(format: "name != nil", argumentArray: [])
    plain.affectedStores = [store]
    let copy = try #require(plain.copy() as? NSFetchRequest<NSManagedObject>)
    #expect(copy !== plain && copy.entityName == "Person" && copy.predicate == plain.predicate)
    #expect(copy.sortDescriptors == plain.sortDescriptors && copy.resultType == .dictionaryResultType)
    #expect((copy.fetchLimit, copy.fetchOffset, copy.fetchBatchSize) == (3, 1, 2))
    #expect(!copy.includesSubentities && !copy.includesPendingChanges && !copy.includesPropertyValues)
    #expect(!copy.returnsObjectsAsFaults && copy.returnsDistinctResults && copy.shouldRefreshRefetchedObjects)
    #expect(copy.relationshipKeyPathsForPrefetching == ["department"])
    #expect(copy.propertiesToFetch as? [String] == ["name"] && copy.propertiesToGroupBy as? [String] == ["name"])
    #expect(copy.havingPredicate == plain.havingPredicate && copy.affectedStores == [store])
    copy.fetchLimit = 9
    #expect(plain.fetchLimit == 3)
  }

  @Test func `CONTEXT 33: result types have Apple's numbers`() {
    #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
    #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
    #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
    #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
  }

  @Test func `CONTEXT 31: properties are asked for after the entity, and objects come with all of them`() async throws {
    let office = try office()
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      let request = request()
      request.propertiesToFetch = ["salary"]
      let found = try context.fetch(request)
      #expect(found.map { $0.value(forKey: "name") as? String } == ["a", "b", "c", "d", "e"])
    }
    await #expect(processExitsWith: .failure) {
      let request = NSFetchRequest<NSManagedObject>()
      request.propertiesToFetch = ["name"]
    }
  }

  @Test func `CONTEXT 29: rows are read a page at a time, when the first fault of the page fires`() throws {
    let office = try office()
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      let request = request()
      request.fetchBatchSize = 2
      let found = try context.fetch(request)
      #expect(found.count == 5 && found.allSatisfy(\.isFault))
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 20")
      #expect(found[2].value(forKey: "salary") as? Int == 20)
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 30")
      // The fourth is on the page of the third, the others have yet to be read.
      #expect(found.map { $0.value(forKey: "salary") as? Int } == [30, 30, 20, 20, 30])
    }
  }

  @Test func `CONTEXT 4: objects that are found again take the store's values where the request says so`() throws {
    let office = try office()
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      let found = try context.fetch(request())
      for object in found { object.willAccessValue(forKey: nil) }
      found[1].setValue(99, forKey: "salary")
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 20, ZNAME = ZNAME || '!'")
      _ = try context.fetch(request())
      #expect(found.map { $0.value(forKey: "salary") as? Int } == [10, 99, 10, 10, 10])
      for (batch, salary) in [(0, 20), (2, 30)] {
        try office.file.write("UPDATE ZPERSON SET ZSALARY = \(salary)")
        let request = request()
        request.shouldRefreshRefetchedObjects = true
        request.fetchBatchSize = batch
        _ = try context.fetch(request)
        #expect(found.map { $0.value(forKey: "salary") as? Int } == [salary, 99, salary, salary, salary])
      }
      #expect(found[1].value(forKey: "name") as? String == "b!")
      #expect(context.updatedObjects == [found[1]])
    }
  }

  @Test func `CONTEXT 34: what relationships lead to is read along`() throws {
    let office = try office()
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      let request = request()
      request.relationshipKeyPathsForPrefetching = ["department"]
      let found = try context.fetch(request)
      try office.file.write("UPDATE ZDEPARTMENT SET ZNAME = 'late'")
      #expect(found.map { $0.related("department") } == [["dep a"], ["dep b"], ["dep c"], ["dep d"], ["dep e"]])
    }
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      try office.file.write("UPDATE ZDEPARTMENT SET ZNAME = 'x' || Z_PK")
      let request = request("Department")
      request.relationshipKeyPathsForPrefetching = ["staff", "staff.department", "name", "nobody"]
      let found = try context.fetch(request)
      try office.file.write("UPDATE ZPERSON SET ZNAME = 'late'")
      #expect(Set(found.flatMap { $0.related("staff") }) == ["a", "b", "c", "d", "e"])
    }
    let other = try self.office()
    try other.work { (context: NSManagedObjectContext) throws -> Void in
      let found = try context.fetch(request("Department"))
      try other.file.write("UPDATE ZPERSON SET ZNAME = 'later'")
      // Without prefetching they are read when they are asked for.
      #expect(Set(found.flatMap { $0.related("staff") }) == ["later"])
    }
  }

  @Test func `CONTEXT 34: only the stores that a request names are asked`() throws {
    let (office, second) = (try office(), try Office { $0.new("Person", "z") })
    let store = try office.coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: second.file.url)
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      #expect(try context.count(for: request()) == 6)
      let request = request()
      request.affectedStores = [store]
      #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["z"])
      #expect(try context.count(for: request) == 1)
      try context.one("Person", "a").setValue("changed", forKey: "name")
      #expect(try context.fetch(request).count == 1)
      request.affectedStores = []
      #expect(try context.fetch(request).isEmpty)
    }
  }

  @Test func `CONTEXT 35: an asynchronous fetch is executed on the context's queue, and sees what waits to be saved`()
    async throws
  {
    let office = try office()
    let context = office.context()
    let (names, wasThere): ([String], Bool) = await withCheckedContinuation { continuation in
      context.performAndWait {
        context.new("Person", "new")
        let asked = NSAsynchronousFetchRequest(fetchRequest: request()) { result in
          let names = (result.finalResult ?? []).compactMap { $0.value(forKey: "name") as? String }
          continuation.resume(returning: (names, context.queue.isCurrent && result.operationError == nil))
        }
        let result = try? context.execute(asked) as? NSAsynchronousFetchResult<NSManagedObject>
        #expect(result?.finalResult == nil && result?.managedObjectContext === context)
      }
    }
    #expect(names == ["a", "b", "c", "d", "e", "new"] && wasThere)
  }

  @Test func `CONTEXT 35: a fetch that is cancelled before its turn, or that fails, says so in its result`()
    async throws
  {
    let office = try office()
    let context = office.context()
    let codes: [Int?] = await withCheckedContinuation { continuation in
      context.performAndWait {
        let codes = LifeLog()
        let cancelled = NSAsynchronousFetchRequest(fetchRequest: request()) { result in
          codes.add("\((result.operationError as NSError?)?.code ?? 0)")
        }
        let failing = NSAsynchronousFetchRequest(fetchRequest: request("Nobody")) { result in
          codes.add("\((result.operationError as NSError?)?.code ?? 0)")
          continuation.resume(returning: codes.take().map { Int($0) })
        }
        ((try? context.execute(cancelled)) as? NSPersistentStoreAsynchronousResult)?.cancel()
        _ = try? context.execute(failing)
      }
    }
    #expect(codes == [CocoaError.Code.userCancelled.rawValue, NSCoreDataError])
  }

  @Test func `a request of a kind that no store knows is error 134091`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      #expect(code { try context.execute(NSPersistentStoreRequest()) } == NSPersistentStoreUnsupportedRequestTypeError)
      let result = try context.execute(request()) as? NSAsynchronousFetchResult<NSManagedObject>
      #expect(result?.finalResult?.count == 5)
    }
  }
}
