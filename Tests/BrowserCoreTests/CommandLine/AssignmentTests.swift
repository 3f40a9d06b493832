import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// CLI.md, "Assignments".
@Suite struct AssignmentTests {
  @Test(arguments: [
    ("title=Apple Pie", "title", Assignment.Change.text("Apple Pie")), ("title=", "title", .text("")),
    ("title=a=b", "title", .text("a=b")), ("title=:=", "title", .text(":=")), ("pages:=5", "pages", .json("5")),
    ("tags+=x-coredata://S/Tag/p1", "tags", .adding("x-coredata://S/Tag/p1")), ("tags-=u", "tags", .removing("u")),
    ("a+b=c", "a+b", .text("c")), ("_k:=null", "_k", .json("null")),
  ])
  func `the first equals sign ends the key`(word: String, key: String, change: Assignment.Change) throws {
    let assignment = try Assignment(word)
    #expect(assignment.key == key)
    #expect(assignment.change == change)
  }

  @Test(arguments: ["", "title", "=x", ":=5", "+=x", "-=x"])
  func `a word without a key or a sign is no assignment`(word: String) {
    #expect(throws: UsageError.self) { try Assignment(word) }
  }

  private let model = LibraryStore.model()
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Reads assignments to a book whose tags are 1 and 2; a URI is an entity and a key.
  private func read(_ words: String...) throws -> [String: PropertyValue] {
    let reader = AssignmentReader(
      entity: try #require(model.entitiesByName["Book"]),
      objects: { name in
        name == "tags" ? [ObjectKey(entity: 4, primaryKey: 1), ObjectKey(entity: 4, primaryKey: 2)] : []
      },
      object: { uri, relationship in
        guard let key = Int64(uri.drop { !$0.isNumber }), uri.hasPrefix(relationship.destinationEntity?.name ?? "?")
        else { throw CommandFailure("no \(uri)", "", .data) }
        return ObjectKey(entity: uri.hasPrefix("Tag") ? 4 : 1, primaryKey: key)
      })
    let values = try reader.values(words.map { try Assignment($0) })
    return Dictionary(values.map { ($0.property, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func tags(_ keys: Int64...) -> PropertyValue {
    .objects(keys.map { ObjectKey(entity: 4, primaryKey: $0) })
  }

  @Test func `a text is read by the attribute's type`() throws {
    let values = try read(
      "title= a ", "pages=42", "price=12.50", "added=2001-01-01T00:00:01Z", "score=1e3",
      "code=12345678-9ABC-DEF0-1234-56789ABCDEF0", "site=https://a.example/b", "cover=base64:AQI=", "done=no")
    #expect(
      values == [
        "title": .text(" a "), "pages": .integer(42), "price": .decimal("12.5"),
        "added": .date(Date(timeIntervalSinceReferenceDate: 1)), "score": .real(1_000),
        "code": .uuid(try #require(UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0"))),
        "site": .text("https://a.example/b"), "cover": .data(Data([1, 2])), "done": .boolean(false),
      ])
  }

  @Test func `JSON gives nil and exact values, and the last assignment to a key counts`() throws {
    #expect(
      try read("title:=null", "pages:=1", "pages:=9223372036854775807") == ["title": .null, "pages": .integer(.max)])
  }

  @Test func `data comes from a file, a string that begins with an at sign does not`() throws {
    let file = folder.url.appending(path: "cover")
    try Data([7, 0, 255]).write(to: file)
    #expect(
      try read("cover=@\(file.path)", "title=@home") == ["cover": .data(Data([7, 0, 255])), "title": .text("@home")])
    let error = #expect(throws: CommandFailure.self) { try read("cover=@\(folder.url.path)/none") }
    #expect(error?.status == .noInput)
  }

  @Test func `relationships are set, emptied, and grown or shrunk from what they have`() throws {
    #expect(try read("author=Author2") == ["author": .object(ObjectKey(entity: 1, primaryKey: 2))])
    #expect(try read("author:=null", "tags:=null") == ["author": .null, "tags": .objects([])])
    #expect(try read("tags=Tag3") == ["tags": tags(3)])
    #expect(try read("tags:=[\"Tag3\", \"Tag1\", \"Tag3\"]") == ["tags": tags(3, 1)])
    #expect(try read("tags+=Tag10", "tags-=Tag1", "tags+=Tag2") == ["tags": tags(2, 10)])
    #expect(try read("tags=Tag5", "tags+=Tag6") == ["tags": tags(5, 6)])
  }

  @Test(arguments: [
    "nothing=1", "titel=x", "title+=x", "pages-=1", "author+=Author1",
  ])
  func `words that do not fit the entity are bad usage`(word: String) {
    #expect(throws: UsageError.self) { try read(word) }
  }

  @Test(arguments: [
    "pages=many", "pages=", "added=soon", "done=maybe", "cover=text", "title:=5", "title:=", "author=Tag1", "author:=5",
    "tags:=\"Tag1\"", "tags:=[5]", "tags-=Tag7", "code=1", "site=", "pages:=\"5\"",
  ])
  func `values that cannot be read are wrong data`(word: String) {
    let error = #expect(throws: CommandFailure.self) { try read(word) }
    #expect(error?.status == .data)
    #expect(error?.problem.isEmpty == false)
  }

  @Test func `what the store computes or does not keep cannot be assigned`() throws {
    let derived = NSDerivedAttributeDescription()
    derived.name = "total"
    derived.attributeType = .integer64AttributeType
    let transient = ModelSketch.attribute("passing", .stringAttributeType)
    transient.isTransient = true
    let reader = AssignmentReader(
      entity: ModelSketch.entity("Thing", [derived, transient]), objects: { _ in [] },
      object: { _, _ in ObjectKey(entity: 1, primaryKey: 1) })
    for word in ["total=5", "passing=x"] {
      #expect(throws: UsageError.self) { try reader.values([Assignment(word)]) }
    }
  }
}
