import Foundation
import TestSupport
import Testing

@testable import CoreData

/// XML stores: read as they are written, with a model or without (reference/FORMAT.md, "XML store"; ODDITIES 21).
@Suite struct XMLStoreTests {
  static let text = """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
      <databaseInfo>
        <version>134481920</version>
        <UUID>6C15C603-7E14-4ECE-9A82-DD0417893203</UUID>
        <nextObjectID>159</nextObjectID>
        <metadata><plist version="1.0"><dict><key>note</key><string>a &lt; b</string></dict></plist></metadata>
      </databaseInfo>
      <object type="CHEF" id="z102">
        <attribute name="firstname" type="string">Grandma &amp; co</attribute>
        <attribute name="born" type="date">-63114076800.25000000000000000000</attribute>
        <attribute name="portrait" type="binary">AQI
        D</attribute>
        <relationship name="recipes" type="0/0" destination="RECIPE" idrefs="z104 z103"></relationship>
      </object>
      <object type="RECIPE" id="z103">
        <attribute name="cookingtime" type="int16">45</attribute>
        <attribute name="isvegan" type="bool">1</attribute>
        <attribute name="rating" type="double">4.1</attribute>
        <relationship name="chef" type="1/1" destination="CHEF" idrefs="z102"></relationship>
        <relationship name="tags" type="0/0" destination="TAG" idrefs="z105 z106"></relationship>
      </object>
      <object type="RECIPE" id="z104">
        <attribute name="cookingtime" type="int16">about an hour</attribute>
        <relationship name="chef" type="1/1" destination="CHEF" idrefs="z102"></relationship>
        <relationship name="tags" type="0/0" destination="TAG" idrefs="z105"></relationship>
      </object>
      <object type="TAG" id="z105"></object>
      <object type="TAG" id="z106"></object>
    </database>
    """

  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.url.appending(path: "Recipes.xml")
    try Data(Self.text.utf8).write(to: url)
  }

  private func opened<Result>(
    _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSXMLStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  private func object(_ uri: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let url = try #require(URL(string: "x-coredata://6C15C603-7E14-4ECE-9A82-DD0417893203/" + uri))
    let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
    return try context.existingObject(with: id)
  }

  @Test func `without a model everything has the names that are written`() throws {
    let model = try StoreModel(forStoreAt: url)
    #expect(model.source == .inferred)
    #expect(model.model.entities.compactMap(\.name).sorted() == ["CHEF", "RECIPE", "TAG"])
    try opened(model.model) { context in
      let chef = try object("CHEF/p102", in: context)
      #expect(chef.value(forKey: "firstname") as? String == "Grandma & co")
      #expect(chef.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: -63_114_076_800.25))
      #expect(chef.value(forKey: "portrait") as? Data == Data([1, 2, 3]))
      let recipe = try object("RECIPE/p103", in: context)
      #expect(recipe.value(forKey: "cookingtime") as? NSNumber == 45)
      #expect(recipe.value(forKey: "isvegan") as? NSNumber == 1)
      #expect(recipe.value(forKey: "rating") as? Double == 4.1)
      #expect(recipe.value(forKey: "chef") as? NSManagedObject === chef)
      #expect((chef.value(forKey: "recipes") as? NSSet)?.count == 2)
      // Tags say nothing of recipes: the way back is ours.
      #expect((recipe.value(forKey: "tags") as? NSSet)?.count == 2)
      let tag = try object("TAG/p105", in: context)
      #expect((tag.value(forKey: "tagsOf") as? NSSet)?.count == 2)
    }
  }

  private func recipes(ordered: Bool = true) -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let chef = Sketch.entity(
      "Chef",
      [
        Sketch.attribute("firstName", .stringAttributeType), Sketch.attribute("born", .dateAttributeType),
        Sketch.attribute("portrait", .binaryDataAttributeType, external: true),
      ])
    let recipe = Sketch.entity(
      "Recipe",
      [
        Sketch.attribute("cookingTime", .integer16AttributeType), Sketch.attribute("isVegan", .booleanAttributeType),
      ])
    let tag = Sketch.entity("Tag")
    Sketch.relate(chef, "recipes", ordered ? .ordered : .many, to: recipe, inverse: "chef")
    Sketch.relate(recipe, "tags", .many, to: tag, inverse: "recipes", .many)
    return Sketch.model([chef, recipe, tag])
  }

  @Test func `a model gives the names their letters, and an ordered relationship keeps its order`() throws {
    try opened(recipes()) { context in
      let chef = try object("Chef/p102", in: context)
      #expect(chef.value(forKey: "firstName") as? String == "Grandma & co")
      #expect(chef.value(forKey: "portrait") as? Data == Data([1, 2, 3]))
      let order = (chef.value(forKey: "recipes") as? NSOrderedSet)?.array as? [NSManagedObject]
      #expect(order?.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p104", "p103"])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Recipe")) == 2)
      // There is no number in it; the text is kept and told.
      #expect(try object("Recipe/p104", in: context).value(forKey: "cookingTime") == nil)
    }
  }

  @Test func `what does not fit is told`() throws {
    let remarks = try opened(recipes()) { try $0.listStoreSummary().remarks }
    #expect(
      remarks == [
        "the model has no attribute “rating” of Recipe, which the store holds",
        "Recipe.cookingTime holds texts that are no values of its type",
      ])
  }

  @Test func `metadata and type are the document's`() throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: url)
    #expect(metadata["note"] as? String == "a < b")
    #expect(metadata[NSStoreUUIDKey] as? String == "6C15C603-7E14-4ECE-9A82-DD0417893203")
    let type = try opened(recipes()) { $0.persistentStoreCoordinator?.persistentStores.first?.metadata[NSStoreTypeKey] }
    #expect(type as? String == NSXMLStoreType)
  }

  @Test func `nothing is left behind, and the file is as it was`() throws {
    let before = try Data(contentsOf: url)
    #expect(try opened(recipes()) { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) } == 2)
    #expect(try Data(contentsOf: url) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Recipes.xml"])
  }

  @Test func `an XML store cannot be opened for writing, and a model without its entities is refused`() throws {
    let writing = #expect(throws: (any Error).self) {
      try NSPersistentStoreCoordinator(managedObjectModel: recipes()).addPersistentStore(
        ofType: NSXMLStoreType, at: url)
    }
    #expect(String(describing: writing).contains("an XML store can only be read here"))
    let foreign = ModelSketch.model([ModelSketch.entity("Chef"), ModelSketch.entity("Recipe")])
    let refused = #expect(throws: (any Error).self) { try opened(foreign) { _ in } }
    #expect(String(describing: refused).contains("no entity for the store's objects of type TAG"))
  }

  @Test(arguments: [
    ("<database><object type='A' id='z1'/><object type='A' id='z1'/></database>", "the id z1 stands twice"),
    ("<database><object type='A'/></database>", "no type or no id"),
    ("<database><object type='A' id='9'/></database>", "no type or no id"),
    ("<database><object type='A' id='z1'>", "cut short"), ("<other/>", "no “database”"),
    ("<database><object type='A' id='z1'><relationship name='b' idrefs='z1 x'/></object></database>", "“x” is no id"),
  ])
  func `a damaged document is one error that says what and where`(_ text: String, _ words: String) {
    let error = #expect(throws: ArchiveError.self) { _ = try XMLStoreDocument(Data(text.utf8)) }
    #expect(String(describing: error).contains(words), "\(String(describing: error))")
  }

  @Test func `damaged copies are read or refused, never more`() throws {
    var hostile = HostileBytes(seed: 21)
    var counts = (read: 0, refused: 0)
    for _ in 0..<(LongRun.isOn ? 20_000 : 2_000) {
      let bytes = hostile.damaged(Array(Self.text.utf8))
      do {
        let document = try XMLStoreDocument(Data(bytes))
        let model = XMLStoreModel.model(of: document)
        var conversion = try XMLStoreConversion(document, model: model, path: "")
        if counts.read % 20 == 0 { _ = try conversion.convert(model: model, name: "Hostile") }
        counts.read += 1
      } catch {
        #expect(error is ArchiveError || (error as NSError).domain == NSCocoaErrorDomain, "\(error)")
        counts.refused += 1
      }
    }
    print("damaged XML stores: \(counts.read) read, \(counts.refused) refused")
    #expect(counts.read > 20 && counts.refused > 20)
  }
}
