import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Fetches of dictionaries (reference/CONTEXT.md 26).
@Suite struct DictionaryFetchTests {
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      let blue = context.new("Department", "blue")
      context.new("Person", "ann", ["salary": 10, "department": red])
      context.new("Person", "bob", ["salary": 30, "department": blue])
      context.new("Person", "cid", ["salary": 20, "department": red])
      context.new("Person", "dan", ["salary": 20])
    }
  }

  private func request(_ properties: [Any]?, sort key: String? = "name") -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Person")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return request
  }

  private func column(
    _ name: String, _ function: String, _ key: String, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
    description.expressionResultType = type
    return description
  }

  private func dictionaries(
    _ context: NSManagedObjectContext, _ request: NSFetchRequest<NSDictionary>
  ) throws -> [[String: AnyHashable]] {
    try context.fetch(request).map { found in
      (found as? [String: AnyHashable] ?? [:]).mapValues { value in
        // Numbers as Swift's own, which a boxed one is not equal to.
        guard let number = value.base as? NSNumber else { return value }
        return number.isFloating ? AnyHashable(number.doubleValue) : AnyHashable(number.intValue)
      }
    }
  }

  @Test func `CONTEXT 26: without columns the attributes come, and no relationship`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      let found = try dictionaries(context, request(nil))
      #expect(found.first == ["name": "ann", "salary": 10])
      #expect(found.count == 4)
    }
  }

  @Test func `CONTEXT 26: columns are key paths, attributes, objects as ids, and expressions`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Person", in: context))
      let name = try #require(entity.attributesByName["name"])
      let department = try #require(entity.relationshipsByName["department"])
      let id = NSExpressionDescription()
      id.name = "id"
      id.expression = NSExpression.expressionForEvaluatedObject()
      id.expressionResultType = .objectIDAttributeType
      let double = NSExpressionDescription()
      double.name = "double"
      double.expression = NSExpression(format: "salary * 2", argumentArray: [])
      let found = try context.fetch(request([name, department, "department.name", id, double]))
      let ann = try context.one("Person", "ann")
      #expect(found[0]["name"] as? String == "ann" && found[0]["department.name"] as? String == "red")
      #expect(found[0]["id"] as? NSManagedObjectID === ann.objectID)
      #expect(
        found[0]["department"] as? NSManagedObjectID === (ann.value(forKey: "department") as? NSManagedObject)?.objectID
      )
      #expect(found[0]["double"] as? Int == 20)
      // What has no value has no key.
      #expect(found[3].allKeys.compactMap { $0 as? String }.sorted() == ["double", "id", "name"])
    }
  }

  @Test func `CONTEXT 26: a to-many relationship, or a name that is none, is refused`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      for bad in ["tags", "nobody", "department.nobody"] {
        #expect(code { _ = try context.fetch(request([bad])) } == NSCoreDataError, "\(bad)")
      }
      #expect(code { _ = try context.fetch(request([column("x", "median:", "salary")])) } == NSCoreDataError)
      #expect(code { _ = try context.fetch(request([7])) } == NSCoreDataError)
    }
  }

  @Test func `CONTEXT 26: figures are over all rows that are found`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      let columns = [
        column("count", "count:", "name"), column("sum", "sum:", "salary"), column("least", "min:", "salary"),
        column("most", "max:", "salary", .stringAttributeType), column("mean", "average:", "salary"),
        column("departments", "count:", "department"),
      ]
      #expect(
        try dictionaries(context, request(columns, sort: nil)) == [
          ["count": 4, "sum": 80, "least": 10, "most": "30", "mean": 20.0, "departments": 3]
        ])
      let some = request([column("sum", "sum:", "salary")], sort: nil)
      some.predicate = NSPredicate(format: "department.name == 'red'", argumentArray: [])
      #expect(try dictionaries(context, some) == [["sum": 30]])
    }
  }

  @Test func `CONTEXT 26: rows are grouped, and groups are chosen by their columns`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      func grouped(_ having: String?, limit: Int = 0, offset: Int = 0) throws -> [[String: AnyHashable]] {
        let request = request(
          ["department.name", column("sum", "sum:", "salary"), column("count", "count:", "name")],
          sort: "department.name")
        request.propertiesToGroupBy = ["department.name"]
        request.havingPredicate = having.map { NSPredicate(format: $0, argumentArray: []) }
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        return try dictionaries(context, request)
      }
      let none: [String: AnyHashable] = ["sum": 20, "count": 1]
      let blue: [String: AnyHashable] = ["department.name": "blue", "sum": 30, "count": 1]
      let red: [String: AnyHashable] = ["department.name": "red", "sum": 30, "count": 2]
      #expect(try grouped(nil) == [none, blue, red])
      #expect(try grouped(nil, limit: 1, offset: 1) == [blue])
      #expect(try grouped("sum > 20") == [blue, red])
      #expect(try grouped("sum > 20", limit: 1, offset: 1) == [red])
      #expect(try grouped("count:(name) > 1") == [red])
      #expect(try grouped("department.name == 'blue'") == [blue])
      let hidden = request([column("sum", "sum:", "salary")], sort: "salary")
      hidden.propertiesToGroupBy = ["salary"]
      #expect(try dictionaries(context, hidden) == [["sum": 10], ["sum": 40], ["sum": 30]])
      hidden.havingPredicate = NSPredicate(format: "salary < 30", argumentArray: [])
      #expect(try dictionaries(context, hidden) == [["sum": 10], ["sum": 40]])
    }
  }

  @Test func `CONTEXT 26: the same dictionary is given once where the request says so`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      let request = request(["salary"], sort: "salary")
      #expect(try dictionaries(context, request) == [["salary": 10], ["salary": 20], ["salary": 20], ["salary": 30]])
      request.returnsDistinctResults = true
      #expect(try dictionaries(context, request) == [["salary": 10], ["salary": 20], ["salary": 30]])
      request.fetchLimit = 2
      #expect(try dictionaries(context, request) == [["salary": 10], ["salary": 20]])
    }
  }

  @Test func `CONTEXT 26: dictionaries show the store, whatever waits to be saved`() throws {
    try office().work { (context: NSManagedObjectContext) throws -> Void in
      try context.one("Person", "ann").setValue("anna", forKey: "name")
      context.new("Person", "eve")
      #expect(try dictionaries(context, request(["name"])).compactMap { $0["name"] } == ["ann", "bob", "cid", "dan"])
      try context.save()
      #expect(try dictionaries(context, request(["name"])).count == 5)
    }
  }
}
