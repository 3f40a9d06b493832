import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct Xcode3ModelReaderTests {
  private func shop() throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    try ModelFile.read(Data(Xcode3Sketch.shop().bytes()), into: model)
    return model
  }

  @Test func `entities with parents, classes, indexes, user info and configurations`() throws {
    let model = try shop()
    #expect(Set(model.entitiesByName.keys) == ["Thing", "Article", "Order"])
    #expect(model.versionIdentifiers == ["old"])
    let article = try #require(model.entitiesByName["Article"])
    #expect(article.superentity?.name == "Thing")
    #expect(article.superentity?.isAbstract == true)
    #expect(article.superentity?.versionHashModifier == "2")
    #expect(article.managedObjectClassName == "ArticleObject")
    #expect(model.entitiesByName["Order"]?.managedObjectClassName == "NSManagedObject")
    #expect(article.renamingIdentifier == "Ware")
    #expect(article.compoundIndexes as? [[String]] == [["name", "price"]])
    // Only texts have a place in the models of later versions.
    #expect(article.userInfo as? [String: String] == ["plain": "text", "nested": "{\"a\":[\"x\",\"y\"]}"])
    #expect(model.entities(forConfigurationName: "Wares")?.map(\.name) == ["Article"])
  }

  @Test func `attributes with defaults and validation`() throws {
    let model = try shop()
    let article = try #require(model.entitiesByName["Article"])
    let name = try #require(article.attributesByName["name"])
    #expect(name.attributeType == .stringAttributeType && !name.isOptional && name.isIndexed)
    #expect(name.defaultValue as? String == "new")
    #expect(name.validationConditions.map(\.canonicalFormat) == ["length >= 1", "SELF MATCHES \"[a-z]+\""])
    let price = try #require(article.attributesByName["price"])
    #expect(price.defaultValue as? NSNumber == 1.5)
    #expect(price.validationConditions.map(\.canonicalFormat) == ["SELF <= 100"])
    let picture = try #require(article.attributesByName["picture"])
    #expect(picture.valueTransformerName == "PictureTransformer" && picture.renamingIdentifier == "photo")
    let drawn = try #require(article.attributesByName["drawn"])
    #expect(drawn.isTransient && drawn.attributeType == .undefinedAttributeType)
  }

  @Test func `relationships, fetched properties and fetch requests`() throws {
    let model = try shop()
    let articles = try #require(model.entitiesByName["Order"]?.relationshipsByName["articles"])
    let order = try #require(model.entitiesByName["Article"]?.relationshipsByName["order"])
    #expect(articles.isToMany && articles.isOrdered && articles.deleteRule == .cascadeDeleteRule)
    #expect(articles.maxCount == 0 && articles.inverseRelationship === order)
    #expect(order.maxCount == 1 && order.minCount == 1 && order.deleteRule == .nullifyDeleteRule)
    #expect(order.inverseRelationship === articles)
    let cheap = model.entitiesByName["Order"]?.propertiesByName["cheap"] as? NSFetchedPropertyDescription
    #expect(cheap?.template?.entityName == "Article")
    #expect(cheap?.template?.predicate?.format == "price < 1")
    #expect(model.fetchRequestTemplates["byName"]?.predicate?.format == "name == $NAME")
    #expect(model.fetchRequestTemplates["all"]?.entityName == "Article")
  }

  @Test func `for each store that a model of Xcode 3 made, one of the files has its hashes`() throws {
    var compared = 0
    for store in try ModelCorpus.stores() {
      let files = store.exactModels.filter { $0.hasSuffix("/elements") }
      guard !files.isEmpty, let metadata = store.metadata else { continue }
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      let models = try files.map { try NSManagedObjectModel(readingFrom: try ModelCorpus.url($0)) }
      #expect(models.contains { $0.entityVersionHashesByName == hashes }, "\(store.path)")
      compared += 1
    }
    print("stores compared with models of Xcode 3: \(compared)")
    #expect(compared == (ModelCorpus.folder == nil ? 0 : 4))
  }

  @Test func `an archive that names one part without end is refused`() throws {
    var archive = KeyedArchiveWriter()
    let package = archive.reserve()
    let mutable = KeyedArchiveWriter.Class.mutableArray
    let packages = archive.collection(class: mutable, [package, package, package])
    archive.fill(
      package, class: ["XDModelPackage", "NSObject"],
      [PropertyListValue.Entry("XDBucketForPackagesstorage", packages.value)])
    let root = archive.object(
      class: ["XDPMModel", "NSObject"], [PropertyListValue.Entry("_xd_rootPackage", package.value)])
    let bytes = archive.bytes(root: root)
    #expect(throws: ArchiveError.self) { try ModelFile.read(Data(bytes), into: NSManagedObjectModel()) }
  }
}
