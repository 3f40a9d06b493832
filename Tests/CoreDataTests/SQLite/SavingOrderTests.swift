import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The places of members in ordered relationships (reference/FORMAT.md: `Z_FOK_…`, 1,024 apart from 2,048).
@Suite struct SavingOrderTests {
  @Test func `places of an order: appended, prepended, put between, moved, and numbered anew without room`() {
    let places: [Int64: Int64] = [1: 2_048, 2: 3_072, 3: 4_096]
    func changes(_ order: [Int64], _ places: [Int64: Int64]) -> [Int64: Int64] {
      OrderPlaces.changes(for: order, having: places)
    }
    #expect(changes([5, 6], [:]) == [5: 2_048, 6: 3_072])
    #expect(changes([1, 2, 3], places) == [:])
    #expect(changes([1, 2, 3, 4, 5], places) == [4: 5_120, 5: 6_144])
    #expect(changes([4, 1, 2, 3], places) == [4: 1_024])
    #expect(changes([1, 4, 2, 5, 6, 3], places) == [4: 2_560, 5: 3_413, 6: 3_754])
    // Of three members in another order the fewest move.
    #expect(changes([3, 1, 2], places) == [3: 1_024])
    #expect(changes([2, 3, 1], places) == [1: 5_120])
    #expect(changes([1, 3], places) == [:])
    #expect(changes([1, 4, 2], [1: 5, 2: 6]) == [1: 2_048, 4: 3_072, 2: 4_096])
    #expect(changes([4, 1], [1: 1]) == [4: 2_048, 1: 3_072])
    // A place twice, as an edit by hand leaves it, is kept once.
    #expect(changes([1, 2], [1: 2_048, 2: 2_048]).count == 1)
    #expect(changes([1, 2], [1: Int64(Int32.max)]) == [1: 2_048, 2: 3_072])
  }

  @Test func `random edits leave strictly ascending places in the order asked for`() {
    var random = SeededGenerator(seed: 3)
    var (order, places): ([Int64], [Int64: Int64]) = ([], [:])
    for step in 0..<4_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !order.isEmpty: places[order.remove(at: .random(in: order.indices, using: &random))] = nil
      case 1 where !order.isEmpty:
        let key = order.remove(at: .random(in: order.indices, using: &random))
        order.insert(key, at: .random(in: 0...order.count, using: &random))
      default: order.insert(Int64(step), at: .random(in: 0...min(order.count, 3), using: &random))
      }
      places.merge(OrderPlaces.changes(for: order, having: places)) { $1 }
      let numbers = order.compactMap { places[$0] }
      #expect(numbers.count == order.count)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } && numbers.allSatisfy { $0 > 0 })
      if order.count > 60 { order.removeLast(50) }
      places = places.filter { order.contains($0.key) }
    }
  }

  private let line = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLINEOF, Z1_LINEOF, Z_FOK_LINEOF)
      VALUES (1, 3, 1, 1, 1, 2048), (2, 3, 1, 1, 1, 3072), (3, 3, 1, 1, 1, 4096), (4, 3, 1, 2, 1, 2048);
    """

  @Test func `members of a one-to-many order keep their places, and a move changes no member`() throws {
    let saving = try SavingStore(shapes: line)
    let items = try [1, 2, 3].map { try saving.id("Item", $0) }
    try saving.save(updated: [
      saving.known(
        "Box", 1, toMany: ["line": ToManyChange(objects: [items[2], items[0], items[1]], added: [], removed: [])])
    ])
    #expect(
      try saving.rows("SELECT Z_PK, Z_OPT, Z_FOK_LINEOF FROM ZITEM ORDER BY 1")
        == ["1|1|2048", "2|1|3072", "3|1|1024", "4|1|2048"])
    #expect(try saving.rows("SELECT Z_OPT FROM ZBOX ORDER BY Z_PK") == ["2", "1"])
    // The row that was moved is known as written here, too.
    #expect(saving.store.ownSaves.isOwn(ObjectKey(entity: 3, primaryKey: 3), versionAfter: 1))
    #expect(!saving.store.ownSaves.isOwn(ObjectKey(entity: 3, primaryKey: 1), versionAfter: 1))
  }

  @Test func `a member that comes from another order takes the place it is told, one that leaves has none`() throws {
    let saving = try SavingStore(shapes: line)
    let items = try [1, 2, 3, 4].map { try saving.id("Item", $0) }
    try saving.save(updated: [
      saving.known("Item", 4, toOne: ["lineOf": saving.id("Box", 1)]), saving.known("Item", 2, toOne: ["lineOf": nil]),
      saving.known(
        "Box", 1,
        toMany: ["line": ToManyChange(objects: [items[0], items[3], items[2]], added: [items[3]], removed: [items[1]])]),
      saving.known("Box", 2, toMany: ["line": ToManyChange(objects: [], added: [], removed: [items[3]])]),
    ])
    #expect(
      try saving.rows("SELECT Z_PK, ZLINEOF, Z_FOK_LINEOF FROM ZITEM ORDER BY 1")
        == ["1|1|2048", "2||", "3|1|4096", "4|1|3072"])
  }

  @Test func `a member told from its own end alone goes to the end, and stays where it is when it was there`() throws {
    let saving = try SavingStore(shapes: line)
    try saving.save(updated: [
      saving.known("Item", 4, toOne: ["lineOf": saving.id("Box", 1)]),
      saving.known("Item", 1, toOne: ["lineOf": saving.id("Box", 1)]),
    ])
    #expect(
      try saving.rows("SELECT Z_PK, Z_FOK_LINEOF FROM ZITEM WHERE ZLINEOF = 1 ORDER BY 2")
        == ["1|2048", "2|3072", "3|4096", "4|5120"])
  }

  @Test func `a member that somebody else put in meanwhile stays, after those the save knew`() throws {
    let saving = try SavingStore(shapes: line)
    let items = try [1, 2, 3].map { try saving.id("Item", $0) }
    let box = try saving.known(
      "Box", 1, toMany: ["line": ToManyChange(objects: [items[1], items[0], items[2]], added: [], removed: [])])
    try saving.file.write("UPDATE ZITEM SET ZLINEOF = 1, Z1_LINEOF = 1, Z_FOK_LINEOF = 5120 WHERE Z_PK = 4;")
    try saving.save(updated: [box])
    #expect(
      try saving.rows("SELECT Z_PK FROM ZITEM WHERE ZLINEOF = 1 ORDER BY Z_FOK_LINEOF") == ["2", "1", "3", "4"])
  }

  @Test func `both ends of a many-to-many relationship have their own order`() throws {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1), (2, 6, 1);
        INSERT INTO Z_3RANKED (Z_3RANKEDBY, Z_6RANKED, Z_FOK_6RANKED, Z_FOK_3RANKEDBY) VALUES (1, 1, 2048, 2048);
        """)
    let (items, tags) = (try [1, 2].map { try saving.id("Item", $0) }, try [1, 2].map { try saving.id("Tag", $0) })
    try saving.save(updated: [
      saving.known(
        "Item", 1, toMany: ["ranked": ToManyChange(objects: [tags[1], tags[0]], added: [tags[1]], removed: [])]),
      saving.known("Item", 2, toMany: ["ranked": ToManyChange(objects: [tags[0]], added: [tags[0]], removed: [])]),
      saving.known(
        "Tag", 1, toMany: ["rankedBy": ToManyChange(objects: [items[1], items[0]], added: [items[1]], removed: [])]),
      saving.known("Tag", 2, toMany: ["rankedBy": ToManyChange(objects: [items[0]], added: [items[0]], removed: [])]),
    ])
    #expect(
      try saving.rows("SELECT Z_3RANKEDBY, Z_6RANKED, Z_FOK_6RANKED, Z_FOK_3RANKEDBY FROM Z_3RANKED ORDER BY 1, 2")
        == ["1|1|2048|2048", "1|2|1024|2048", "2|1|2048|1024"])
  }

  @Test func `an ordered relationship without an inverse has its places beside the keys`() throws {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1);
        INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1), (3, 1, 1);
        """)
    let boxes = try [saving.id("Box", 1), saving.id("Crate", 2), saving.id("Box", 3)]
    try saving.save(updated: [
      saving.known(
        "Tag", 1,
        toMany: ["stack": ToManyChange(objects: [boxes[2], boxes[0]], added: [boxes[0], boxes[2]], removed: [])])
    ])
    #expect(try saving.rows("SELECT Z6STACK, Z_FOK_6STACK FROM ZBOX ORDER BY Z_PK") == ["1|3072", "|", "1|2048"])
    try saving.save(updated: [
      saving.known(
        "Tag", 1,
        toMany: ["stack": ToManyChange(objects: [boxes[2], boxes[1]], added: [boxes[1]], removed: [boxes[0]])])
    ])
    #expect(try saving.rows("SELECT Z6STACK, Z_FOK_6STACK FROM ZBOX ORDER BY Z_PK") == ["|", "1|3072", "1|2048"])
  }
}
