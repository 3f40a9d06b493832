import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Large data in files beside the store (reference/FORMAT.md, "Binary, external storage allowed").
@Suite struct SavingExternalDataTests {
  private let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  private let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES (1, 3, 1, 'one', 1), (2, 3, 1, 'two', 2);

    """

  private func folder(_ saving: SavingStore) throws -> URL { try #require(ExternalData.folder(of: saving.store)) }

  private func files(_ saving: SavingStore) throws -> [String] {
    let path = try folder(saving).path
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func `CONTEXT 111: large data goes to a file that the row names, small data stays in the row`() throws {
    let saving = try SavingStore(shapes: rows)
    try saving.save(
      inserted: [saving.new("Item", ["external": large])],
      updated: [
        saving.known("Item", 1, ["external": large]), saving.known("Item", 2, ["external": Data(), "data": large]),
      ])
    #expect(
      try saving.rows(
        "SELECT Z_PK, length(ZEXTERNAL), hex(substr(ZEXTERNAL, 1, 1)), hex(substr(ZEXTERNAL, -1)), length(ZDATA) FROM ZITEM"
      )
        == ["1|38|02|00|", "2|1|01|01|200000", "3|38|02|00|"])
    let names = try saving.rows("SELECT substr(CAST(ZEXTERNAL AS TEXT), 2, 36) FROM ZITEM WHERE Z_PK <> 2").sorted()
    #expect(try files(saving) == names)
    #expect(try folder(saving).path.hasSuffix("/.Test_SUPPORT/_EXTERNAL_DATA"))
    for name in names { #expect(try Data(contentsOf: folder(saving).appending(path: name)) == large) }
    let context = try saving.file.context(of: saving.model)
    try context.performAndWait {
      let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      #expect(items.map { $0.value(forKey: "external") as? Data } == [large, Data(), large])
    }
  }

  @Test func `exactly the limit stays in the row`() throws {
    let saving = try SavingStore(shapes: rows)
    let limit = Data(count: ExternalDataWriter.inlineLimit)
    try saving.save(updated: [
      saving.known("Item", 1, ["external": limit]), saving.known("Item", 2, ["external": limit + [0]]),
    ])
    #expect(try saving.rows("SELECT length(ZEXTERNAL) FROM ZITEM ORDER BY 1") == ["38", "\(limit.count + 1)"])
  }

  @Test func `a file goes when its value is replaced or its object deleted, and not before the save is done`() throws {
    let saving = try SavingStore(shapes: rows)
    try saving.save(updated: [
      saving.known("Item", 1, ["external": large]), saving.known("Item", 2, ["external": large]),
    ])
    let before = try files(saving)
    #expect(before.count == 2)
    let stale = try saving.known("Item", 1, ["external": Data([1])])
    try saving.file.write("UPDATE ZITEM SET Z_OPT = 9 WHERE Z_PK = 1;")
    #expect(throws: SaveConflicts.self) { try saving.save(updated: [stale], deleted: [saving.known("Item", 2)]) }
    #expect(try files(saving) == before)
    // A save that fails after its new file was written takes that one away again, and no other.
    #expect(throws: (any Error).self) {
      try saving.save(
        inserted: [saving.new("Item", ["external": large, "rank": "x"])],
        updated: [saving.known("Item", 1, ["external": large])])
    }
    #expect(try files(saving) == before)
    try saving.save(updated: [saving.known("Item", 1, ["external": large])])
    let after = try files(saving)
    #expect(after.count == 2 && after != before)
    try saving.save(updated: [saving.known("Item", 1, ["external": nil])], deleted: [saving.known("Item", 2)])
    #expect(try files(saving) == [])
    // Another attribute's change touches no file.
    try saving.save(updated: [saving.known("Item", 1, ["external": large])])
    let kept = try files(saving)
    try saving.save(updated: [saving.known("Item", 1, ["name": "x"])])
    #expect(try files(saving) == kept)
  }

  @Test func `a folder that cannot be made is one clear error, and nothing is saved`() throws {
    let saving = try SavingStore(shapes: rows)
    let support = try folder(saving).deletingLastPathComponent()
    try Data().write(to: support)
    #expect {
      try saving.save(updated: [saving.known("Item", 1, ["external": large])])
    } throws: {
      ($0 as NSError).domain == NSCocoaErrorDomain && ($0 as NSError).localizedDescription.contains("nothing was saved")
    }
    #expect(try saving.rows("SELECT Z_OPT FROM ZITEM WHERE Z_PK = 1") == ["1"])
  }
}
