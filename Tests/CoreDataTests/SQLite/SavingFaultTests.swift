import CSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The nth operation of a save fails, n = 1, 2, …, until the save succeeds: the store is whole, old or new, and can be saved
/// to again.
@Suite struct SavingFaultTests {
  enum Journal: String, CaseIterable { case WAL, DELETE }

  private static let data = Data(repeating: 7, count: 150_000)

  /// A store with history, an ordered relationship, join rows and a file of external data.
  private final class Subject {
    let saving: SavingStore
    let faults: FaultyFiles

    init(_ journal: Journal) throws {
      let sketch = ShapesModel()
      let file = try TemporaryStore(model: sketch.model)
      try file.write(
        HistoryTables.recent + """
          INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'box'), (2, 1, 1, 'probe');
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLINEOF, Z1_LINEOF, Z_FOK_LINEOF)
            VALUES (1, 3, 1, 'one', 1, 1, 2048), (2, 3, 1, 'two', 1, 1, 3072), (3, 3, 1, 'three', NULL, NULL, NULL);
          INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1), (2, 6, 1);
          INSERT INTO Z_3TAGS VALUES (1, 1), (3, 2);
          PRAGMA journal_mode = \(journal.rawValue);
          """)
      faults = FaultyFiles(under: file.url)
      saving = try SavingStore(file, model: sketch.model)
      try saving.save(updated: [saving.known("Item", 1, ["external": SavingFaultTests.data])])
    }

    /// A change of every kind.
    func request() throws -> SaveRequest {
      let (box, item, tag) = (try saving.id("Box", 1), try saving.id("Item", 1), try saving.id("Tag", 2))
      var new = try saving.new("Book", ["name": "new", "external": SavingFaultTests.data], toOne: ["lineOf": box])
      new.toMany["tags"] = ToManyChange(objects: [tag], added: [tag], removed: [])
      let line = ToManyChange(objects: [new.id, try saving.id("Item", 2), item], added: [new.id], removed: [])
      return SaveRequest(
        inserted: [new],
        updated: [
          try saving.known("Item", 1, ["name": "ONE", "external": SavingFaultTests.data + [1]]),
          try saving.known("Box", 1, toMany: ["line": line]),
          try saving.known("Tag", 2, toMany: ["items": ToManyChange(objects: [new.id], added: [new.id], removed: [])]),
        ], deleted: [try saving.known("Item", 3)], author: "me")
    }

    /// All that the store holds but the probe.
    func state() throws -> [[SQLiteValue]] {
      try saving.store.withConnection { connection in
        let problems = try connection.rows("PRAGMA integrity_check")
        #expect(problems == [[.text("ok")]])
        return try [
          "SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZLINEOF, Z1_LINEOF, Z_FOK_LINEOF, ZEXTERNAL IS NULL FROM ZITEM ORDER BY 1",
          "SELECT * FROM Z_3TAGS ORDER BY 1, 2", "SELECT Z_PK, Z_OPT FROM ZTAG", "SELECT * FROM ZBOX WHERE Z_PK <> 2",
          "SELECT count(*) FROM ACHANGE WHERE ZENTITYPK <> 2 OR ZENTITY <> 1",
          "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000",
        ].flatMap { try connection.rows($0) }
      }
    }

    /// Every file that a row names is there, and whole.
    func checkFiles() throws {
      let folder = try #require(ExternalData.folder(of: saving.store))
      try saving.store.withConnection { connection in
        for row in try connection.rows("SELECT ZEXTERNAL FROM ZITEM WHERE ZEXTERNAL IS NOT NULL") {
          guard case .blob(let bytes) = row[0], let name = ExternalData.fileName(in: bytes) else { continue }
          let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.size] as? Int
          #expect((size ?? 0) >= SavingFaultTests.data.count)
        }
      }
    }

    /// Another save that must succeed.
    func probe(_ number: Int) throws {
      try saving.save(updated: [saving.known("Box", 2, ["name": "probe \(number)"])])
    }
  }

  /// Lets operation after operation fail, and answers how many saves failed before one succeeded.
  private func failures(
    _ journal: Journal, _ operations: Set<FaultyFiles.Operation>, _ code: Int32, isLasting: Bool, step: Int = 1
  ) throws -> Int {
    let subject = try Subject(journal)
    let old = try subject.state()
    var failed = 0
    for number in stride(from: 1, to: 100_000, by: step) {
      let request = try subject.request()
      subject.faults.fail(operations, at: number, with: code, isLasting: isLasting)
      let outcome = Result { try subject.saving.store.save(request) }
      let count = subject.faults.stop()
      switch outcome {
      case .failure(let error):
        #expect(count > 0, "\(error)")
        #expect((error as NSError).domain == NSCocoaErrorDomain, "\(error)")
        failed += 1
        #expect(try subject.state() == old, "operation \(number)")
        try subject.checkFiles()
        try subject.probe(number)
      case .success where count > 0:
        // SQLite did without what failed; the save is in.
        #expect(try subject.state() != old)
        try subject.checkFiles()
        return failed
      case .success:
        #expect(try subject.state() != old)
        try subject.checkFiles()
        #expect(try subject.saving.rows("PRAGMA integrity_check") == ["ok"])
        return failed
      }
    }
    Issue.record("the save never succeeded")
    return failed
  }

  @Test(arguments: Journal.allCases, [false, true])
  func `an error of the disk at any write, once or for good`(journal: Journal, isLasting: Bool) throws {
    let failed = try failures(
      journal, [.write, .truncate, .synchronize], SQLITE_IOERR | 3 << 8, isLasting: isLasting)
    #expect(failed > 3)
  }

  @Test(arguments: Journal.allCases, [false, true])
  func `a full disk at any write, once or for good`(journal: Journal, isLasting: Bool) throws {
    #expect(try failures(journal, [.write], SQLITE_FULL, isLasting: isLasting) > 3)
  }

  @Test(arguments: Journal.allCases)
  func `an interrupt at any instruction`(journal: Journal) throws {
    let failed = try failures(journal, [.instruction], 1, isLasting: false, step: 7)
    #expect(failed > 100)
  }

  @Test(arguments: [
    (SQLITE_FULL, NSFileWriteOutOfSpaceError, "the disk is full"),
    (SQLITE_IOERR | 3 << 8, NSSQLiteError, "could not be written"),
    (SQLITE_READONLY, NSFileWriteNoPermissionError, "cannot be written"),
  ])
  func `what kept a save from being written is told in one line`(code: Int32, cocoa: Int, text: String) throws {
    let subject = try Subject(.WAL)
    subject.faults.fail([.write], at: 1, with: code)
    #expect { try subject.saving.store.save(subject.request()) } throws: { error in
      let error = error as NSError
      return error.code == cocoa && error.localizedDescription.contains(text)
        && error.localizedDescription.contains("nothing was saved") && !error.localizedDescription.contains("\n")
        && (error.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.int32Value == code
    }
    try subject.probe(1)
  }
}
