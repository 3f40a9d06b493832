import BrowserTestSupport
import Combine
import CoreData
import CoreDataKit
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// The browser's service over a plain SQLite file.
@Suite struct PlainServiceTests {
  private let file: TemporaryStore
  private let state: TemporaryDirectory

  init() throws {
    file = try TemporaryStore(
      named: "plain.db",
      sql: """
        CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, made);
        CREATE TABLE track (album_id INTEGER REFERENCES album, side TEXT, number INT, name TEXT, double INT AS (number * 2),
          PRIMARY KEY (album_id, side, number)) WITHOUT ROWID;
        CREATE VIEW names AS SELECT name FROM track;
        INSERT INTO album VALUES (1, 'First', 1999), (2, 'Second', 'later');
        INSERT INTO track (album_id, side, number, name) VALUES (1, 'a', 1, 'One'), (1, 'b', 1, 'Two'), (2, 'a', 1, 'Three');
        """)
    state = try TemporaryDirectory()
  }

  private func service(isReadOnly: Bool = false) -> LiveService {
    LiveService(url: file.url, isReadOnly: isReadOnly, environment: ["XDG_STATE_HOME": state.url.path])
  }

  private func answer<Output: Sendable>(_ publisher: AnyPublisher<Output, any Error>) async throws -> Output {
    for try await value in publisher.values { return value }
    throw CocoaError(.userCancelled)
  }

  @Test func `a plain file is browsed and drilled into, and not a byte of it changes`() async throws {
    let before = try file.fingerprint()
    let service = service(isReadOnly: true)
    let outline = try await answer(service.open())
    #expect(outline.isPlain && outline.remarks.isEmpty)
    #expect(outline.entities.map(\.name) == ["album", "names", "track"])
    let kinds = outline.entities[0].properties.map(\.kind)
    #expect(kinds == [.string, .integer, .any, .toMany(entity: "track", ordered: false)])
    let albums = try await answer(
      service.window(ListQuery(entity: "album"), columns: ["title", "made", "track"], at: .start, limit: 9))
    #expect(
      albums.rows.map(\.cells) == [
        [.text("First", length: 5), .integer(1999), .objects(count: 2)],
        [.text("Second", length: 6), .text("later", length: 5), .objects(count: 1)],
      ])
    let scope = ListQuery.Scope.related(to: albums.rows[0].key, relationship: "track")
    let tracks = try await answer(
      service.window(
        ListQuery(entity: "track", scope: scope), columns: ["name", "album", "double"], at: .start, limit: 9))
    #expect(
      tracks.rows.map(\.cells) == [
        [.text("One", length: 3), .object(albums.rows[0].key, title: "First"), .integer(2)],
        [.text("Two", length: 3), .object(albums.rows[0].key, title: "First"), .integer(2)],
      ])
    let record = try #require(try await answer(service.record(tracks.rows[1].key)))
    #expect(record.uri.hasPrefix("x-sqlite://") && record.version == nil && record.title == "Two")
    let double = try #require(record.fields.first { $0.property.name == "double" })
    #expect(double.property.whyReadOnly == "double is computed and cannot be edited")
    #expect(try await answer(service.count(entity: "names")) == 3)
    #expect(try file.fingerprint() == before)
  }

  @Test func `a keyed row that was found while the file was locked is edited once it is unlocked`() async throws {
    let service = service()
    _ = try await answer(service.open())
    let query = ListQuery(entity: "track", sort: [ListSortKey("name")])
    let key = try await answer(service.keys(query))[2]
    #expect(try await !answer(service.unlock()).isReadOnly)
    #expect(try await answer(service.edit(.set(key, property: "name", .text("New")))).result == .done)
    #expect(try await answer(service.edit(.save)).result == .saved(count: 1, keys: [:]))
    #expect(try file.write("SELECT album_id, side FROM track WHERE name = 'New';") == "1|b\n")
    let view = try await answer(service.keys(ListQuery(entity: "names")))[0]
    let refused = try await answer(service.edit(.delete([view]))).result
    #expect(refused == .refused("names is a view and cannot be edited"))
    let computed = try await answer(service.edit(.set(key, property: "double", .integer(9)))).result
    #expect(computed == .refused("double cannot be edited: it is computed"))
  }
}
