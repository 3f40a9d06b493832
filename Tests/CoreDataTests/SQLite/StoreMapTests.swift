import Foundation
import TestSupport
import Testing

@testable import CoreData

/// reference/FORMAT.md, "Entity tables" and "Many-to-many", shape by shape.
@Suite struct StoreMapTests {
  private func map(_ model: NSManagedObjectModel, _ rows: [(Int32, String, Int32)], _ tables: String) throws -> StoreMap
  {
    let store = try TemporaryStore(sql: tables)
    let schema = try StoreSchema(SQLiteConnection(path: store.url.path, mode: .readOnly))
    model.freeze()
    return StoreMap(
      model: model, numbers: rows.map { .init(number: $0.0, name: $0.1, parent: $0.2, highestKey: 0) }, schema: schema)
  }

  private static let start = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

  @Test func `attributes have the upper-case column, also those that begin with an underscore or end in a digit`()
    throws
  {
    let names = ["name", "_flag", "line2", "group", "größe"]
    let model = ModelSketch.model([
      ModelSketch.entity("Item", names.map { ModelSketch.attribute($0, .stringAttributeType) })
    ])
    let map = try map(
      model, [(1, "Item", 0)],
      "CREATE TABLE ZITEM (\(Self.start), ZNAME VARCHAR, Z_FLAG VARCHAR, ZLINE2 VARCHAR, ZGROUP VARCHAR, ZGRÖSSE VARCHAR);"
    )
    let item = try #require(map["Item"])
    #expect(item.table == "ZITEM")
    #expect(item.properties["name"] == .attribute(column: "ZNAME"))
    #expect(item.properties["_flag"] == .attribute(column: "Z_FLAG"))
    #expect(item.properties["line2"] == .attribute(column: "ZLINE2"))
    #expect(item.properties["group"] == .attribute(column: "ZGROUP"))
    #expect(item.properties["größe"] == .attribute(column: "ZGRÖSSE"))
    #expect(map.remarks.isEmpty)
  }

  @Test func `a name used twice in a tree gets digits by ascending number of the entity`() throws {
    // Alphabetical order is not the order of the numbers here.
    let title = { ModelSketch.attribute("title", .stringAttributeType) }
    let children = [
      ModelSketch.entity("Zebra", [title()]), ModelSketch.entity("Ant", [title()]),
      ModelSketch.entity("Mole", [title()]),
    ]
    let root = ModelSketch.entity("Animal", [], children: children)
    let map = try map(
      ModelSketch.model([root] + children), [(1, "Animal", 0), (2, "Zebra", 1), (3, "Mole", 1), (4, "Ant", 1)],
      "CREATE TABLE ZANIMAL (\(Self.start), ZTITLE VARCHAR, ZTITLE1 VARCHAR, ZTITLE2 VARCHAR);")
    #expect(map["Zebra"]?.properties["title"] == .attribute(column: "ZTITLE"))
    #expect(map["Mole"]?.properties["title"] == .attribute(column: "ZTITLE1"))
    #expect(map["Ant"]?.properties["title"] == .attribute(column: "ZTITLE2"))
    #expect(map["Animal"]?.numbers == [1, 2, 3, 4])
    #expect(map["Animal"]?.ownsTable == true)
    #expect(map["Ant"]?.ownsTable == false)
  }

  @Test func `a to-one relationship to an entity with subentities keeps the entity beside the key`() throws {
    let big = ModelSketch.entity("BigBox")
    let box = ModelSketch.entity("Box", [], children: [big])
    let item = ModelSketch.entity("Item")
    let lid = ModelSketch.entity("Lid")
    ModelSketch.relate(item, "box", to: box, inverse: "items", .many)
    ModelSketch.relate(item, "lid", to: lid, inverse: "items", .ordered)
    let map = try map(
      ModelSketch.model([box, big, item, lid]), [(1, "Box", 0), (2, "BigBox", 1), (3, "Item", 0), (4, "Lid", 0)],
      """
      CREATE TABLE ZBOX (\(Self.start)); CREATE TABLE ZLID (\(Self.start));
      CREATE TABLE ZITEM (\(Self.start), ZBOX INTEGER, Z1_BOX INTEGER, ZLID INTEGER, Z_FOK_LID INTEGER);
      """)
    #expect(map["Item"]?.properties["box"] == .toOne(column: "ZBOX", entityColumn: "Z1_BOX", destination: 1))
    #expect(map["Item"]?.properties["lid"] == .toOne(column: "ZLID", entityColumn: nil, destination: 4))
    let items = PropertyMap.inverse(table: "ZITEM", column: "ZBOX", orderColumn: nil, destination: 3)
    #expect(map["Box"]?.properties["items"] == items)
    #expect(map["BigBox"]?.properties["items"] == items)
    #expect(
      map["Lid"]?.properties["items"]
        == .inverse(table: "ZITEM", column: "ZLID", orderColumn: "Z_FOK_LID", destination: 3))
  }

  @Test func `a to-many relationship without an inverse lies on the destination's table`() throws {
    let box = ModelSketch.entity("Box")
    let item = ModelSketch.entity("Item")
    ModelSketch.relate(box, "loose", .many, to: item)
    ModelSketch.relate(box, "stacked", .ordered, to: item)
    let map = try map(
      ModelSketch.model([box, item]), [(1, "Box", 0), (2, "Item", 0)],
      """
      CREATE TABLE ZBOX (\(Self.start));
      CREATE TABLE ZITEM (\(Self.start), Z1LOOSE INTEGER, Z1STACKED INTEGER, Z_FOK_1STACKED INTEGER);
      """)
    #expect(
      map["Box"]?.properties["loose"]
        == .inverse(table: "ZITEM", column: "Z1LOOSE", orderColumn: nil, destination: 2))
    #expect(
      map["Box"]?.properties["stacked"]
        == .inverse(table: "ZITEM", column: "Z1STACKED", orderColumn: "Z_FOK_1STACKED", destination: 2))
  }

  @Test func `a join table may be named after either side, with digits where a name was taken`() throws {
    let car = ModelSketch.entity("Car")
    let person = ModelSketch.entity("Person")
    ModelSketch.relate(car, "owners", .many, to: person, inverse: "cars", .many)
    ModelSketch.relate(person, "options", .ordered, to: car, inverse: "votedBy", .many)
    let map = try map(
      ModelSketch.model([car, person]), [(1, "Car", 0), (2, "Person", 0)],
      """
      CREATE TABLE ZCAR (\(Self.start)); CREATE TABLE ZPERSON (\(Self.start));
      CREATE TABLE Z_1OWNERS ( Z_1CARS, Z_2OWNERS );
      CREATE TABLE Z_2OPTIONS ( Z_1OPTIONS INTEGER, Z_2VOTEDBY1 INTEGER, Z_FOK_1OPTIONS INTEGER);
      """)
    #expect(
      map["Car"]?.properties["owners"]
        == .join(table: "Z_1OWNERS", source: "Z_1CARS", target: "Z_2OWNERS", orderColumn: nil, destination: 2))
    #expect(
      map["Person"]?.properties["cars"]
        == .join(table: "Z_1OWNERS", source: "Z_2OWNERS", target: "Z_1CARS", orderColumn: nil, destination: 1))
    #expect(
      map["Person"]?.properties["options"]
        == .join(
          table: "Z_2OPTIONS", source: "Z_2VOTEDBY1", target: "Z_1OPTIONS", orderColumn: "Z_FOK_1OPTIONS",
          destination: 1))
    #expect(
      map["Car"]?.properties["votedBy"]
        == .join(
          table: "Z_2OPTIONS", source: "Z_1OPTIONS", target: "Z_2VOTEDBY1", orderColumn: nil, destination: 2))
  }

  @Test func `a pair within one entity, and a relationship that is its own inverse`() throws {
    let user = ModelSketch.entity("User")
    ModelSketch.relate(user, "following", .many, to: user, inverse: "followingBy", .many)
    ModelSketch.relate(user, "friends", .many, to: user, inverse: "friends", .many)
    let map = try map(
      ModelSketch.model([user]), [(8, "User", 0)],
      """
      CREATE TABLE ZUSER (\(Self.start));
      CREATE TABLE Z_8FOLLOWING ( Z_8FOLLOWINGBY INTEGER, Z_8FOLLOWING INTEGER );
      CREATE TABLE Z_8FRIENDS ( Z_8FRIENDS INTEGER, REFLEXIVE INTEGER );
      """)
    #expect(
      map["User"]?.properties["following"]
        == .join(
          table: "Z_8FOLLOWING", source: "Z_8FOLLOWINGBY", target: "Z_8FOLLOWING", orderColumn: nil, destination: 8))
    #expect(
      map["User"]?.properties["followingBy"]
        == .join(
          table: "Z_8FOLLOWING", source: "Z_8FOLLOWING", target: "Z_8FOLLOWINGBY", orderColumn: nil, destination: 8))
    #expect(
      map["User"]?.properties["friends"]
        == .join(table: "Z_8FRIENDS", source: "Z_8FRIENDS", target: "REFLEXIVE", orderColumn: nil, destination: 8))
  }

  @Test func `entities renamed by a migration are found by identifier, or by their place in the tree`() throws {
    let renamed = ModelSketch.entity("Luxury")
    let moved = ModelSketch.entity("Buyer")
    moved.renamingIdentifier = "Person"
    let car = ModelSketch.entity("Car", [], children: [renamed])
    let map = try map(
      ModelSketch.model([car, renamed, moved]), [(1, "Car", 0), (2, "Expensive", 1), (3, "Person", 0)],
      "CREATE TABLE ZCAR (\(Self.start)); CREATE TABLE ZPERSON (\(Self.start));")
    #expect(map["Luxury"]?.number == 2)
    #expect(map["Buyer"]?.number == 3)
    #expect(map["Buyer"]?.table == "ZPERSON")
    #expect(map[3]?.name == "Buyer")
    #expect(map.remarks.isEmpty)
  }

  @Test func `what the tables do not have is told and left out`() throws {
    let item = ModelSketch.entity(
      "Item",
      [ModelSketch.attribute("here", .stringAttributeType), ModelSketch.attribute("gone", .stringAttributeType)])
    let transient = ModelSketch.attribute("seen", .stringAttributeType)
    transient.isTransient = true
    item.properties += [transient]
    let map = try map(
      ModelSketch.model([item, ModelSketch.entity("Lost"), ModelSketch.entity("Bare")]),
      [(1, "Item", 0), (2, "Bare", 0)],
      "CREATE TABLE ZITEM (\(Self.start), ZHERE VARCHAR);")
    #expect(map["Item"]?.properties.keys.sorted() == ["here"])
    #expect(map["Lost"] == nil)
    #expect(map["Bare"] == nil)
    #expect(
      Set(map.remarks) == [
        "entity Lost of the model is not in this store", "Item.gone has no column in table ZITEM",
        "entity Bare has no table ZBARE",
      ])
  }

  @Test func `rows of Z_PRIMARYKEY that contradict each other stop nothing`() throws {
    let children = [ModelSketch.entity("B"), ModelSketch.entity("C")]
    let root = ModelSketch.entity("A", [], children: children)
    let map = try map(
      ModelSketch.model([root] + children + [ModelSketch.entity("D")]),
      [(1, "A", 0), (1, "B", 1), (2, "X", 0), (2, "Y", 1), (16_001, "C", 1)], "CREATE TABLE ZA (\(Self.start));")
    #expect(map[1]?.name == "A")
    #expect(Set(map.entities.map(\.number)).count == map.entities.count)
  }

  @Test func `names are quoted, whatever they hold`() {
    #expect(quoted("ZNAME") == "\"ZNAME\"")
    #expect(quoted("a\"b") == "\"a\"\"b\"")
    // A quote with a combining mark is one character.
    #expect(quoted("a\"\u{301}b").unicodeScalars.elementsEqual("\"a\"\"\u{301}b\"".unicodeScalars))
  }

  @Test func `a table without the columns that every object has is told, and not read`() throws {
    let map = try map(
      ModelSketch.model([
        ModelSketch.entity("Item", [ModelSketch.attribute("name", .stringAttributeType)]), ModelSketch.entity("Box"),
      ]), [(1, "Item", 0), (2, "Box", 0)],
      "CREATE TABLE ZITEM (Z_OK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR); CREATE TABLE ZBOX (\(Self.start));"
    )
    #expect(map["Item"] == nil && map["Box"] != nil)
    #expect(map.remarks == ["entity Item has no table ZITEM with Z_PK, Z_ENT, Z_OPT"])
  }
}
