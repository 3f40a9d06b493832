import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Stores found in folders by their content.
@Suite struct StoreSearchTests {
  private let folder: TemporaryDirectory
  private let model = ModelSketch.model([
    ModelSketch.entity("Item", [ModelSketch.attribute("name", .stringAttributeType)])
  ])

  init() throws {
    folder = try TemporaryDirectory()
    for path in ["AppData/Library/Application Support", "AppData/.Items_SUPPORT", "Items.momd", "A.xcmappingmodel"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: path))
  }

  @Test func `stores are found whatever their names are, Core Data's first`() throws {
    let items = folder.url.appending(path: "AppData/Library/Application Support/no-ending")
    try SQLiteStoreCreator(model: model).createStore(at: items)
    try write(XMLStoreTests.text, to: "AppData/recipes.dat")
    let plain = try TemporaryStore(named: "plain.db", sql: "CREATE TABLE a (b);")
    try FileManager.default.copyItem(at: plain.url, to: folder.url.appending(path: "AppData/.hidden"))
    try write("SQLite format 4", to: "AppData/other.sqlite")
    try write(XMLStoreTests.text, to: "A.xcmappingmodel/xcmapping.xml")
    try write(XMLStoreTests.text, to: "AppData/.Items_SUPPORT/large")
    try write("", to: "Items.momd/Items.mom")
    try write("", to: "AppData/Alone.mom")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "round"), withDestinationURL: folder.url)
    let search = try StoreSearch(in: folder.url)
    #expect(
      search.stores.map(\.path) == [
        "AppData/Library/Application Support/no-ending", "AppData/recipes.dat", "AppData/.hidden",
      ])
    #expect(search.stores.map(\.kind) == [.coreData, .xml, .sqlite])
    #expect(search.models.map(\.lastPathComponent) == ["Alone.mom", "Items.momd"])
    #expect(search.unreadable.isEmpty)
  }

  @Test func `a store whose rows are all in its log counts with it`() throws {
    let url = folder.url.appending(path: "Items.sqlite")
    try SQLiteStoreCreator(model: model).createStore(at: url)
    let before = try #require(try StoreSearch(in: folder.url).stores.first)
    try write(String(repeating: "x", count: 5_000), to: "Items.sqlite-wal")
    #expect(try StoreSearch(in: folder.url).stores.first?.size == before.size + 5_000)
  }

  @Test func `the model of a store may lie anywhere in the folder`() throws {
    let url = folder.url.appending(path: "AppData/Library/Application Support/Items.sqlite")
    try SQLiteStoreCreator(model: model).createStore(at: url)
    let file = folder.url.appending(path: "Items.mom")
    try Data(try ModelArchiveWriter.bytes(model, layout: .compiled)).write(to: file)
    #expect(try ProcessRun("sqlite3", [url.path, "DELETE FROM Z_MODELCACHE"]).status == 0)
    let found = try StoreModel(forStoreAt: url, among: try StoreSearch(in: folder.url).models)
    #expect(found.source == .beside(file))
  }

  @Test func `a folder that is not there is an error`() {
    #expect(throws: CocoaError.self) { try StoreSearch(in: folder.url.appending(path: "none")) }
  }
}
