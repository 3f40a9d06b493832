import Foundation
import Testing

@testable import CoreData

@Suite struct ModelSharingTests {
  @Test func `a model that many threads put to use at once is frozen once and reads alike`() async throws {
    let model = SampleModels.library()
    let expected = model.versionChecksum
    let checksums = await withTaskGroup(of: String.self) { group in
      for _ in 0..<16 {
        group.addTask {
          model.freeze()
          for entity in model.entities {
            for property in entity.layout.properties { _ = entity.propertiesByName[property.name]?.entity }
          }
          return model.versionChecksum
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(checksums == [expected])
  }

  @Test func `merging keeps one of equal twins and leads relationships to it`() throws {
    let merged = try #require(NSManagedObjectModel(byMerging: [SampleModels.library(), SampleModels.library()]))
    #expect(merged == SampleModels.library())
    for entity in merged.entities {
      #expect(entity.managedObjectModel === merged)
      for relationship in entity.relationshipsByName.values {
        #expect(relationship.destinationEntity?.managedObjectModel === merged)
      }
    }
  }

  @Test func `a store's metadata tells which model it was made with`() throws {
    let model = SampleModels.library()
    var hashes = model.entityVersionHashesByName
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": hashes]))
    let people = hashes.filter { $0.key == "Author" }
    #expect(
      model.isConfiguration(withName: "People", compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": people]))
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: ["NSStoreModelVersionHashes": hashes]) == model)
    hashes["Book"] = Data()
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": hashes]))
    #expect(model.entityNamesDiffering(from: hashes) == ["Book"])
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: ["NSStoreModelVersionHashes": hashes]) == nil)
  }
}
