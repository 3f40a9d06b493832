import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ModelInferenceTests {
  /// A store of a model, without its cache.
  private func store(
    _ model: NSManagedObjectModel, filling fill: (NSManagedObjectContext) throws -> Void = { _ in }
  ) throws -> TemporaryStore {
    let store = try TemporaryStore(model: model, filling: fill)
    try store.write("DELETE FROM Z_MODELCACHE")
    return store
  }

  private func infer(_ store: TemporaryStore) throws -> (model: NSManagedObjectModel, remarks: [String]) {
    let inference = try ModelInference(reading: store.url)
    return (inference.model, inference.remarks)
  }

  /// How the tables of a store serve a model.
  private func map(_ model: NSManagedObjectModel, _ url: URL) throws -> StoreMap {
    let schema = try StoreContents.reading(url, timeout: nil) { try StoreSchema($0) }
    model.freeze()
    return StoreMap(model: model, numbers: try StoreContents(reading: url).entities, schema: schema)
  }

  @Test func `entities with their parents, and a property of the declared type for each column`() throws {
    let types: [(String, NSAttributeType, NSAttributeType)] = [
      ("short", .integer16AttributeType, .integer64AttributeType),
      ("flag", .booleanAttributeType, .integer64AttributeType),
      ("ratio", .floatAttributeType, .doubleAttributeType), ("price", .decimalAttributeType, .decimalAttributeType),
      ("longName", .stringAttributeType, .stringAttributeType), ("when", .dateAttributeType, .dateAttributeType),
      ("uuid", .UUIDAttributeType, .binaryDataAttributeType), ("link", .URIAttributeType, .stringAttributeType),
      ("blob", .binaryDataAttributeType, .binaryDataAttributeType),
      ("_hidden", .stringAttributeType, .stringAttributeType),
      ("thing", .transformableAttributeType, .binaryDataAttributeType),
    ]
    let child = ModelSketch.entity("Child", [ModelSketch.attribute("extra", .stringAttributeType)])
    let root = ModelSketch.entity("Root", types.map { ModelSketch.attribute($0.0, $0.1) }, children: [child])
    let store = try store(ModelSketch.model([root, child]))
    let (model, remarks) = try infer(store)
    #expect(remarks == [])
    #expect(model.entitiesByName["Child"]?.superentity?.name == "Root")
    let attributes = try #require(model.entitiesByName["Root"]).attributesByName
    for (name, _, type) in types { #expect(attributes[name.lowercased()]?.attributeType == type, "\(name)") }
    // Nothing tells which entity of a tree a column belongs to.
    #expect(attributes["extra"] != nil)
    #expect(attributes.count == types.count + 1)
    #expect(try map(model, store.url).remarks == [])
  }

  @Test func `relationships of every shape that the tables tell`() throws {
    let album = ModelSketch.entity("Album")
    let clip = ModelSketch.entity("Clip")
    let asset = ModelSketch.entity("Asset", [], children: [clip])
    let person = ModelSketch.entity("Person")
    // A companion column names the destination; the order column tells of the other end.
    ModelSketch.relate(person, "favourite", .one, to: asset, inverse: "fans", .ordered)
    // A key that is called like its destination.
    ModelSketch.relate(asset, "album", .one, to: album, inverse: "contents", .many)
    // Join tables: ordered at one end, within one entity, its own inverse.
    ModelSketch.relate(album, "covers", .ordered, to: person, inverse: "coverOf", .many)
    ModelSketch.relate(person, "following", .many, to: person, inverse: "followers", .many)
    ModelSketch.relate(person, "friends", .many, to: person, inverse: "friends", .many)
    // A key on the destination's table that nothing leads back from.
    ModelSketch.relate(album, "pages", .ordered, to: person)
    let store = try store(ModelSketch.model([album, asset, clip, person]))
    let (model, remarks) = try infer(store)
    #expect(remarks == [])
    func relationship(_ entity: String, _ name: String) throws -> NSRelationshipDescription {
      try #require(model.entitiesByName[entity]?.relationshipsByName[name], "\(entity).\(name)")
    }
    let favourite = try relationship("Person", "favourite")
    #expect(!favourite.isToMany && favourite.destinationEntity?.name == "Asset")
    #expect(favourite.inverseRelationship?.isOrdered == true && favourite.inverseRelationship?.isToMany == true)
    #expect(favourite.inverseRelationship?.name == "person_favourite")
    #expect(try relationship("Asset", "album").destinationEntity?.name == "Album")
    let covers = try relationship("Album", "covers")
    #expect(covers.isToMany && covers.isOrdered && covers.destinationEntity?.name == "Person")
    #expect(covers.inverseRelationship?.name == "coverof" && covers.inverseRelationship?.isOrdered == false)
    #expect(try relationship("Person", "following").inverseRelationship?.name == "followers")
    let friends = try relationship("Person", "friends")
    #expect(friends.inverseRelationship === friends)
    let pages = try relationship("Album", "pages")
    #expect(pages.isToMany && pages.isOrdered && pages.inverseRelationship == nil)
    #expect(pages.destinationEntity?.name == "Person")
    #expect(try map(model, store.url).remarks == [])
  }

  @Test func `a key that no name explains stays a number`() throws {
    let (person, place) = (ModelSketch.entity("Person"), ModelSketch.entity("Place"))
    ModelSketch.relate(person, "home", .one, to: place, inverse: "residents", .ordered)
    let store = try store(ModelSketch.model([person, place]))
    let model = try infer(store).model
    let properties = try #require(model.entitiesByName["Person"]).attributesByName
    #expect(Set(properties.keys) == ["home", "_fok_home"])
    #expect(properties.values.allSatisfy { $0.attributeType == .integer64AttributeType })
    #expect(try map(model, store.url).remarks == [])
  }

  @Test func `a key of a like name leads there when all its values do`() throws {
    let (person, home, office) = (
      ModelSketch.entity("Person"), ModelSketch.entity("Home"), ModelSketch.entity("HeadOffice")
    )
    ModelSketch.relate(person, "oldHome", .one, to: home, inverse: "leavers", .many)
    ModelSketch.relate(person, "office", .one, to: office, inverse: "people", .many)
    let store = try store(ModelSketch.model([person, home, office]))
    // Without values nothing is sure.
    #expect(try infer(store).model.entitiesByName["Person"]?.relationshipsByName.isEmpty == true)
    try store.write(
      """
      INSERT INTO ZHOME (Z_PK, Z_ENT, Z_OPT) VALUES (7, 2, 1), (9, 2, 1);
      INSERT INTO ZHEADOFFICE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZOLDHOME, ZOFFICE) VALUES (1, 3, 1, 7, 1), (2, 3, 1, 9, 2), (3, 3, 1, NULL, NULL);
      """)
    let model = try infer(store).model
    let found = model.entitiesByName["Person"]?.relationshipsByName ?? [:]
    // One office is not there.
    #expect(found.mapValues { $0.destinationEntity?.name } == ["oldhome": Optional("Home")])
    withExtendedLifetime(model) {}
  }

  @Test func `random tables are no danger`() throws {
    var random = RandomShapes(seed: 7)
    var made = 0
    for _ in 0..<2_000 {
      let inference = ModelInference(random.shape()) { $0.column.count.isMultiple(of: 2) }
      inference.model.freeze()
      _ = inference.model.versionChecksum
      made += inference.model.entities.count
    }
    #expect(made > 2_000)
  }

  @Test func `an entity that a migration renamed has the name that the metadata knows`() throws {
    let store = try store(
      ModelSketch.model([ModelSketch.entity("New", [ModelSketch.attribute("a", .stringAttributeType)])]))
    try store.write("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old'")
    let model = try infer(store).model
    #expect(model.entities.map(\.name) == ["New"])
    #expect(try map(model, store.url)["New"]?.properties["a"] == .attribute(column: "ZA"))
  }

  @Test func `what people did to the tables is told and does no harm`() throws {
    let store = try store(
      ModelSketch.model([ModelSketch.entity("Item", [ModelSketch.attribute("a", .stringAttributeType)])]))
    try store.write(
      """
      ALTER TABLE ZITEM ADD COLUMN remark TEXT; ALTER TABLE ZITEM ADD COLUMN Z99_NOTHING INTEGER;
      CREATE TABLE Z_1ODD (A, B, C); CREATE TABLE sqlitemanager_extras (x);
      INSERT INTO Z_PRIMARYKEY VALUES (2, 'Loop', 3, 0), (3, 'Loop2', 2, 0), (16001, 'CHANGE', 0, 0), (4, 'Item', 0, 0);
      """)
    let (model, remarks) = try infer(store)
    #expect(Set(model.entitiesByName.keys) == ["Item", "Loop", "Loop2"])
    #expect(Set(try #require(model.entitiesByName["Item"]).propertiesByName.keys) == ["a", "99_nothing"])
    #expect(
      remarks == [
        "the parents in Z_PRIMARYKEY make no tree", "column remark of table ZITEM is none of Core Data's",
        "table Z_1ODD is no join table that can be read",
      ])
  }

  @Test func `a store without a model is read and not changed`() throws {
    let store = try store(
      ModelSketch.model([ModelSketch.entity("Item", [ModelSketch.attribute("firstName", .stringAttributeType)])])
    ) { context in
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue("Ada", forKey: "firstName")
    }
    let found = try StoreModel(forStoreAt: store.url)
    #expect(found.source == .inferred)
    let context = try store.context(of: found.model)
    try context.performAndWait {
      let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      #expect(items.map { $0.value(forKey: "firstname") as? String } == ["Ada"])
    }
    let error = #expect(throws: (any Error).self) { try store.context(of: found.model, isReadOnly: false) }
    #expect(error?.localizedDescription.contains("pass the model with --model") == true)
  }

  @Test func `for every store of the corpus the tables explain themselves`() throws {
    var counts = (stores: 0, columns: 0, toOne: 0, toOneFound: 0, toMany: 0, toManyFound: 0)
    for store in Corpus.found?.stores ?? [] {
      let copy = try TemporaryStore(copying: store.url)
      let shape = try StoreShape(reading: copy.url)
      let inference = try ModelInference(reading: copy.url)
      #expect(inference.remarks == [], "\(store.path)")
      let map = try map(inference.model, copy.url)
      #expect(map.remarks == [], "\(store.path)")
      // Each column of an entity's table is read by a property, or is one of those that a property implies.
      for entity in map.entities where entity.ownsTable {
        let read = Set(map.entities.flatMap(\.properties.values).flatMap { Self.columns(of: $0, in: entity.table) })
        let left = (shape.tables[entity.table] ?? []).map(\.name).filter { !read.contains($0) }
        #expect(Set(left) == ["Z_PK", "Z_ENT", "Z_OPT"], "\(store.path) \(entity.table)")
        counts.columns += read.count
      }
      counts.stores += 1
      // What is known of the real model: every inferred relationship is there and leads to the same entity.
      guard let real = try? ModelArchiveReader.model(cache: StoreContents(reading: copy.url).modelCache) else {
        continue
      }
      Self.compare(inference.model, with: real, &counts, store.path)
    }
    print("inferred: \(counts)")
    #expect(counts.stores == (Corpus.found == nil ? 0 : Corpus.storeCount))
  }

  private static func columns(of property: PropertyMap, in table: String) -> [String] {
    switch property {
    case .attribute(let column): [column]
    case .toOne(let column, let entityColumn, _): [column] + (entityColumn.map { [$0] } ?? [])
    case .inverse(let other, let column, let order, _): other == table ? [column] + (order.map { [$0] } ?? []) : []
    default: []
    }
  }

  private static func compare(
    _ inferred: NSManagedObjectModel, with real: NSManagedObjectModel,
    _ counts: inout (stores: Int, columns: Int, toOne: Int, toOneFound: Int, toMany: Int, toManyFound: Int),
    _ path: String
  ) {
    var known: [String: NSRelationshipDescription] = [:]
    for entity in real.entities {
      for case let relationship as NSRelationshipDescription in entity.declaredProperties
      where !relationship.isTransient {
        known["\(entity.rootEntity.name ?? "").\(relationship.name.lowercased())"] = relationship
        if relationship.isToMany { counts.toMany += 1 } else { counts.toOne += 1 }
      }
    }
    for entity in inferred.entities {
      for case let relationship as NSRelationshipDescription in entity.declaredProperties {
        guard let match = known["\(entity.rootEntity.name ?? "").\(relationship.name)"] else {
          // The other end of a key has a name of our own.
          let key = relationship.inverseRelationship
          #expect(key?.isToMany == false && relationship.isToMany, "\(path) \(entity.name ?? "").\(relationship.name)")
          continue
        }
        #expect(match.isToMany == relationship.isToMany, "\(path) \(relationship.name)")
        #expect(
          match.destinationEntity?.rootEntity.name == relationship.destinationEntity?.rootEntity.name,
          "\(path) \(relationship.name)")
        #expect(match.isOrdered == relationship.isOrdered, "\(path) \(relationship.name)")
        if relationship.isToMany { counts.toManyFound += 1 } else { counts.toOneFound += 1 }
      }
    }
  }
}

/// Stores' shapes put together from the pieces that real ones have.
private struct RandomShapes {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  private mutating func piece(_ pieces: [String]) -> String { pieces[number(below: pieces.count)] }

  mutating func name() -> String {
    let pieces = [
      "Z", "_", "Z_", "1", "2", "16001", "NAME", "Name", "ß", "ﬁ", "FOK_", "Z_FOK_", "REFLEXIVE", "", "PK",
      "99999999999",
    ]
    return (0...number(below: 4)).map { _ in piece(pieces) }.joined()
  }

  mutating func shape() -> StoreShape {
    let entities = (0..<number(below: 6)).map { _ in
      EntityNumbers.Row(
        number: Int32(number(below: 5)), name: number(below: 2) == 0 ? "Name" : name(), parent: Int32(number(below: 5)),
        highestKey: 0)
    }
    var tables: [String: [StoreShape.Column]] = [:]
    for _ in 0..<number(below: 6) {
      let table = number(below: 2) == 0 ? name() : "Z" + (entities.first?.name.uppercased() ?? "")
      tables[table] = (0..<number(below: 8)).map { _ in
        StoreShape.Column(name: name(), type: piece(["INTEGER", "VARCHAR", "", "BLOB", "integer"]))
      }
    }
    let indexes = tables.flatMap { table, columns in columns.map { "\(table)_\($0.name)_INDEX" } }
    return StoreShape(tables: tables, indexes: Set(indexes), entities: entities, hashedNames: [name(), name()])
  }
}
