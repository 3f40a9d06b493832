import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// `set`, `insert` and `delete`, read back by the `sqlite3` program.
@Suite struct EditCommandTests {
  private let store: LibraryStore

  init() throws { store = try LibraryStore() }

  private func run(_ words: String...) -> CommandRun { CommandRun([words[0], store.path] + words.dropFirst()) }

  private func rows(_ sql: String) throws -> [String] { try store.file.rows(sql) }

  @Test func `set writes each kind of value as the format has it, and raises the version by one`() throws {
    let run = run(
      "set", "x-coredata://STORE/Book/p3", "title=New", "pages=7", "price=12.50", "added=2001-01-01T00:00:01.5Z",
      "rating=0.5", "score=2", "code=12345678-9ABC-DEF0-1234-56789ABCDEF0", "site=https://a.example", "done=yes",
      "cover=base64:AQI=")
    #expect(run.status == 0 && run.errors.isEmpty && run.output.isEmpty, "\(run.errors)")
    #expect(
      try rows(
        "SELECT Z_OPT, ZTITLE, ZPAGES, ZPRICE, ZADDED, ZRATING, ZSCORE, hex(ZCODE), ZSITE, ZDONE, hex(ZCOVER) FROM ZBOOK "
          + "WHERE Z_PK = 3")
        == ["2|New|7|12.5|1.5|0.5|2.0|123456789ABCDEF0123456789ABCDEF0|https://a.example|1|0102"])
  }

  @Test func `what the store refuses is refused with --dry-run as well`() throws {
    _ = try rows(
      "CREATE TRIGGER Z_DA_ZTAG AFTER INSERT ON ZTAG BEGIN "
        + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZTAG', 1, 1, 'name', NULL); END")
    for words in [[], ["--dry-run"]] {
      let refused = CommandRun(["insert", store.path, "Tag", "name=x"] + words)
      #expect(refused.status == 65 && refused.output.isEmpty, "\(refused.errors)")
      #expect(refused.errors.contains("its trigger Z_DA_ZTAG calls a function of Core Data"))
    }
  }

  @Test func `set changes both ends of relationships`() throws {
    #expect(run("set", "x-coredata://STORE/Book/p3", "author=x-coredata://STORE/Author/p1").status == 0)
    #expect(try rows("SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR = 1 ORDER BY Z_FOK_AUTHOR") == ["2", "1", "3"])
    #expect(
      run(
        "set", "x-coredata://STORE/Book/p1", "tags+=x-coredata://STORE/Tag/p1", "tags-=x-coredata://STORE/Tag/p10"
      ).status == 0)
    #expect(try rows("SELECT Z_4TAGS FROM Z_2TAGS WHERE Z_2BOOKS = 1 ORDER BY 1") == ["1", "2"])
    // The ordered side, in another order and with one less.
    #expect(
      run(
        "set", "x-coredata://STORE/Author/p1",
        "books:=[\"x-coredata://STORE/Book/p3\", \"x-coredata://STORE/Novel/p2\"]"
      ).status == 0)
    #expect(try rows("SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR = 1 ORDER BY Z_FOK_AUTHOR") == ["3", "2"])
    #expect(try rows("SELECT ZAUTHOR IS NULL FROM ZBOOK WHERE Z_PK = 1") == ["1"])
  }

  @Test func `insert gives the new object's URI, or the object`() throws {
    let made = run("insert", "Novel", "title=Fresh", "genre=g", "author=x-coredata://STORE/Author/p2")
    #expect(made.output == "x-coredata://STORE/Novel/p4\n", "\(made.errors)")
    #expect(try rows("SELECT Z_ENT, Z_OPT, ZTITLE, ZGENRE, ZAUTHOR FROM ZBOOK WHERE Z_PK = 4") == ["3|1|Fresh|g|2"])
    let shown = run("insert", "Tag", "name=new", "--format", "ndjson")
    #expect(
      shown.output
        == #"{"objectID": "x-coredata://STORE/Tag/p11", "entity": "Tag", "books": [], "name": "new"}"# + "\n",
      "\(shown.errors)")
    #expect(run("insert", "Tag").output == "x-coredata://STORE/Tag/p12\n")
  }

  @Test func `delete takes several objects, and empties what led to them`() throws {
    #expect(run("delete", "x-coredata://STORE/Author/p1", "x-coredata://STORE/Tag/p2").status == 0)
    #expect(try rows("SELECT count(*) FROM ZAUTHOR") == ["1"])
    #expect(try rows("SELECT Z_PK FROM ZBOOK WHERE ZAUTHOR IS NOT NULL") == [])
    #expect(try rows("SELECT Z_2BOOKS, Z_4TAGS FROM Z_2TAGS ORDER BY 1") == ["1|10", "2|1"])
  }

  @Test func `a dry run prints the lines of watch and changes no byte`() throws {
    let before = try store.file.fingerprint()
    let set = run("set", "x-coredata://STORE/Tag/p1", "name=crimson", "--dry-run")
    #expect(set.lines.count == 1, "\(set.errors)")
    #expect(
      set.output.contains(
        #""type": "update", "objectID": "x-coredata://STORE/Tag/p1", "entity": "Tag", "#
          + #""changed": {"name": ["red", "crimson"]}, "values": {"books": 1, "name": "crimson"}"#),
      "\(set.output)")
    let insert = run("insert", "Tag", "name=new", "--dry-run")
    #expect(
      insert.output.contains(
        #""type": "insert", "objectID": "x-coredata:///Tag/t1", "entity": "Tag", "#
          + #""changed": {"name": [null, "new"]}, "values": {"books": 0, "name": "new"}"#), "\(insert.output)")
    let delete = run("delete", "x-coredata://STORE/Author/p1", "--dry-run")
    #expect(
      delete.output.contains(#""type": "delete", "objectID": "x-coredata://STORE/Author/p1", "entity": "Author""#))
    #expect(
      delete.output.contains(
        #""changed": {"author": ["x-coredata://STORE/Author/p1", null]}"#), "\(delete.output)")
    #expect(try store.file.fingerprint() == before)
  }

  @Test func `what cannot be done is one line with its status, and changes nothing`() throws {
    let before = try rows(".dump")
    let book = "x-coredata://STORE/Book/p1"
    let cases: [(Int32, [String], String)] = [
      (64, ["set", book], "set needs KEY=VALUE"), (64, ["set", book, "title"], "title is no assignment"),
      (64, ["set", book, "titel=x"], "did you mean title?"), (64, ["set", "p1", "title=x"], "no object URI"),
      (64, ["set", book, "author+=\(book)"], "to-one"), (64, ["insert", "Bok"], "did you mean Book?"),
      (64, ["delete"], "delete needs OBJECT-URI"), (64, ["set", book, "title=x", "--read-only"], "unknown option"),
      (65, ["set", book, "pages=many"], "pages: not an integer"), (65, ["set", book, "author=\(book)"], "not to Book"),
      (65, ["set", book, "title:=x"], "not JSON"), (66, ["set", book, "cover=@/none"], "/none"),
      (1, ["set", "x-coredata://STORE/Book/p99", "title=x"], "no object of this store"),
      (1, ["delete", "x-coredata://OTHER/Book/p1"], "no object of this store"),
    ]
    for (status, words, text) in cases {
      let run = CommandRun([words[0], store.path] + words.dropFirst())
      #expect(run.status == status, "\(words): \(run.errors)")
      #expect(run.output.isEmpty && run.errors.contains(text), "\(words): \(run.errors)")
    }
    #expect(try rows(".dump") == before)
  }

  @Test func `a value that the model forbids is not saved`() throws {
    let file = try TemporaryStore(model: Self.strictModel())
    try file.write("UPDATE Z_METADATA SET Z_UUID = 'S'")
    let cases = [
      (["insert", "Thing"], "name must have a value"),
      (["insert", "Thing", "name=abcdef"], "name is too long: at most 5 characters"),
      (["insert", "Thing", "name=a", "count=70000"], "count is too large: at most 32767"),
    ]
    for (words, text) in cases {
      for more in [[], ["--dry-run"]] {
        let run = CommandRun([words[0], file.url.path] + words.dropFirst() + more)
        #expect(run.status == 1, "\(words): \(run.errors)")
        #expect(run.errors.contains(text) && run.output.isEmpty, "\(words): \(run.errors)")
      }
    }
    #expect(try file.rows("SELECT count(*) FROM ZBASE") == ["0"])
    #expect(CommandRun("insert", file.url.path, "Thing", "name=ok").output == "x-coredata://S/Thing/p1\n")
    #expect(CommandRun("insert", file.url.path, "Base").errors.contains("Base is abstract: insert one of Thing"))
  }

  private static func strictModel() -> NSManagedObjectModel {
    let name = ModelSketch.attribute("name", .stringAttributeType)
    name.isOptional = false
    name.setValidationPredicates(
      [NSPredicate(format: "length <= 5")], withValidationWarnings: [NSValidationStringTooLongError])
    let thing = ModelSketch.entity("Thing", [name, ModelSketch.attribute("count", .integer16AttributeType)])
    let base = ModelSketch.entity("Base", children: [thing])
    base.isAbstract = true
    return ModelSketch.model([base, thing])
  }
}
