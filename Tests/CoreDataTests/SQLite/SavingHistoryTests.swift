import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Rows of persistent history (reference/FORMAT.md, "Persistent history"; DESIGN.md, "Rules of the store").
@Suite struct SavingHistoryTests {
  private let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1);
    """
  private let changes =
    "SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS) FROM ACHANGE"

  @Test func `a save is one transaction with a change a row: inserts, updates with their columns, deletes`() throws {
    let saving = try SavingStore(shapes: HistoryTables.recent + rows)
    let before = Date().timeIntervalSinceReferenceDate
    let ids = try saving.save(
      inserted: [saving.new("Toy", ["name": "t"])], updated: [saving.known("Box", 1, ["name": "b"])],
      deleted: [saving.known("Crate", 2)], author: "me", contextName: "editing")
    // Box: items, line, name.
    #expect(
      try saving.rows(changes)
        == ["1|16001||0|5|\(ids[0].primaryKey)|1|", "2|16001||1|1|1|1|20", "3|16001||2|2|2|1|"])
    let transaction = """
      SELECT t.Z_PK, t.Z_ENT, t.Z_OPT, a.ZNAME, c.ZNAME, b.ZNAME = p.ZNAME, t.ZAUTHOR, t.ZTIMESTAMP BETWEEN \(before) AND \(before) + 60
      FROM ATRANSACTION t LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS
      LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY 1
      """
    #expect(try saving.rows(transaction) == ["1|16002||me|editing|1||1"])
    try saving.save(updated: [saving.known("Tag", 1, ["name": "x"])])
    try saving.save(updated: [saving.known("Tag", 1, ["name": "y"])], author: "me")
    #expect(try saving.rows(transaction).dropFirst() == ["2|16002||||1||1", "3|16002||me||1||1"])
    #expect(try saving.rows("SELECT count(*), count(DISTINCT ZNAME) FROM ATRANSACTIONSTRING") == ["3|3"])
    #expect(
      try saving.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1")
        == ["16001|CHANGE|0|5", "16002|TRANSACTION|0|3", "16003|TRANSACTIONSTRING|0|3"])
  }

  @Test func `counters go on from what is there, and a store of 2017 has the texts in the transaction itself`() throws {
    let saving = try SavingStore(
      shapes: HistoryTables.old + rows + """
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 40), (16002, 'TRANSACTION', 0, 7);
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (9, 16002);
        """)
    try saving.save(deleted: [saving.known("Box", 1)], author: "me", contextName: "c")
    #expect(try saving.rows(changes) == ["41|16001||2|1|1|10|"])
    #expect(
      try saving.rows("SELECT ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID = ZPROCESSID FROM ATRANSACTION WHERE Z_PK = 10")
        == ["me|c|1"])
    #expect(try saving.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT") == ["41", "10"])
  }

  @Test func `an object that changed by a relationship is in, one that only a key or a place was written to is not`()
    throws
  {
    let saving = try SavingStore(shapes: HistoryTables.recent + rows)
    let box = try saving.id("Box", 1)
    try saving.save(updated: [
      saving.known("Tag", 1, toMany: ["loose": ToManyChange(objects: [box], added: [box], removed: [])])
    ])
    // Tag: children, favourite, followers, following, friends, items, loose, name, parent, rankedBy, stack.
    #expect(try saving.rows(changes) == ["1|16001||1|6|1|1|0200"])
  }

  @Test func `a store without history stays without, and a failed save leaves no history`() throws {
    let plain = try SavingStore(shapes: rows)
    try plain.save(updated: [plain.known("Box", 1, ["name": "b"])], author: "me")
    #expect(try plain.rows("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["0"])
    let saving = try SavingStore(shapes: HistoryTables.recent + rows)
    let stale = try saving.known("Box", 1, ["name": "b"])
    try saving.file.write("UPDATE ZBOX SET Z_OPT = 5;")
    #expect(throws: SaveConflicts.self) { try saving.save(updated: [stale]) }
    #expect(try saving.rows("SELECT count(*) FROM ATRANSACTION") == ["0"])
  }

  @Test(.corpus(cases: 1))
  func `the column bits of a real store name the properties that its app changed, and are read back as written`() throws
  {
    let corpus = try #require(Corpus.found)
    let source = try corpus.store("@bc3d34e5/default.store").url
    let saving = try SavingStore(TemporaryStore(copying: source))
    let recipe = try #require(saving.model.entitiesByName["CraftingRecipe"])
    #expect(HistoryColumns.names(of: [0x80], in: recipe) == ["producedItem"])
    #expect(HistoryColumns.names(of: [0x60], in: recipe) == ["producedItemCount", "requiredComponents"])
    #expect(HistoryColumns.names(of: [0x1f, 0xff], in: recipe) == [])
    #expect(HistoryColumns.bits(of: ["producedItem"], in: recipe) == [0x80])
    try saving.save(updated: [saving.known("CraftingRecipe", 1, ["producedItemCount": "3"])], author: "me")
    #expect(try saving.rows(changes + " ORDER BY Z_PK DESC LIMIT 1") == ["20|16001||1|2|1|14|40"])
    #expect(
      try saving.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT").prefix(2) == ["20", "14"])
  }
}
