import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// CLI.md on a small store: entities, count, fetch, show in every format.
@Suite struct StoreCommandTests {
  private static let first = """
    {"objectID": "x-coredata://STORE/Book/p1", "entity": "Book", "added": "2025-11-02T18:04:05.25Z", \
    "author": "x-coredata://STORE/Author/p1", "code": "12345678-9ABC-DEF0-1234-56789ABCDEF0", \
    "cover": {"bytes": 2, "base64": "AP8="}, "done": true, "pages": 9223372036854775807, "price": "3.25", \
    "rating": 0.1, "score": 1e+300, "site": "not a url %%", "tags": 2, "title": "Ünder, \\"quoted\\"\\nline"}
    """
  private static let second = """
    {"objectID": "x-coredata://STORE/Novel/p2", "entity": "Novel", "added": null, \
    "author": "x-coredata://STORE/Author/p1", "code": null, "cover": null, "done": null, "genre": "a\\tb\\\\c", \
    "pages": null, "price": null, "rating": null, "score": null, "site": null, "tags": 1, "title": ""}
    """
  private static let third = """
    {"objectID": "x-coredata://STORE/Book/p3", "entity": "Book", "added": null, "author": null, "code": null, \
    "cover": null, "done": false, "pages": null, "price": "0.0000001", "rating": "-inf", "score": "nan", "site": null, \
    "tags": 0, "title": "\\u001b[31m"}
    """

  private func fetch(_ words: String..., isTerminal: Bool = false) throws -> CommandRun {
    let store = try LibraryStore()
    let run = CommandRun(["fetch", store.path] + words, isTerminal: isTerminal)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return run
  }

  @Test func `count counts an entity with its subentities`() throws {
    let store = try LibraryStore()
    #expect(CommandRun("count", store.path, "Book").output == "3\n")
    #expect(CommandRun("count", store.path, "Novel").output == "1\n")
    #expect(CommandRun("count", store.path, "Author", "--read-only").output == "2\n")
  }

  @Test func `entities are listed with rows of their own, and in JSON with those of their subentities too`() throws {
    let store = try LibraryStore()
    #expect(
      CommandRun("entities", store.path).output == """
        name\tparent\tabstract\trows\ttable
        Author\t\\N\tfalse\t2\tZAUTHOR
        Book\t\\N\tfalse\t2\tZBOOK
        Novel\tBook\tfalse\t1\tZBOOK
        Tag\t\\N\tfalse\t3\tZTAG

        """)
    let json = CommandRun("entities", store.path, "--format", "json").output
    let found = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(found.count == 4)
    #expect(found[1]["rows"] as? Int == 2)
    #expect(found[1]["rowsWithSubentities"] as? Int == 3)
    #expect(Set(found[1].keys) == ["name", "parent", "abstract", "table", "rows", "rowsWithSubentities"])
    #expect(found[2]["parent"] as? String == "Book")
  }

  @Test func `ndjson gives one object a line, keys in bytewise order`() throws {
    #expect(
      try fetch("Book", "--format", "ndjson").output
        == [Self.first, Self.third, Self.second].map { $0 + "\n" }.joined())
  }

  @Test func `json gives an array`() throws {
    let run = try fetch("Book", "--format=json")
    #expect(run.output == "[\n  \(Self.first),\n  \(Self.third),\n  \(Self.second)\n]\n")
    #expect((try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])?.count == 3)
    #expect(try fetch("Novel", "--format=json", "--limit", "0").output == "[]\n")
  }

  @Test func `csv is RFC 4180, nothing an empty field and an empty text two quotes`() throws {
    #expect(
      try fetch("Book", "--format", "csv", "--columns", "title,pages,author.name,genre").output
        == "title,pages,author.name,genre\r\n\"Ünder, \"\"quoted\"\"\nline\",9223372036854775807,Ann,\r\n"
        + "\u{1b}[31m,,,\r\n\"\",,Ann,a\tb\\c\r\n")
  }

  @Test func `tsv escapes tabs, line ends and backslashes, and nothing is a capital N`() throws {
    #expect(
      try fetch("Book", "--columns", "title,genre,done,tags").output
        == "title\tgenre\tdone\ttags\nÜnder, \"quoted\"\\nline\t\\N\ttrue\t2\n\u{1b}[31m\t\\N\tfalse\t0\n\ta\\tb\\\\c\t\\N\t1\n"
    )
  }

  @Test func `columns follow to-one relationships and are given once, also of subentities`() throws {
    let run = try fetch("Book", "--format", "ndjson", "--columns", "title,author.name,title,entity", "--limit", "1")
    #expect(
      run.output
        == "{\"objectID\": \"x-coredata://STORE/Book/p1\", \"entity\": \"Book\", \"author.name\": \"Ann\", \"title\": \"Ünder, \\\"quoted\\\"\\nline\"}\n"
    )
    #expect(try fetch("Book", "--columns", "objectID,genre").lines.last == "x-coredata://STORE/Novel/p2\ta\\tb\\\\c")
  }

  @Test func `sort, limit and offset`() throws {
    func titles(_ words: String...) throws -> [String] {
      let store = try LibraryStore()
      return CommandRun(["fetch", store.path, "Tag", "--columns", "name"] + words).lines.dropFirst().map { $0 }
    }
    #expect(try titles() == ["red", "blue", "green"])
    #expect(try titles("--sort", "name") == ["blue", "green", "red"])
    #expect(try titles("--sort", "name:desc") == ["red", "green", "blue"])
    #expect(try titles("--sort", "name:asc", "--limit", "1", "--offset", "1") == ["green"])
    #expect(try titles("--offset", "9") == [])
    #expect(try titles("--limit", "0") == [])
    #expect(try titles("--limit", "9223372036854775807", "--offset", "2") == ["green"])
    #expect(try titles("--offset", "9223372036854775807", "--limit", "9223372036854775807") == [])
  }

  @Test func `relationships are given as URIs, in order where they have one, else by URI`() throws {
    let store = try LibraryStore()
    func value(_ entity: String, _ key: String) throws -> [String]? {
      let run = CommandRun("fetch", store.path, entity, "--format", "ndjson", "--relationships", "--columns", key)
      let first = try #require(run.lines.first)
      return (try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])?[key] as? [String]
    }
    #expect(try value("Author", "books") == ["x-coredata://STORE/Novel/p2", "x-coredata://STORE/Book/p1"])
    #expect(try value("Book", "tags") == ["x-coredata://STORE/Tag/p10", "x-coredata://STORE/Tag/p2"])
  }

  @Test func `show gives one object with its relationships`() throws {
    let store = try LibraryStore()
    let run = CommandRun("show", store.path, "x-coredata://STORE/Book/p1", "--format", "ndjson")
    let tags = "[\"x-coredata://STORE/Tag/p10\", \"x-coredata://STORE/Tag/p2\"]"
    #expect(run.output == Self.first.replacing("\"tags\": 2", with: "\"tags\": \(tags)") + "\n")
    // The URI may name an ancestor of the object's entity.
    let novel = CommandRun("show", store.path, "x-coredata://STORE/Book/p2", "--format", "ndjson", "--columns", "genre")
    #expect(
      novel.output
        == "{\"objectID\": \"x-coredata://STORE/Novel/p2\", \"entity\": \"Novel\", \"genre\": \"a\\tb\\\\c\"}\n")
    let table = CommandRun("show", store.path, "x-coredata://STORE/Author/p2", isTerminal: true)
    let lines = [
      "property  value", "────────  " + String(repeating: "─", count: 28), "objectID  x-coredata://STORE/Author/p2",
      "entity    Author", "books", "name      日本語",
    ]
    #expect(table.lines == lines)
  }

  @Test func `a terminal gets a table that cannot drive it`() throws {
    let run = try fetch("Book", isTerminal: true)
    #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(run.output.contains("␛[31m"))
    #expect(run.output.contains("Ünder, \"quoted\"␊line"))
    #expect(run.lines.count == 5)
    for format in ["csv", "tsv", "json", "ndjson"] {
      let text = try fetch("Book", "--format", format, isTerminal: true).output
      #expect(!text.unicodeScalars.contains("\u{1b}"), "\(format)")
    }
  }

  @Test func `a path may have any name`() throws {
    for name in ["Bücher ✓ %20?#.sqlite", "-dash.sqlite"] {
      let store = try LibraryStore(named: name)
      #expect(CommandRun("count", store.path, "Book").output == "3\n", "\(name)")
    }
  }
}
