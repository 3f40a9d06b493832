import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What is no store says what it is instead, and stays as it was.
@Suite struct OpeningErrorTests {
  private let model = ModelSketch.model([
    ModelSketch.entity("Item", [ModelSketch.attribute("name", .stringAttributeType)])
  ])

  private func error(at url: URL, isReadOnly: Bool = true) -> NSError? {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
      return nil
    } catch {
      #expect(coordinator.persistentStores.isEmpty)
      return error as NSError
    }
  }

  private func write(_ bytes: [UInt8], into folder: TemporaryDirectory) throws -> URL {
    let url = folder.url.appending(path: "File.sqlite")
    try Data(bytes).write(to: url)
    return url
  }

  @Test func `a missing file is named`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "None.sqlite")
    let error = try #require(self.error(at: url))
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == CocoaError.fileReadNoSuchFile.rawValue)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == url.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: [true, false])
  func `a folder is no store`(isReadOnly: Bool) throws {
    let folder = try TemporaryDirectory()
    let error = try #require(self.error(at: folder.url, isReadOnly: isReadOnly))
    #expect(error.code == CocoaError.fileReadUnknown.rawValue)
  }

  @Test(arguments: [true, false])
  func `empty, foreign, short and encrypted files are corrupt`(isReadOnly: Bool) throws {
    var random = SystemRandomNumberGenerator()
    let encrypted = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &random) }
    let contents: [[UInt8]] = [
      [], Array("hello\n".utf8), Array("SQLite format 3\0".utf8), Array("<?xml version=\"1.0\"?><html/>".utf8),
      encrypted,
    ]
    for bytes in contents {
      let folder = try TemporaryDirectory()
      let url = try write(bytes, into: folder)
      let error = try #require(self.error(at: url, isReadOnly: isReadOnly), "\(bytes.prefix(20))")
      #expect(error.code == CocoaError.fileReadCorruptFile.rawValue, "\(bytes.prefix(20)) \(error)")
      #expect(try Data(contentsOf: url) == Data(bytes))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }
  }

  @Test(
    arguments: [
      ([], "the file is empty"), (Array("hello".utf8), "not a SQLite database"),
      (Array("SQLite format 3\0abc".utf8), "a SQLite database that is cut short"),
      (Array("PK\u{3}\u{4}".utf8) + [20, 0], "a ZIP archive"), ([0x1F, 0x8B, 8], "compressed by gzip"),
      ([UInt8](repeating: 0, count: 16) + Array("T-DB".utf8), "a Realm database"),
      ([0x37, 0x7F, 0x06, 0x82, 0, 0], "open the file without -wal"),
      (Array("momv2$!!!aeroiew".utf8), "an optimised model (.omo), not a store"),
      (Array("bplist00".utf8) + [0xD0], "binary (atomic) kind cannot be read here"),
      (Array("bplist00".utf8) + Array("..NSManagedObjectModel".utf8), "storebrowser model"),
    ] as [([UInt8], String)])
  func `a file that is no store is told what it is`(_ bytes: [UInt8], _ words: String) throws {
    let folder = try TemporaryDirectory()
    let error = try #require(self.error(at: try write(bytes, into: folder)))
    let text = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    #expect(text.contains(words), "\(text)")
  }

  @Test(arguments: [4_096, 512, 1_024, 40_960]) func `what looks encrypted is told so, and other pages are not`(
    _ size: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(size))
    let noise = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = (0..<size).map { _ in UInt8.random(in: 32...126, using: &random) }
    for (bytes, isEncrypted) in [(noise, true), (text, false), (noise + [1], false)] {
      let folder = try TemporaryDirectory()
      let error = try #require(self.error(at: try write(bytes, into: folder)))
      let words = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
      #expect(words.contains("it looks encrypted") == isEncrypted, "\(words)")
    }
  }

  @Test func `a store cut short anywhere opens or fails with an error, and is not changed`() throws {
    let store = try TemporaryStore(model: model) { context in
      for index in 0..<500 {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue(String(repeating: "x", count: index), forKey: "name")
      }
    }
    let whole = try Array(Data(contentsOf: store.url))
    var failures = 0
    for length in [100, 101, 512, 4_095, 4_096, 8_192, 12_288, whole.count / 2, whole.count - 4_096, whole.count - 1] {
      let folder = try TemporaryDirectory()
      let url = try write(Array(whole.prefix(length)), into: folder)
      if let error = self.error(at: url) {
        failures += 1
        #expect(error.domain == NSCocoaErrorDomain)
        #expect([NSPersistentStoreOpenError, NSPersistentStoreTypeMismatchError].contains(error.code), "\(error)")
      } else {
        let opened = try TemporaryStore(copying: url)
        let context = try opened.context(of: model)
        context.performAndWait { _ = try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) }
      }
      #expect(try Array(Data(contentsOf: url)) == Array(whole.prefix(length)))
    }
    #expect(failures > 3)
  }

  @Test func `a database without the framework's tables is of another type`() throws {
    let store = try TemporaryStore(sql: "CREATE TABLE T (a);")
    #expect(self.error(at: store.url)?.code == NSPersistentStoreTypeMismatchError)
  }

  @Test func `a store of another model is refused and does not stay open`() throws {
    let other = ModelSketch.model([ModelSketch.entity("Item", [ModelSketch.attribute("name", .dateAttributeType)])])
    let store = try TemporaryStore(model: other)
    #expect(self.error(at: store.url)?.code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func `an unknown type of store is refused`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect {
      try coordinator.addPersistentStore(ofType: "Carrier Pigeon", at: nil)
    } throws: { ($0 as NSError).code == NSPersistentStoreInvalidTypeError }
  }

  @Test func `a file locked by a writer is an error once the timeout is over`() throws {
    let store = try TemporaryStore(model: model)
    try store.write("PRAGMA journal_mode = DELETE;")
    let writer = try SQLiteShell(store.url)
    try writer.run("BEGIN EXCLUSIVE; UPDATE Z_PRIMARYKEY SET Z_MAX = 7;")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, at: store.url,
        options: [
          NSReadOnlyPersistentStoreOption: NSNumber(value: true), NSPersistentStoreTimeoutOption: NSNumber(value: 0),
        ])
    } throws: { error in
      let error = error as NSError
      return error.code == NSPersistentStoreOpenError && (error.userInfo[NSSQLiteErrorDomain] as? NSNumber) == 5
    }
    try writer.run("ROLLBACK;")
  }
}
