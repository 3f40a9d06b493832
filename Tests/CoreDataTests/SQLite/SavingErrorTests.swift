import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// What keeps a save from being written: each is one clear line of the Cocoa domain, and nothing is written.
@Suite struct SavingErrorTests {
  /// Fails with a code and a text, and leaves the file as it was.
  private func expectRefusal(
    of file: TemporaryStore, _ code: Int, _ texts: [String], _ save: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try file.write(".dump")
    #expect(sourceLocation: sourceLocation) {
      try save()
    } throws: { error in
      let error = error as NSError
      return error.domain == NSCocoaErrorDomain && error.code == code && !error.localizedDescription.contains("\n")
        && texts.allSatisfy(error.localizedDescription.contains)
    }
    #expect(try file.write(".dump") == before, sourceLocation: sourceLocation)
  }

  /// A store of cars whose plate is unique and whose owners are so by two names, with the rows given.
  private func cars(_ sql: String = "") throws -> SavingStore {
    let car = ModelSketch.entity(
      "Car",
      [ModelSketch.attribute("plate", .stringAttributeType), ModelSketch.attribute("speed", .integer64AttributeType)])
    car.uniquenessConstraints = [["plate"]]
    let owner = ModelSketch.entity(
      "Owner",
      [ModelSketch.attribute("first", .stringAttributeType), ModelSketch.attribute("last", .stringAttributeType)])
    owner.uniquenessConstraints = [["first", "last"]]
    let model = ModelSketch.model([car, owner])
    let file = try TemporaryStore(model: model)
    try file.write(
      """
      INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZPLATE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
      INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZFIRST, ZLAST) VALUES (1, 2, 1, 'x', 'y');
      """ + sql)
    return try SavingStore(file, model: model)
  }

  @Test func `CONTEXT 42: a value that must be unique is error 133021 in the model's words`() throws {
    let saving = try cars()
    let texts = ["another Car has the same plate", "nothing was saved"]
    try expectRefusal(of: saving.file, 133_021, texts) {
      try saving.save(inserted: [saving.new("Owner"), saving.new("Car", ["plate": "b"])])
    }
    try expectRefusal(of: saving.file, NSManagedObjectConstraintMergeError, texts) {
      try saving.save(updated: [saving.known("Car", 1, ["plate": "c"])])
    }
    try expectRefusal(of: saving.file, 133_021, ["another Owner has the same first and last"]) {
      try saving.save(inserted: [saving.new("Owner", ["first": "x", "last": "y"])])
    }
  }

  @Test func `values that must be unique can be swapped, passed on, and taken over from a deleted object`() throws {
    let saving = try cars()
    try saving.save(updated: [
      saving.known("Car", 1, ["plate": "b", "speed": 5]), saving.known("Car", 2, ["plate": "c"]),
      saving.known("Car", 3, ["plate": "a"]),
    ])
    #expect(
      try saving.rows("SELECT Z_PK, Z_OPT, ZPLATE, ZSPEED FROM ZCAR ORDER BY 1") == ["1|2|b|5", "2|2|c|", "3|2|a|"])
    try saving.save(
      inserted: [saving.new("Car", ["plate": "b"])], updated: [saving.known("Car", 2, ["plate": "a"])],
      deleted: [saving.known("Car", 1), saving.known("Car", 3)])
    #expect(try saving.rows("SELECT Z_PK, ZPLATE FROM ZCAR ORDER BY 1") == ["2|a", "4|b"])
  }

  @Test func `a store that another program keeps locked is error 134090 after the time to wait, and saved to later`()
    throws
  {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    let saving = try SavingStore(file, model: sketch.model, timeout: 0.1)
    let shell = try SQLiteShell(file.url)
    try shell.run("BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = 0;")
    try expectRefusal(of: file, 134_090, ["locked by sqlite3 (process ", "nothing was saved"]) {
      try saving.save(inserted: [saving.new("Box", ["name": "b"])])
    }
    try shell.run("ROLLBACK;")
    try saving.save(inserted: [saving.new("Box", ["name": "b"])])
    #expect(try saving.rows("SELECT ZNAME FROM ZBOX") == ["b"])
  }

  @Test func `saves of two threads come one after the other`() async throws {
    let saving = try SavingStore(shapes: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 0);", timeout: 0)
    let (store, id) = (saving.store, try saving.id("Box", 1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            _ = try store.save(SaveRequest(updated: [SavedObject(id: id, attributes: ["name": "\(number)"])]))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try saving.rows("SELECT Z_OPT, ZNAME FROM ZBOX") == ["200|49"])
  }

  @Test func `a store that was opened to be read only is not written`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
    let store = try coordinator.openSQLiteStore(at: file.url, isReadOnly: true)
    let box = try #require(sketch.model.entitiesByName["Box"])
    try expectRefusal(of: file, NSFileWriteNoPermissionError, ["read only"]) {
      _ = try store.save(SaveRequest(inserted: [SavedObject(id: NSManagedObjectID(temporaryFor: box))]))
    }
  }

  @Test func `an attribute that the store has no column for is refused rather than lost`() throws {
    let saving = try SavingStore(shapes: "ALTER TABLE ZBOX DROP COLUMN ZNAME;")
    try expectRefusal(of: saving.file, NSPersistentStoreSaveError, ["no column for Box.name"]) {
      try saving.save(inserted: [saving.new("Box", ["name": "b"])])
    }
    try saving.save(inserted: [saving.new("Box", ["name": nil])])
  }

  private static let triggered = [
    "SampleModel2/Fixtures/SampleModel2_V1.sqlite", "SampleModel2/Fixtures/SampleModel2_V2.sqlite",
    "SampleModel2/Fixtures/_SampleModel2V2.sqlite", "SampleModel2/Fixtures/SampleModel2V1.sqlite",
  ]

  @Test(.corpus(cases: triggered.count), arguments: triggered)
  func `ODDITIES 11: a store whose triggers call functions of Core Data is not edited, and says which trigger`(
    path: String
  ) throws {
    let corpus = try #require(Corpus.found)
    let saving = try SavingStore(TemporaryStore(copying: corpus.store(path).url))
    try expectRefusal(
      of: saving.file, NSPersistentStoreOperationError, ["trigger Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT"]
    ) {
      try saving.save(updated: [saving.known("Page", 1, ["isBookmarked": true])])
    }
  }

  @Test func `other triggers run, and the rows they changed are the ones that are known afterwards`() throws {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a');
        CREATE TRIGGER louder AFTER UPDATE OF ZNAME ON ZBOX BEGIN UPDATE ZBOX SET ZNAME = upper(ZNAME) WHERE Z_PK = new.Z_PK; END;
        """)
    let box = try saving.known("Box", 1, ["name": "b"])
    try saving.save(updated: [box])
    #expect(try saving.rows("SELECT ZNAME FROM ZBOX") == ["B"])
    let context = try saving.file.context(of: saving.model)
    try context.performAndWait {
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
      #expect(found.first?.value(forKey: "name") as? String == "B")
    }
    // The row that the save left on the id is what the next save is based on.
    let row = box.id.slot.withLock { $0.row }
    try saving.save(updated: [SavedObject(id: box.id, snapshot: row, attributes: ["name": "c"])])
  }
}
