import Foundation
import Testing

@testable import CoreData

@Suite struct ManagedObjectModelTests {
  @Test func `the XML of a model and the model in code differ only in what XML cannot say`() throws {
    let read = NSManagedObjectModel()
    try ModelXMLReader(Data(SampleModels.xml.utf8)).read(into: read)
    let differences = SampleModels.library().differences(from: read)
    // A validation by free predicate has no place in XML; the compiler's mark for a single index has none in code.
    #expect(
      differences.map { "\($0.place) \($0.fact)" } == [
        "Author.name indexed", "Publication.title validation", "Publication.title warnings",
      ])
    #expect(read.versionChecksum == SampleModels.library().versionChecksum)
  }

  @Test func `the worked example of a version hash`() throws {
    let entity = NSEntityDescription()
    entity.name = "User"
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    name.isOptional = false
    let petName = NSAttributeDescription()
    petName.name = "petName"
    petName.attributeType = .stringAttributeType
    entity.properties = [petName, name]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    func start(_ data: Data, _ count: Int) -> String { data.prefix(count).map { String(format: "%02x", $0) }.joined() }
    #expect(start(name.versionHash, 8) == "8cb9965c0031ac68")
    #expect(start(petName.versionHash, 4) == "3600ceed")
    #expect(start(entity.versionHash, 6) == "6b31f4e97b69")
    #expect(model.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
  }

  @Test func `an archive of either layout is the same model`() throws {
    let model = SampleModels.library()
    for layout in [ModelArchiveWriter.Layout.cache, .compiled] {
      var reader = try ModelArchiveReader(try ModelArchiveWriter.bytes(model, layout: layout))
      let read = NSManagedObjectModel()
      try reader.read(into: read)
      #expect(read.differences(from: model).isEmpty)
      #expect(read == model)
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  @Test func `a change of default keeps the hash and a change of optionality does not`() throws {
    let model = SampleModels.library()
    let before = model.entityVersionHashesByName
    let price = try #require(model.entitiesByName["Book"]?.attributesByName["price"])
    price.defaultValue = nil
    #expect(model.entityVersionHashesByName == before)
    price.isOptional = false
    let after = model.entityVersionHashesByName
    #expect(after["Book"] != before["Book"])
    #expect(after["Author"] == before["Author"])
  }

  @Test func `a copy is equal, editable and independent`() throws {
    let model = SampleModels.library()
    model.freeze()
    #expect(!model.isEditable)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.isEditable)
    #expect(copy == model)
    let book = try #require(copy.entitiesByName["Book"])
    #expect(book.relationshipsByName["authors"]?.destinationEntity === copy.entitiesByName["Author"])
    #expect(book.relationshipsByName["authors"]?.inverseRelationship?.entity === copy.entitiesByName["Author"])
    #expect(copy.entities(forConfigurationName: "People")?.first === copy.entitiesByName["Author"])
    book.name = "Volume"
    #expect(copy != model)
    #expect(model.entitiesByName["Book"] != nil)
  }

  @Test func `slots are ordered by kind and name and include what is inherited`() throws {
    let model = SampleModels.library()
    model.freeze()
    let layout = try #require(model.entitiesByName["Book"]?.layout)
    #expect(
      layout.properties.map(\.name) == ["added", "canonicalTitle", "cover", "price", "title", "authors", "shelfMark"])
    #expect(layout.stored == 0..<5)
    #expect(layout.toMany == 5..<6)
    #expect(layout.transient == 6..<7)
    #expect(layout.slot(named: "price") == 3)
    #expect(layout.slot(named: "pages") == nil)
    #expect(layout.storedAttributes.map(\.name) == ["added", "canonicalTitle", "cover", "price", "title"])
  }

  @Test func `an inherited property belongs to the entity that declares it`() throws {
    let model = SampleModels.library()
    let book = try #require(model.entitiesByName["Book"])
    let publication = try #require(model.entitiesByName["Publication"])
    #expect(book.attributesByName["title"]?.entity === publication)
    #expect(book.superentity === publication)
    #expect(book.isKindOf(entity: publication))
    #expect(!publication.isKindOf(entity: book))
    #expect(book.rootEntity === publication)
    book.properties = Array(book.properties.dropLast())
    #expect(book.declaredProperties.count == 4)
  }

  @Test func `validation predicates are parsed and paired with their warnings`() throws {
    let model = SampleModels.library()
    let title = try #require(model.entitiesByName["Publication"]?.attributesByName["title"])
    model.freeze()
    #expect(title.validations.map(\.warning) == [.message("too long")])
    #expect(title.validationPredicates.count == 1)
  }

  @Test func `what is not settled about hashes is named`() throws {
    let model = SampleModels.library()
    #expect(model.versionHashDoubts.isEmpty)
    let book = try #require(model.entitiesByName["Book"])
    book.uniquenessConstraints = [["price"], ["cover"]]
    book.attributesByName["cover"]?.preservesValueInHistoryOnDeletion = true
    #expect(model.versionHashDoubts.map(\.property) == ["cover", nil])
  }

  @Test func `changing a model in use stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let model = SampleModels.library()
      model.freeze()
      model.entities[0].name = "Other"
    }
    await #expect(processExitsWith: .failure) {
      let model = SampleModels.library()
      model.freeze()
      model.entities[0].properties[0].isOptional = true
    }
    await #expect(processExitsWith: .failure) {
      let model = SampleModels.library()
      model.freeze()
      model.entities = []
    }
  }

  @Test func `a place without a model gives nil, or an error that names it`() throws {
    let missing = URL(fileURLWithPath: "/nowhere/Model.momd")
    #expect(NSManagedObjectModel(contentsOf: missing) == nil)
    #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: missing) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mom")
    try Data("nonsense".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: file) }
    #expect(error?.code == .fileReadCorruptFile)
    #expect((error as NSError?)?.localizedDescription.contains(file.lastPathComponent) == true)
  }
}
