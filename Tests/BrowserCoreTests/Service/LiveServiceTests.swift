import BrowserTestSupport
import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// The browser's service over a real file.
@Suite struct LiveServiceTests {
  private func answer<Output: Sendable>(_ publisher: AnyPublisher<Output, any Error>) async throws -> Output {
    for try await value in publisher.values { return value }
    throw CocoaError(.userCancelled)
  }

  @Test func `the outline tells name, model, access, entities and the first that has rows`() async throws {
    let store = try LibraryStore()
    try store.file.write("PRAGMA wal_checkpoint(TRUNCATE);")
    let before = try store.file.fingerprint()
    let outline = try await answer(LiveService(url: store.file.url, isReadOnly: true).open())
    #expect(outline.name == "Library.sqlite")
    #expect(outline.modelSource == "model: cached in store")
    #expect(outline.isReadOnly)
    #expect(outline.remarks.isEmpty)
    #expect(outline.entities.map(\.name) == ["Author", "Book", "Novel", "Tag"])
    #expect(outline.entities.map(\.depth) == [0, 0, 1, 0])
    #expect(outline.entities.map(\.number) == [1, 2, 3, 4])
    #expect(outline.firstWithRows == "Author")
    let book = outline.entities[1].properties
    #expect(book.first?.name == "title")
    #expect(
      book.map(\.name) == [
        "title", "added", "code", "cover", "done", "pages", "price", "rating", "score", "site", "author", "tags",
      ])
    #expect(book.first { $0.name == "author" }?.kind == .toOne(entity: "Author"))
    #expect(outline.entities[0].properties.first { $0.name == "books" }?.kind == .toMany(entity: "Book", ordered: true))
    #expect(book.filter { !$0.isSortable }.map(\.name) == ["cover", "author", "tags"])
    #expect(try store.file.fingerprint() == before)
  }

  @Test func `rows, keys, counts and a record`() async throws {
    let store = try LibraryStore()
    let service = LiveService(url: store.file.url, isReadOnly: false)
    service.prepare()
    #expect(try await answer(service.count(entity: "Book")) == 2)
    let query = ListQuery(entity: "Book", sort: [ListSortKey("title")])
    let keys = try await answer(service.keys(query))
    #expect(keys[0..<3].map(\.primaryKey) == [2, 3, 1])
    let window = try await answer(service.window(query, columns: ["author", "tags"], at: .start, limit: 10))
    #expect(window.rows.map(\.key) == keys[0..<3])
    #expect(
      window.rows.last?.cells == [.object(ObjectKey(entity: 1, primaryKey: 1), title: "Ann"), .objects(count: 2)])
    let detail = try #require(try await answer(service.record(ObjectKey(entity: 2, primaryKey: 2))))
    #expect(detail.entity == "Novel")
    #expect(detail.uri == "x-coredata://STORE/Novel/p2")
    #expect(detail.version == 1)
    #expect(detail.fields.contains { $0.property.name == "genre" && $0.value == .text("a\tb\\c", length: 5) })
    #expect(try await answer(service.record(ObjectKey(entity: 2, primaryKey: 99))) == nil)
  }

  @Test func `what outdates a snapshot is told by object to those who follow, time and again`() async throws {
    let store = try LibraryStore()
    try store.file.write("PRAGMA wal_checkpoint(TRUNCATE);")
    let service = LiveService(url: store.file.url, isReadOnly: true)
    let query = ListQuery(entity: "Book", sort: [ListSortKey("title")])
    var lists = service.monitor(query, columns: ["title"]).values.makeAsyncIterator()
    var events = service.events().setFailureType(to: (any Error).self).values.makeAsyncIterator()
    #expect(try await events.next() == .liveness(.snapshot))
    guard case .initial = try await lists.next() else { return #expect(Bool(false)) }
    var (number, told) = (0, 0)
    // Of what is committed before every row is known, which no event tells, it is said that something was.
    while told < 3, number < 100 {
      number += 1
      let title = "Title \(number)"
      try store.file.write("UPDATE ZBOOK SET ZTITLE = '\(title)', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;")
      var changes: StoreChanges?
      while changes == nil, let event = try await events.next() {
        if case .changes(let next) = event, !next.isEmpty || !next.isComplete { changes = next }
      }
      let step = try await lists.next()
      guard changes?.isComplete == true else { continue }
      told += 1
      #expect(changes?.changes.map(\.key.primaryKey) == [1])
      guard case .update(let update) = step else { return #expect(Bool(false), "\(String(describing: step))") }
      #expect(update.changes.changes.map(\.key.primaryKey) == [1])
      #expect(update.rows.values.map(\.cells) == [[.text(title, length: title.count)]])
    }
    #expect(told == 3)
  }

  @Test func `a store that cannot be opened is told by every question, and can be tried again`() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "Later.sqlite")
    let service = LiveService(url: url, isReadOnly: true)
    service.prepare()
    await #expect(throws: CocoaError.self) { try await answer(service.open()) }
    await #expect(throws: CocoaError.self) { try await answer(service.count(entity: "Book")) }
    let store = try LibraryStore()
    try store.file.write("PRAGMA wal_checkpoint(TRUNCATE);")
    try FileManager.default.copyItem(at: store.file.url, to: url)
    #expect(try await answer(service.count(entity: "Book")) == 2)
  }
}
