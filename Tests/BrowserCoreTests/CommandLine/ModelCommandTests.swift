import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// CLI.md, `model` and `create`.
@Suite struct ModelCommandTests {
  private func json(_ words: String...) throws -> [String: Any] {
    let run = CommandRun(["model"] + words + ["--format", "json"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func `the model of a store in JSON has the keys of the contract`() throws {
    let store = try LibraryStore()
    let found = try json(store.path)
    #expect(Set(found.keys) == ["source", "versionIdentifiers", "checksum", "entities"])
    #expect(found["source"] as? String == "cached in store")
    #expect(found["checksum"] as? String == LibraryStore.model().versionChecksum)
    let entities = try #require(found["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel", "Tag"])
    let contract: Set = [
      "name", "parent", "abstract", "className", "versionHash", "attributes", "relationships", "fetchedProperties",
      "uniquenessConstraints", "indexes", "userInfo",
    ]
    for entity in entities { #expect(contract.subtracting(entity.keys).isEmpty) }
    let hashes = LibraryStore.model().entityVersionHashesByName
    #expect(entities[1]["versionHash"] as? String == hashes["Book"]?.base64EncodedString())
    #expect(entities[2]["parent"] as? String == "Book")
    #expect(entities[0]["parent"] is NSNull)
    let attributes = try #require(entities[1]["attributes"] as? [[String: Any]])
    // Each entity lists its own, by name in bytewise order.
    #expect(
      attributes.map { $0["name"] as? String } == [
        "added", "code", "cover", "done", "pages", "price", "rating", "score", "site", "title",
      ])
    #expect(attributes[4]["type"] as? String == "Integer 64")
    let relationships = try #require(entities[0]["relationships"] as? [[String: Any]])
    let books = try #require(relationships.first)
    #expect(books["destination"] as? String == "Book" && books["inverse"] as? String == "author")
    #expect(books["toMany"] as? Bool == true && books["ordered"] as? Bool == true)
    #expect(books["deleteRule"] as? String == "Nullify")
  }

  @Test func `all that the descriptions hold is in the JSON`() throws {
    let item = ModelSketch.entity("Item")
    let name = ModelSketch.attribute("name", .stringAttributeType, default: "a\"b")
    name.isOptional = false
    name.setValidationPredicates(
      [NSPredicate(format: "length > 0", argumentArray: [])], withValidationWarnings: ["short"])
    name.renamingIdentifier = "title"
    name.versionHashModifier = "2"
    name.userInfo = ["k": "v"]
    let derived = NSDerivedAttributeDescription()
    derived.name = "lower"
    derived.attributeType = .stringAttributeType
    derived.derivationExpression = NSExpression(format: "canonical:(name)")
    item.properties = [
      name, derived,
      ModelSketch.attribute("when", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 0)),
    ]
    item.uniquenessConstraints = [["name"]]
    item.userInfo = ["a": "b"]
    let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
    element.isAscending = false
    item.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "Model.mom")
    try ModelWriter.writeCompiled(ModelSketch.model([item]), to: file)

    let found = try json(file.path)
    #expect(found["source"] as? String == "Model.mom")
    let entity = try #require((found["entities"] as? [[String: Any]])?.first)
    #expect(entity["uniquenessConstraints"] as? [[String]] == [["name"]])
    #expect(entity["userInfo"] as? [String: String] == ["a": "b"])
    let index = try #require((entity["indexes"] as? [[String: Any]])?.first)
    #expect(index["name"] as? String == "byName")
    let part = try #require((index["elements"] as? [[String: Any]])?.first)
    #expect(part["property"] as? String == "name" && part["ascending"] as? Bool == false)
    let attributes = try #require(entity["attributes"] as? [[String: Any]])
    #expect(attributes.map { $0["name"] as? String } == ["lower", "name", "when"])
    #expect(attributes[0]["derivationExpression"] as? String == "canonical:(name)")
    #expect(attributes[0]["readOnly"] as? Bool == true)
    #expect(attributes[1]["defaultValue"] as? String == "a\"b")
    #expect(attributes[1]["optional"] as? Bool == false)
    #expect(attributes[1]["validationPredicates"] as? [String] == ["length > 0"])
    #expect(attributes[1]["validationWarnings"] as? [String] == ["short"])
    #expect(attributes[1]["renamingIdentifier"] as? String == "title")
    #expect(attributes[1]["versionHashModifier"] as? String == "2")
    #expect(attributes[1]["versionHash"] as? String == name.versionHash.base64EncodedString())
    #expect(attributes[1]["userInfo"] as? [String: String] == ["k": "v"])
    #expect(attributes[2]["defaultValue"] as? String == "2001-01-01T00:00:00Z")
  }

  @Test func `the model as text`() throws {
    let store = try LibraryStore()
    let run = CommandRun("model", store.path)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.output == """
        model: cached in store
        checksum: \(LibraryStore.model().versionChecksum)

        Author
          name   String
          books  ↠ Book  ordered, inverse author, delete: Nullify

        Book
          added   Date
          code    UUID
          cover   Binary Data
          done    Boolean
          pages   Integer 64
          price   Decimal
          rating  Float
          score   Double
          site    URI
          title   String
          author  → Author     inverse books, delete: Nullify
          tags    ↠ Tag        to-many, inverse books, delete: Nullify

        Novel: Book
          genre  String

        Tag
          name   String
          books  ↠ Book  to-many, inverse tags, delete: Nullify

        """)
  }

  @Test func `the model as XML is a model again, and as a graph has every entity and each pair of relationships once`()
    throws
  {
    let store = try LibraryStore()
    let xml = CommandRun("model", store.path, "--format", "xcdatamodel")
    #expect(xml.status == 0 && xml.errors.isEmpty)
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "contents")
    try Data(xml.output.utf8).write(to: file)
    #expect(try NSManagedObjectModel(readingFrom: file) == LibraryStore.model())
    #expect(
      CommandRun("model", file.path, "--format", "dot").output == """
        digraph model {
          rankdir=LR;
          node [shape=record];
          "Author" [label="{Author|name: String\\l}"];
          "Book" [label="{Book|added: Date\\lcode: UUID\\lcover: Binary Data\\ldone: Boolean\\lpages: Integer 64\\l\
        price: Decimal\\lrating: Float\\lscore: Double\\lsite: URI\\ltitle: String\\l}"];
          "Novel" [label="{Novel|genre: String\\l}"];
          "Tag" [label="{Tag|name: String\\l}"];
          "Author" -> "Book" [label="books / author", dir=both, arrowhead=crow, arrowtail=normal];
          "Book" -> "Tag" [label="tags / books", dir=both, arrowhead=crow, arrowtail=crow];
          "Novel" -> "Book" [arrowhead=empty];
        }

        """)
  }

  @Test func `what an xcdatamodel has no place for is told beside it`() throws {
    let item = ModelSketch.entity("Item", [ModelSketch.attribute("name", .stringAttributeType)])
    item.attributesByName["name"]?
      .setValidationPredicates([NSPredicate(format: "SELF != 'x'", argumentArray: [])], withValidationWarnings: ["no"])
    let store = try TemporaryStore(model: ModelSketch.model([item]))
    let run = CommandRun("model", store.url.path, "--format", "xcdatamodel")
    #expect(run.status == 0)
    #expect(run.errors.contains("no place for this: Item.name validation: SELF != \"x\" and absent"))
  }

  @Test func `a store without a model shows what its tables tell`() throws {
    let store = try LibraryStore()
    try store.file.write("DELETE FROM Z_MODELCACHE")
    let found = try json(store.path)
    #expect(found["source"] as? String == "inferred")
    #expect(found["checksum"] is NSNull)
    let entities = try #require(found["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel", "Tag"])
    #expect(entities.allSatisfy { $0["versionHash"] is NSNull })
    #expect(CommandRun("count", store.path, "Book").output == "3\n")
    let refusal = CommandRun("set", store.path, "x-coredata://STORE/Author/p1", "name=Bea")
    #expect(refusal.status == 65 && refusal.errors.contains("--model"), "\(refusal.errors)")
    #expect(try store.file.rows("SELECT ZNAME FROM ZAUTHOR WHERE Z_PK = 1") == ["Ann"])
  }

  @Test func `a wrong model is refused with what differs`() throws {
    let store = try LibraryStore()
    let model = LibraryStore.model()
    model.entitiesByName["Tag"]?.attributesByName["name"]?.isOptional = false
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "Other.mom")
    try ModelWriter.writeCompiled(model, to: file)
    let run = CommandRun("model", store.path, "--model", file.path)
    #expect(run.status == 65 && run.output.isEmpty)
    #expect(run.errors.contains("these entities differ: Tag (name optional: no in the model, yes in the store)"))
    #expect(CommandRun("model", file.path, "--model", file.path).status == 64)
    #expect(CommandRun("model", folder.url.path + "/none.mom").status == 66)
    #expect(CommandRun("model", store.path, "--format", "xml").status == 64)
  }

  @Test func `create makes a store that carries the model, its hashes, checksum and digest`() throws {
    let folder = try TemporaryDirectory()
    let model = folder.url.appending(path: "Library.mom")
    try ModelWriter.writeCompiled(LibraryStore.model(), to: model)
    let place = folder.url.appending(path: "New.sqlite")
    let run = CommandRun("create", place.path, "--model", model.path)
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: place)
    let expected = LibraryStore.model()
    #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == expected.entityVersionHashesByName)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == expected.versionChecksum)
    #expect(metadata["NSStoreModelVersionHashesDigest"] is String)
    #expect(CommandRun("count", place.path, "Book").output == "0\n")
    #expect(try json(place.path)["checksum"] as? String == expected.versionChecksum)
    // Nothing is replaced.
    let before = try Data(contentsOf: place)
    #expect(CommandRun("create", place.path, "--model", model.path).status == 1)
    #expect(try Data(contentsOf: place) == before)
  }

  @Test func `create refuses what it cannot make`() throws {
    let folder = try TemporaryDirectory()
    let place = folder.url.appending(path: "New.sqlite").path
    #expect(CommandRun("create", place).status == 64)
    #expect(CommandRun("create", place, "--model", place).status == 66)
    let empty = folder.url.appending(path: "Empty.mom")
    try ModelWriter.writeCompiled(NSManagedObjectModel(), to: empty)
    #expect(CommandRun("create", place, "--model", empty.path).status == 65)
    let item = ModelSketch.entity("Item")
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    item.properties = [composite]
    let composed = folder.url.appending(path: "Composed.mom")
    try ModelWriter.writeCompiled(ModelSketch.model([item]), to: composed)
    let run = CommandRun("create", place, "--model", composed.path)
    #expect(run.status == 65 && run.errors.contains("Item.place is a composite"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test func `the models of all stores and files are shown in every format`() throws {
    guard let corpus = Corpus.found else { return }
    var shown = 0
    for store in corpus.stores {
      for format in ModelCommand.Format.allCases {
        let run = CommandRun("model", store.url.path, "--format", format.rawValue)
        #expect(run.status == 0 && !run.output.isEmpty, "\(store.path) \(run.errors)")
        shown += 1
      }
    }
    print("models of stores shown: \(shown)")
    #expect(shown == 4 * Corpus.storeCount)
  }
}
