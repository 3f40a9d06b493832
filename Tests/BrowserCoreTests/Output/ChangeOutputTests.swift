import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// The lines of `watch` and `--dry-run` (CLI.md).
@Suite struct ChangeOutputTests {
  private let store: LibraryStore
  private let writer: ChangeOutput

  init() throws {
    store = try LibraryStore()
    let context = try store.file.context(of: LibraryStore.model())
    writer = ChangeOutput(try context.performAndWait { try context.listStoreSummary() })
  }

  private let date = Date(timeIntervalSinceReferenceDate: 0.25)

  private func line(
    _ change: StoreChanges.Change, values: OutputRow = [], related: OutputRow = [],
    transaction: StoreChanges.Transaction? = nil
  ) -> String {
    writer.line(change, date: date, transaction: transaction, values: values, related: related)
  }

  @Test func `an update has old and new, in bytewise order, and who made it`() {
    let change = StoreChanges.Change(
      .update, ObjectKey(entity: 2, primaryKey: 1),
      properties: [
        "title": .init(old: .text("a"), new: .text("b\"")), "pages": .init(old: nil, new: .integer(7)),
        "Added": .init(old: .null, new: .date(date)),
      ])
    #expect(
      line(change, values: [("title", .string("b\""))], transaction: .init(author: "me", context: nil))
        == #"{"at": "2001-01-01T00:00:00.25Z", "type": "update", "objectID": "x-coredata://STORE/Book/p1", "#
        + #""entity": "Book", "changed": {"Added": [null, "2001-01-01T00:00:00.25Z"], "pages": [7], "#
        + #""title": ["a", "b\""]}, "values": {"title": "b\""}, "transaction": {"author": "me", "context": null}}"#)
  }

  @Test func `an insert has no old values, a delete no new ones and nothing left`() {
    let insert = StoreChanges.Change(
      .insert, ObjectKey(entity: 3, primaryKey: -1), properties: ["genre": .init(old: nil, new: .text("g"))])
    #expect(
      line(insert).hasSuffix(
        #""objectID": "x-coredata:///Novel/t1", "entity": "Novel", "changed": {"genre": [null, "g"]}, "values": {}}"#))
    let delete = StoreChanges.Change(
      .delete, ObjectKey(entity: 4, primaryKey: 10), properties: ["name": .init(old: .text("green"), new: nil)])
    #expect(line(delete).hasSuffix(#""changed": {"name": ["green", null]}, "values": {}}"#))
  }

  @Test func `what is not known is left out, or taken from the object as it is now`() {
    let key = ObjectKey(entity: 2, primaryKey: 1)
    #expect(line(.init(.update, key)).contains(#""changed": null, "#))
    let change = StoreChanges.Change(
      .update, key, properties: ["tags": .init(old: nil, new: nil), "title": .init(old: .text("a"), new: nil)])
    let text = line(
      change, values: [("tags", .number("2")), ("title", .string("long"))],
      related: [("tags", OutputValue(json: "[\"u\"]", text: "u"))])
    #expect(text.contains(#""changed": {"tags": [["u"]], "title": ["a", "long"]}"#))
    #expect(text.contains(#""values": {"tags": 2, "title": "long"}"#))
  }

  @Test(arguments: [
    (PropertyValue.integer(.min), "pages", "-9223372036854775808"), (.boolean(false), "done", "false"),
    (.real(Double(Float(0.1))), "rating", "0.1"), (.real(0.1), "score", "0.1"), (.real(.infinity), "score", #""inf""#),
    (.decimal("12.50"), "price", #""12.50""#), (.null, "title", "null"), (.odd("?"), "added", #""?""#),
    (.date(Date(timeIntervalSinceReferenceDate: 1e20)), "added", "1e+20"),
    (
      .uuid(UUID(uuid: (0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 1, 2, 3, 4, 5, 6, 7, 8))), "code",
      #""12345678-9ABC-DEF0-0102-030405060708""#
    ),
    (.data(Data([0, 255])), "cover", #"{"bytes": 2, "base64": "AP8="}"#),
    (.object(ObjectKey(entity: 1, primaryKey: 2)), "author", #""x-coredata://STORE/Author/p2""#),
    (
      .objects([ObjectKey(entity: 4, primaryKey: 2), ObjectKey(entity: 4, primaryKey: 10)]), "tags",
      #"["x-coredata://STORE/Tag/p10", "x-coredata://STORE/Tag/p2"]"#
    ),
  ])
  func `values have the forms of rows`(value: PropertyValue, key: String, json: String) {
    let found = writer.value(value, of: key, in: ObjectKey(entity: 2, primaryKey: 1), showsRelationships: true)
    #expect(found.json == json)
  }

  @Test func `an ordered relationship keeps its order, and rows count objects`() {
    let books = PropertyValue.objects([ObjectKey(entity: 2, primaryKey: 3), ObjectKey(entity: 2, primaryKey: 1)])
    let author = ObjectKey(entity: 1, primaryKey: 1)
    #expect(
      writer.value(books, of: "books", in: author, showsRelationships: true).json
        == #"["x-coredata://STORE/Book/p3", "x-coredata://STORE/Book/p1"]"#)
    #expect(writer.value(books, of: "books", in: author).json == "2")
  }
}
