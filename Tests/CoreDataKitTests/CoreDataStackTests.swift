import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// The persistent store behind publishers: fetches on the main queue's context, updates on a background one.
@Suite struct CoreDataStackTests {
  private let model = ModelSketch.model([
    ModelSketch.entity(
      "Item",
      [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("rank", .integer64AttributeType)])
  ])

  private func stack(_ url: URL, isReadOnly: Bool = false) -> CoreDataStack {
    CoreDataStack(
      configuration: CoreDataConfiguration(databaseURL: url, managedObjectModel: model, isReadOnly: isReadOnly))
  }

  private func answer<Output>(_ publisher: AnyPublisher<Output, any Error>) throws -> Output {
    let probe = PublisherProbe(publisher)
    try #require(probe.wait())
    #expect(probe.completions == 1)
    #expect(probe.onMain.allSatisfy { $0 })
    if let error = probe.errors.first { throw error }
    return try #require(probe.values.first)
  }

  private func insert(_ names: [String], _ stack: CoreDataStack) throws -> Int {
    try answer(
      stack.update { context in
        for name in names {
          NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(name, forKey: "name")
        }
        return names.count
      })
  }

  @Test func `what an update inserts is saved, counted and fetched, and every answer comes on the main queue`() throws {
    let folder = try TemporaryDirectory()
    let stack = stack(folder.url.appending(path: "New.sqlite"))
    #expect(try insert(["a", "b", "c"], stack) == 3)
    #expect(try answer(stack.count(NSFetchRequest<NSManagedObject>(entityName: "Item"))) == 3)
    let names = try answer(
      stack.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) { object -> String? in
        let name = object.value(forKey: "name") as? String
        return name == "b" ? nil : name
      })
    #expect(names == ["a", "c"])
  }

  @Test func `an update that throws leaves the store and the next update alone`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "New.sqlite")
    let stack = stack(url)
    #expect(try insert(["a"], stack) == 1)
    let failing: AnyPublisher<Int, any Error> = stack.update { context in
      NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue("lost", forKey: "name")
      throw CocoaError(.featureUnsupported)
    }
    #expect { try answer(failing) } throws: { ($0 as? CocoaError)?.code == .featureUnsupported }
    #expect(try insert(["b"], stack) == 1)
    let names = try answer(
      stack.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) { $0.value(forKey: "name") as? String })
    #expect(names == ["a", "b"])
  }

  @Test func `a store that is only read takes no update and changes nothing`() throws {
    let file = try TemporaryStore(model: model)
    let before = try file.fingerprint()
    let stack = stack(file.url, isReadOnly: true)
    #expect(throws: NSError.self) { try insert(["a"], stack) }
    #expect(try answer(stack.count(NSFetchRequest<NSManagedObject>(entityName: "Item"))) == 0)
    #expect(try file.fingerprint() == before)
  }

  @Test func `the file is made when somebody subscribes, not before`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "New.sqlite")
    let stack = stack(url)
    let count = stack.count(NSFetchRequest<NSManagedObject>(entityName: "Item"))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try answer(count) == 0)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `a store of another model fails each time it is asked`() throws {
    let other = ModelSketch.model([ModelSketch.entity("Item", [ModelSketch.attribute("name", .dateAttributeType)])])
    let file = try TemporaryStore(model: other)
    let stack = stack(file.url, isReadOnly: true)
    for _ in 0..<2 {
      #expect { try answer(stack.count(NSFetchRequest<NSManagedObject>(entityName: "Item"))) } throws: {
        ($0 as NSError).code == NSPersistentStoreIncompatibleVersionHashError
      }
    }
  }
}
