import CoreData
import Testing

@Suite("Fetches page by page")
struct FetchPageTests {
  private func office(_ salaries: [Int64]) throws -> Office {
    try Office { context in
      for (place, salary) in salaries.enumerated() { Self.add("p\(place)", salary, context) }
    }
  }

  private static func add(_ name: String, _ salary: Int64, _ context: NSManagedObjectContext) {
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    person.setValue(name, forKey: "name")
    person.setValue(NSNumber(value: salary), forKey: "salary")
  }

  private func names(_ context: NSManagedObjectContext, limit: Int, offset: Int) throws -> [String] {
    let request = NSFetchRequest<OfficePerson>(entityName: "Person")
    request.predicate = NSPredicate(format: "salary < 9")
    request.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: true)]
    (request.fetchLimit, request.fetchOffset) = (limit, offset)
    return try context.fetch(request).map { $0.name ?? "" }
  }

  @Test(arguments: [true, false])
  func `a limit and an offset cut a piece out of the whole order, pending objects included (rule 39)`(
    _ hasPending: Bool
  ) throws {
    try office([5, 9, 3, 1, 4]).work { context in
      if hasPending {
        Self.add("new", 2, context)
        Self.add("out", 9, context)
      }
      let whole = try names(context, limit: 0, offset: 0)
      #expect(whole == (hasPending ? ["p3", "new", "p2", "p4", "p0"] : ["p3", "p2", "p4", "p0"]))
      for (limit, offset) in [(2, 1), (1, 0), (0, 2), (9, 3), (3, 9)] {
        let end = limit == 0 ? whole.count : min(whole.count, offset + limit)
        let piece = offset < end ? Array(whole[offset..<end]) : []
        #expect(try names(context, limit: limit, offset: offset) == piece, "\(limit) after \(offset)")
      }
    }
  }

  @Test func `objects that the order does not tell apart come once each, page after page (rule 40)`() throws {
    try office(Array(repeating: 7, count: 11)).work { context in
      var seen: [String] = []
      for page in 0..<4 { seen += try names(context, limit: 3, offset: 3 * page) }
      #expect(seen.count == 11 && Set(seen).count == 11)
    }
  }
}
