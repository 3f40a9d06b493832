import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What may be asked of a fault, what keys are, and which entity a class has (reference/CONTEXT.md 2, 14, 15).
@Suite struct FaultSafetyTests {
  private func office() throws -> Office {
    try Office { $0.new("Person", "ann", ["department": $0.new("Department", "red")]) }
  }

  @Test func `CONTEXT 2: identity, class, id and flags of a fault are known without its values`() throws {
    let office = try office()
    try office.work { context in
      let ann = try #require(try context.all("Person").first)
      let again = context.object(with: ann.objectID)
      #expect(ann.isFault && ann == again && ann.hash == again.hash && type(of: ann) == OfficePerson.self)
      #expect(ann.description.contains("Person") && ann.entity.name == "Person")
      #expect(ann.managedObjectContext === context && ann.faultingState == 0)
      #expect(!ann.isInserted && !ann.isUpdated && !ann.isDeleted && !ann.hasChanges && !ann.hasPersistentChangedValues)
      #expect(ann.changedValues().isEmpty)
      #expect(ann.isFault)
      ann.willAccessValue(forKey: nil)
      #expect(!ann.isFault)
    }
  }

  @Test func `CONTEXT 14: a key that the entity does not have stops the program, for reading and for setting`()
    async throws
  {
    await #expect(processExitsWith: .failure) {
      try Office().work { _ = $0.new("Person").value(forKey: "nobody") }
    }
    await #expect(processExitsWith: .failure) {
      try Office().work { $0.new("Person").setValue(1, forKey: "nobody") }
    }
    // A class answers keys of its own by overriding, before the entity's properties are looked at.
    let own = ShoutingPerson(entity: try #require(try office().model.entitiesByName["Person"]), insertInto: nil)
    own.setValue("ann", forKey: "name")
    #expect(own.value(forKey: "name") as? String == "ANN" && own.primitiveValue(forKey: "name") as? String == "ann")
    #expect(own.value(forKey: "loudness") as? Int == 11)
  }

  private final class ShoutingPerson: NSManagedObject {
    override func value(forKey key: String) -> Any? {
      switch key {
      case "loudness": 11
      case "name": (super.value(forKey: key) as? String)?.uppercased()
      default: super.value(forKey: key)
      }
    }
  }

  @Test func `CONTEXT 15: a class means the entity of the context's own model, also where two models are loaded`()
    async throws
  {
    let (one, two) = (try office(), try office())
    for office in [one, two] {
      try office.work { (context: NSManagedObjectContext) throws -> Void in
        let eve = OfficePerson(context: context)
        #expect(eve.entity === office.model.entitiesByName["Person"] && eve.isInserted)
        let request: NSFetchRequest<any NSFetchRequestResult> = OfficePerson.fetchRequest()
        #expect(try context.count(for: request) == 2)
        #expect(try context.fetch(request).allSatisfy { $0 is OfficePerson })
      }
    }
    #expect(OfficePerson.entity().name == "Person")
    await #expect(processExitsWith: .failure) { _ = NobodysPerson.entity() }
    await #expect(processExitsWith: .failure) { try Office().work { _ = NobodysPerson(context: $0) } }
  }

  private final class NobodysPerson: NSManagedObject {}
}
