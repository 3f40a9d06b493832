import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ModelVersionsTests {
  /// The library in three versions, which differ in the optionality of a title, and in an entity.
  private static func versions() throws -> [ModelWriter.Version] {
    let second = SampleModels.library()
    try #require(second.entitiesByName["Publication"]?.attributesByName["title"]).isOptional = true
    let third = SampleModels.library()
    let shelf = NSEntityDescription()
    shelf.name = "Shelf"
    third.entities.append(shelf)
    return [("One", SampleModels.library()), ("Two 2", second), ("Three", third)]
  }

  /// A folder of source versions, the current one named when there is a name.
  private static func source(in folder: URL, current: String?) throws -> URL {
    let bundle = folder.appending(path: "Library.xcdatamodeld")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    for (name, model) in try versions() {
      try ModelWriter.writeSource(model, to: bundle.appending(path: name + ".xcdatamodel"))
    }
    if let current {
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>
        """
      try Data(text.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
    }
    return bundle
  }

  @Test func `a momd serves the store of any of its versions`() throws {
    let folder = try TemporaryDirectory()
    let bundle = folder.url.appending(path: "Library.momd")
    try ModelWriter.writeCompiled(try Self.versions(), current: "Two 2", to: bundle)
    for (name, model) in try Self.versions() {
      let located = try NSManagedObjectModel.model(at: bundle, matching: model.entityVersionHashesByName)
      #expect(located?.version == name)
      #expect(located?.url.lastPathComponent == name + ".mom")
    }
    #expect(try NSManagedObjectModel.model(at: bundle, matching: ["Other": Data()]) == nil)
    #expect(try NSManagedObjectModel.models(at: bundle).map(\.version) == ["Two 2", "One", "Three"])
    let current = try NSManagedObjectModel(readingFrom: bundle)
    #expect(current.entityVersionHashesByName == (try Self.versions())[1].model.entityVersionHashesByName)
  }

  @Test func `VersionInfo records what the framework looks for`() throws {
    let folder = try TemporaryDirectory()
    let bundle = folder.url.appending(path: "Library.momd")
    let versions = try Self.versions()
    try ModelWriter.writeCompiled(versions, current: "One", to: bundle)
    let data = try Data(contentsOf: bundle.appending(path: "VersionInfo.plist"))
    let info = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(info["NSManagedObjectModel_CurrentVersionName"] as? String == "One")
    let hashes = try #require(info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let checksums = try #require(info["NSManagedObjectModel_VersionChecksums"] as? [String: String])
    for (name, model) in versions {
      #expect(hashes[name] == model.entityVersionHashesByName)
      #expect(checksums[name] == model.versionChecksum)
    }
  }

  @Test func `a version whose file is missing or damaged does not keep the others from serving`() throws {
    let folder = try TemporaryDirectory()
    let bundle = folder.url.appending(path: "Library.momd")
    let versions = try Self.versions()
    try ModelWriter.writeCompiled(versions, current: "One", to: bundle)
    try FileManager.default.removeItem(at: bundle.appending(path: "One.mom"))
    try Data("bplist00 damaged".utf8).write(to: bundle.appending(path: "Three.mom"))
    #expect(try NSManagedObjectModel.models(at: bundle).map(\.version) == ["Two 2"])
    let hashes = versions[1].model.entityVersionHashesByName
    #expect(try NSManagedObjectModel.model(at: bundle, matching: hashes)?.version == "Two 2")
    try FileManager.default.removeItem(at: bundle.appending(path: "Two 2.mom"))
    #expect(throws: CocoaError.self) { try NSManagedObjectModel.models(at: bundle) }
  }

  @Test(arguments: [nil, "Two 2", "Not there"])
  func `an xcdatamodeld serves the store of any of its versions`(current: String?) throws {
    let folder = try TemporaryDirectory()
    let bundle = try Self.source(in: folder.url, current: current)
    for (name, model) in try Self.versions() {
      let located = try NSManagedObjectModel.model(at: bundle, matching: model.entityVersionHashesByName)
      #expect(located?.version == name)
      #expect(located?.url.lastPathComponent == name + ".xcdatamodel")
    }
    #expect(try NSManagedObjectModel.models(at: bundle).first?.version == (current == "Two 2" ? "Two 2" : "One"))
  }

  @Test func `a store is opened with the version that made it, given or beside it`() throws {
    for (name, model) in try Self.versions() {
      let store = try TemporaryStore(model: model)
      let folder = try TemporaryDirectory()
      let bundle = folder.url.appending(path: "Library.momd")
      try ModelWriter.writeCompiled(try Self.versions(), current: "One", to: bundle)
      let given = try StoreModel(forStoreAt: store.url, given: bundle)
      #expect(given.model.entityVersionHashesByName == model.entityVersionHashesByName)
      #expect(given.source == .given(bundle.appending(path: name + ".mom")))
      try store.write("DELETE FROM Z_MODELCACHE")
      try FileManager.default.moveItem(at: bundle, to: store.directory.url.appending(path: "Library.momd"))
      let beside = try StoreModel(forStoreAt: store.url)
      #expect(beside.model.entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  @Test func `a model beside a store without hashes serves only when it has the store's entities`() throws {
    let model = try Self.versions()[2].model
    let store = try TemporaryStore(model: model)
    try store.write("DELETE FROM Z_MODELCACHE; UPDATE Z_METADATA SET Z_PLIST = NULL")
    try ModelWriter.writeCompiled(SampleModels.everything(), to: store.directory.url.appending(path: "Another.mom"))
    #expect(try StoreModel(forStoreAt: store.url).source == .inferred)
    let file = store.directory.url.appending(path: "Third.mom")
    try ModelWriter.writeCompiled(model, to: file)
    guard case .beside(let found) = try StoreModel(forStoreAt: store.url).source else {
      Issue.record("the model beside the store was not taken")
      return
    }
    #expect(found.lastPathComponent == "Third.mom")
  }

  @Test func `the refusal of a wrong model names what differs`() throws {
    let versions = try Self.versions()
    let store = try TemporaryStore(model: versions[2].model)
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "Two.mom")
    try ModelWriter.writeCompiled(versions[1].model, to: file)
    let error = #expect(throws: (any Error).self) { try StoreModel(forStoreAt: store.url, given: file) }
    #expect(
      error?.localizedDescription.contains(
        """
        these entities differ: Book (Publication.title optional: yes in the model, no in the store), \
        Publication (title optional: yes in the model, no in the store), Shelf (not in the model)
        """) == true, "\(error?.localizedDescription ?? "")")
    // Where the store carries no model, the hashes name the entities.
    try store.write("DELETE FROM Z_MODELCACHE")
    let second = #expect(throws: (any Error).self) { try StoreModel(forStoreAt: store.url, given: file) }
    #expect(
      second?.localizedDescription.contains("these entities differ: Book, Publication, Shelf (not in the model)")
        == true)
  }

  @Test func `an optimised file leads to the mom beside it, or says what to do`() throws {
    let folder = try TemporaryDirectory()
    let optimised = folder.url.appending(path: "Library.omo")
    try Data("momv2$!!!aeroiew and more".utf8).write(to: optimised)
    for place in [optimised, folder.url] {
      let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: place) }
      #expect(error?.localizedDescription.contains("pass the .mom or .xcdatamodeld") == true)
    }
    try ModelWriter.writeCompiled(SampleModels.library(), to: folder.url.appending(path: "Library.mom"))
    #expect(try NSManagedObjectModel(readingFrom: optimised) == SampleModels.library())
    #expect(try NSManagedObjectModel(readingFrom: folder.url) == SampleModels.library())
  }

  @Test func `a file is told by its content and not by its name`() throws {
    let folder = try TemporaryDirectory()
    let compiled = folder.url.appending(path: "archive.txt")
    try ModelWriter.writeCompiled(SampleModels.library(), to: compiled)
    #expect(try NSManagedObjectModel(readingFrom: compiled) == SampleModels.library())
    let source = folder.url.appending(path: "source.bin")
    try Data(SampleModels.xml.utf8).write(to: source)
    #expect(try NSManagedObjectModel(readingFrom: source).entities.count == 3)
    let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: folder.url) }
    #expect(error?.localizedDescription.contains("the folder holds no model") == true)
  }

  @Test func `for every store of the corpus the right version is found among those listed for it`() throws {
    var found = 0
    for store in try ModelCorpus.stores() {
      guard let metadata = store.metadata else { continue }
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      for path in store.exactModels {
        let file = try ModelCorpus.url(path)
        guard try NSManagedObjectModel(readingFrom: file).entityVersionHashesByName == hashes else { continue }
        // Up to the folder that holds all versions.
        var bundle = file
        while !["momd", "xcdatamodeld"].contains(bundle.pathExtension), bundle.pathComponents.count > 2 {
          bundle.deleteLastPathComponent()
        }
        guard bundle.pathComponents.count > 2 else { continue }
        let located = try NSManagedObjectModel.model(at: bundle, matching: hashes)
        #expect(located?.model.entityVersionHashesByName == hashes, "\(store.path) \(path)")
        found += 1
      }
    }
    print("versions found by the hashes of stores: \(found)")
    #expect(ModelCorpus.folder == nil || found > 70)
  }
}
