import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Containers, descriptions, and where stores come from (reference/CONTEXT.md 78 and 103 to 108).
@Suite struct ContainerTests {
  private func model() -> NSManagedObjectModel {
    let tag = ModelSketch.entity("Tag", [ModelSketch.attribute("name", .stringAttributeType)])
    let note = ModelSketch.entity("Note", [ModelSketch.attribute("name", .stringAttributeType)])
    tag.uniquenessConstraints = [["name"]]
    let model = ModelSketch.model([tag, note])
    model.setEntities([tag], forConfigurationName: "Tags")
    model.setEntities([note], forConfigurationName: "Notes")
    return model
  }

  private func container(_ descriptions: NSPersistentStoreDescription...) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: model())
    container.persistentStoreDescriptions = descriptions
    return container
  }

  /// Loads the stores of a container that loads them at once; the errors, one a store.
  private func load(_ container: NSPersistentContainer) -> [Int?] {
    let log = LifeLog()
    container.loadPersistentStores { _, error in log.add("\((error as NSError?)?.code ?? 0)") }
    return log.take().map { Int($0) }
  }

  private func names(_ context: NSManagedObjectContext, _ entity: String = "Tag") throws -> [String] {
    try context.performAndWait { try context.all(entity).compactMap { $0.value(forKey: "name") as? String }.sorted() }
  }

  private func save(_ container: NSPersistentContainer, _ entity: String = "Tag", _ names: String...) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for name in names { context.new(entity, name) }
      try context.save()
    }
  }

  @Test func `CONTEXT 104: a description has Apple's defaults, takes options and pragmas, and can be copied`() throws {
    let url = URL(fileURLWithPath: "/tmp/x.sqlite")
    let description = NSPersistentStoreDescription(url: url)
    #expect(description.type == NSSQLiteStoreType && description.url == url && description.configuration == nil)
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    #expect(!description.shouldAddStoreAsynchronously && !description.isReadOnly && description.timeout == 240)
    description.isReadOnly = true
    description.timeout = 2
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    description.configuration = "Tags"
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy !== description && copy == description && copy.isReadOnly && copy.timeout == 2)
    #expect(copy.options[NSReadOnlyPersistentStoreOption] == NSNumber(value: true))
    #expect(copy.sqlitePragmas == ["synchronous": "FULL" as NSString])
    copy.setValue(nil, forPragmaNamed: "synchronous")
    #expect(copy.sqlitePragmas.isEmpty && copy != description)
    #expect(NSPersistentStoreDescription().url == nil)
  }

  @Test func `CONTEXT 105: a container has one store by its name, and tells once a store when all are loaded`() throws {
    let plain = NSPersistentContainer(name: "Nowhere", managedObjectModel: model())
    let description = try #require(plain.persistentStoreDescriptions.first)
    #expect(plain.persistentStoreDescriptions.count == 1)
    #expect(description.url == NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Nowhere.sqlite"))
    #expect(plain.viewContext.concurrencyType == .mainQueueConcurrencyType)
    #expect(plain.viewContext.persistentStoreCoordinator === plain.persistentStoreCoordinator)
    #expect(NSPersistentContainer(name: "Nowhere").managedObjectModel.entities.isEmpty)
    let folder = try TemporaryDirectory()
    let container = container(
      NSPersistentStoreDescription(url: folder.url.appending(path: "a.sqlite")),
      NSPersistentStoreDescription(url: folder.url.appending(path: "missing/b.sqlite")))
    let errors = load(container)
    #expect(errors.count == 2 && errors[0] == 0 && errors[1] != 0)
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func `CONTEXT 105: a model is found by its name beside the program`() throws {
    let folder = Bundle.main.bundleURL.appendingPathComponent("Container-\(UUID().uuidString).resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = "Model\(UUID().uuidString.prefix(6))"
    try ModelWriter.writeCompiled(model(), to: folder.appendingPathComponent("\(name).mom"))
    #expect(NSPersistentContainer(name: name).managedObjectModel.entitiesByName.keys.sorted() == ["Note", "Tag"])
  }

  @Test func `CONTEXT 105: a store that is added asynchronously is told of when it is there`() async throws {
    let folder = try TemporaryDirectory()
    let description = NSPersistentStoreDescription(url: folder.url.appending(path: "a.sqlite"))
    description.shouldAddStoreAsynchronously = true
    let container = container(description)
    let failed: Bool = await withCheckedContinuation { continuation in
      container.loadPersistentStores { _, error in continuation.resume(returning: error != nil) }
    }
    #expect(!failed && container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func `CONTEXT 78: a background task has a context of its own each time, and may give a value`() async throws {
    let container = container(NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null")))
    #expect(load(container) == [0])
    let first = try await container.performBackgroundTask { context in
      context.new("Tag", "red")
      try context.save()
      return ObjectIdentifier(context) != ObjectIdentifier(container.viewContext) && context.queue.isCurrent
    }
    #expect(first)
    let names: [String] = await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        let found = (try? context.all("Tag"))?.compactMap { $0.value(forKey: "name") as? String }
        continuation.resume(returning: found ?? [])
      }
    }
    #expect(names == ["red"])
    await #expect(throws: CocoaError.self) {
      try await container.performBackgroundTask { _ in throw CocoaError(.userCancelled) }
    }
  }

  @Test func `CONTEXT 103: stores at dev null are in memory, each its own, and gone when they are closed`() throws {
    let null = URL(fileURLWithPath: "/dev/null")
    let (one, two) = (container(NSPersistentStoreDescription(url: null)), container(.init(url: null)))
    #expect(load(one) == [0] && load(two) == [0])
    try save(one, "Tag", "red", "blue")
    #expect(try names(one.newBackgroundContext()) == ["blue", "red"])
    #expect(try names(two.newBackgroundContext()) == [])
    let store = try #require(one.persistentStoreCoordinator.persistentStores.first as? SQLiteStore)
    #expect(store.type == NSSQLiteStoreType && store.url == null)
    let file = store.fileURL
    #expect(FileManager.default.fileExists(atPath: file.path))
    // It has rules like any SQLite store.
    #expect(code { try save(one, "Tag", "red") } == NSManagedObjectConstraintMergeError)
    let device = try FileManager.default.attributesOfItem(atPath: null.path)
    #expect(device[.type] as? FileAttributeType == .typeCharacterSpecial)
    let gone = try memoryFile()
    #expect(!FileManager.default.fileExists(atPath: gone.path))
  }

  /// Where a store in memory was that nobody holds any more.
  private func memoryFile() throws -> URL {
    let container = container(.init(url: URL(fileURLWithPath: "/dev/null")))
    #expect(load(container) == [0])
    try save(container, "Tag", "red")
    let file = try #require(container.persistentStoreCoordinator.persistentStores.first as? SQLiteStore).fileURL
    #expect(FileManager.default.fileExists(atPath: file.path))
    return file
  }

  @Test func `CONTEXT 60 and 103: a store of the type in memory holds values that should be unique twice`() throws {
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    let container = container(description)
    #expect(load(container) == [0])
    try save(container, "Tag", "red", "red")
    #expect(try names(container.newBackgroundContext()) == ["red", "red"])
    #expect(container.persistentStoreCoordinator.persistentStores.first?.type == NSInMemoryStoreType)
    #expect(
      code { try container.persistentStoreCoordinator.addPersistentStore(ofType: "Binary", at: nil) }
        == NSPersistentStoreInvalidTypeError)
  }

  @Test
  func
    `CONTEXT 106: metadata say what a store is, and a store of another model is opened only when versions are ignored`()
    throws
  {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "a.sqlite")
    let container = container(NSPersistentStoreDescription(url: url))
    #expect(load(container) == [0])
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    for metadata in [
      store.metadata, try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url),
    ] {
      #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
      #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
      #expect((metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Note", "Tag"])
      #expect(metadata["NSPersistenceFrameworkVersion"] != nil)
      #expect(metadata[NSStoreModelVersionIdentifiersKey] != nil)
    }
    try container.persistentStoreCoordinator.remove(store)
    let other = NSPersistentStoreCoordinator(
      managedObjectModel: ModelSketch.model([
        ModelSketch.entity(
          "Tag",
          [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("more", .dateAttributeType)])
      ]))
    #expect(
      code { try other.addPersistentStore(ofType: NSSQLiteStoreType, at: url) }
        == NSPersistentStoreIncompatibleVersionHashError)
    #expect(
      code { try other.addPersistentStore(ofType: NSXMLStoreType, at: url) } == NSPersistentStoreTypeMismatchError)
    #expect(other.persistentStores.isEmpty)
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: [NSIgnorePersistentStoreVersioningOption: NSNumber(value: true)])
    #expect(other.persistentStores.count == 1)
  }

  @Test func `CONTEXT 107: adding and removing are posted, and a migrated store is added before the old one goes`()
    throws
  {
    let folder = try TemporaryDirectory()
    let (old, new) = (folder.url.appending(path: "old.sqlite"), folder.url.appending(path: "new.sqlite"))
    let container = container(NSPersistentStoreDescription(url: old))
    let coordinator = container.persistentStoreCoordinator
    let log = LifeLog()
    let observers = [
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
      ) { note in
        for key in [NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey] {
          for store in note.userInfo?[key] as? [NSPersistentStore] ?? [] {
            log.add("\(key) \(store.url?.lastPathComponent ?? "")")
          }
        }
      },
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
      ) { note in
        guard let store = note.object as? NSPersistentStore, store.url == old else { return }
        log.add("will remove \(store.url?.lastPathComponent ?? "")")
      },
    ]
    #expect(load(container) == [0])
    try save(container, "Tag", "red")
    #expect(log.take() == ["added old.sqlite"])
    let store = try #require(coordinator.persistentStores.first)
    let moved = try coordinator.migratePersistentStore(store, to: new, withType: NSSQLiteStoreType)
    #expect(log.take() == ["added new.sqlite", "will remove old.sqlite", "removed old.sqlite"])
    #expect(coordinator.persistentStores == [moved] && coordinator.url(for: moved) == new)
    #expect(try names(container.newBackgroundContext()) == ["red"])
    #expect(FileManager.default.fileExists(atPath: old.path))
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  @Test func `CONTEXT 108: a store is destroyed with all that lies beside it, once it is closed`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "a.sqlite")
    let container = container(NSPersistentStoreDescription(url: url))
    let coordinator = container.persistentStoreCoordinator
    #expect(load(container) == [0])
    try save(container, "Tag", "red")
    let destroy = { try coordinator.destroyPersistentStore(at: url, type: .sqlite) }
    #expect(code(destroy) == NSPersistentStoreOperationError)
    #expect(try names(container.newBackgroundContext()) == ["red"])
    let store = try #require(coordinator.persistentStores.first)
    try coordinator.remove(store)
    try destroy()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    try destroy()
    #expect(load(container) == [0])
    #expect(try names(container.newBackgroundContext()) == [])
  }

  @Test func `CONTEXT 108: a store replaces another with what is in its log, and the source stays as it is`() throws {
    let folder = try TemporaryDirectory()
    let (source, target) = (folder.url.appending(path: "s.sqlite"), folder.url.appending(path: "t.sqlite"))
    let (one, two) = (container(.init(url: source)), container(.init(url: target)))
    #expect(load(one) == [0] && load(two) == [0])
    try save(one, "Tag", "red", "blue")
    try save(two, "Tag", "green")
    let coordinator = two.persistentStoreCoordinator
    let replace = {
      try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: source, type: .sqlite)
    }
    #expect(code(replace) == NSPersistentStoreOperationError)
    let open = try #require(coordinator.persistentStores.first)
    try coordinator.remove(open)
    // The source is open, and a part of it is in its log alone.
    try replace()
    #expect(load(two) == [0])
    #expect(try names(two.newBackgroundContext()) == ["blue", "red"])
    try save(one, "Tag", "grey")
    #expect(try names(one.newBackgroundContext()) == ["blue", "grey", "red"])
    #expect(try names(two.newBackgroundContext()) == ["blue", "red"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `new objects go to the store whose configuration has their entity, or to the one they are assigned to`()
    throws
  {
    let folder = try TemporaryDirectory()
    let (tags, notes) = (
      NSPersistentStoreDescription(url: folder.url.appending(path: "tags.sqlite")),
      NSPersistentStoreDescription(url: folder.url.appending(path: "notes.sqlite"))
    )
    (tags.configuration, notes.configuration) = ("Tags", "Notes")
    let container = container(tags, notes)
    #expect(load(container) == [0, 0])
    let stores = container.persistentStoreCoordinator.persistentStores
    #expect(stores.map(\.configurationName) == ["Tags", "Notes"])
    #expect((stores[1].metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Note"])
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let (tag, note) = (context.new("Tag", "red"), context.new("Note", "one"))
      try context.obtainPermanentIDs(for: [note])
      try context.save()
      #expect(tag.objectID.persistentStore === stores[0] && note.objectID.persistentStore === stores[1])
    }
    #expect(try names(context) == ["red"])
    #expect(try names(context, "Note") == ["one"])
    let plain = self.container(
      .init(url: folder.url.appending(path: "1.sqlite")), .init(url: folder.url.appending(path: "2.sqlite")))
    #expect(load(plain) == [0, 0])
    let second = plain.persistentStoreCoordinator.persistentStores[1]
    let other = plain.newBackgroundContext()
    try other.performAndWait {
      let (here, there) = (other.new("Tag", "here"), other.new("Tag", "there"))
      other.assign(there, to: second)
      try other.save()
      #expect(here.objectID.persistentStore !== second && there.objectID.persistentStore === second)
    }
    let (reopened, lone) = (self.container(tags), self.container(notes))
    #expect(load(lone) == [0])
    #expect(load(reopened) == [0])
    #expect(code { try save(lone, "Tag", "blue") } == NSPersistentStoreSaveError)
  }

  @Test func `CONTEXT 61: when only a part of the stores could be written, error 134040 says which was not`() throws {
    let folder = try TemporaryDirectory()
    let first = NSPersistentStoreDescription(url: folder.url.appending(path: "notes.sqlite"))
    let second = NSPersistentStoreDescription(url: folder.url.appending(path: "tags.sqlite"))
    (first.configuration, second.configuration) = ("Notes", "Tags")
    let container = container(first, second)
    #expect(load(container) == [0, 0])
    try save(container, "Tag", "red")
    let context = container.newBackgroundContext()
    context.performAndWait {
      context.new("Note", "one")
      let tag = context.new("Tag", "red")
      do {
        try context.save()
        Issue.record("the value is there twice")
      } catch {
        let error = error as NSError
        #expect(error.code == NSPersistentStoreIncompleteSaveError)
        let affected = error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
        #expect(affected?.map(\.configurationName) == ["Tags"])
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSManagedObjectConstraintMergeError)
      }
      #expect(context.insertedObjects == [tag])
    }
    #expect(try names(container.newBackgroundContext(), "Note") == ["one"])
    #expect(try names(container.newBackgroundContext()) == ["red"])
  }

  @Test func `pragmas of a description are set on the connections`() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    description.setValue("77" as NSString, forPragmaNamed: "cache_size")
    let container = container(description)
    #expect(load(container) == [0])
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first as? SQLiteStore)
    #expect(try store.withConnection { try $0.rows("PRAGMA cache_size") } == [[.integer(77)]])
  }
}
