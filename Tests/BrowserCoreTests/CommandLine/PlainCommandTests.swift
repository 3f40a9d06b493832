import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// The commands on plain SQLite files.
@Suite struct PlainCommandTests {
  private let file: TemporaryStore

  init() throws {
    file = try TemporaryStore(
      named: "shop.db",
      sql: """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, vip BOOLEAN DEFAULT 0, credit NUMERIC, note);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), total REAL,
          net REAL AS (total / 2));
        CREATE TABLE "tag 🏷" (name TEXT PRIMARY KEY, "it's" INT) WITHOUT ROWID;
        CREATE VIEW rich AS SELECT name FROM customer WHERE credit > 50;
        INSERT INTO customer VALUES (1, 'Ada', 1, 12.5, 7), (2, 'Grace', 5, 100, 'text'), (3, 'Z', NULL, 'x', x'0102');
        INSERT INTO orders VALUES (10, 1, 8), (11, 1, 3), (12, 99, 1);
        INSERT INTO "tag 🏷" VALUES ('a/b', 1), ('plain', 2);
        """)
  }

  private func run(_ words: String...) -> CommandRun { CommandRun([words[0], file.url.path] + words.dropFirst()) }

  /// The part of URIs that names the file.
  private func prefix() throws -> String {
    let first = try #require(run("fetch", "customer").lines.dropFirst().first)
    let uri = try #require(first.split(separator: "\t").first)
    return String(uri.dropLast("/customer/p1".count))
  }

  @Test func `entities are the tables and views with their rows`() {
    let lines = run("entities").lines
    #expect(
      lines == [
        "name\tparent\tabstract\trows\ttable", "customer\t\\N\tfalse\t3\tcustomer", "orders\t\\N\tfalse\t3\torders",
        "tag 🏷\t\\N\tfalse\t2\ttag 🏷", "rich\t\\N\tfalse\t2\trich",
      ])
    #expect(run("count", "orders", "--where", "customer.name == 'Ada'").output == "2\n")
    #expect(run("count", "customer", "--where", "note == 'text'").output == "1\n")
  }

  @Test func `values are JSON by what they are`() throws {
    let prefix = try prefix()
    #expect(prefix.hasPrefix("x-sqlite://"))
    let rows = run("fetch", "customer", "--format", "ndjson").lines
    let start = { (number: Int) in #"{"objectID": "\#(prefix)/customer/p\#(number)", "entity": "customer", "# }
    #expect(
      rows == [
        start(1) + #""credit": "12.5", "id": 1, "name": "Ada", "note": 7, "orders": 2, "vip": true}"#,
        start(2) + #""credit": "100", "id": 2, "name": "Grace", "note": "text", "orders": 0, "vip": 5}"#,
        start(3)
          + #""credit": "x", "id": 3, "name": "Z", "note": {"bytes": 2, "base64": "AQI="}, "orders": 0, "vip": null}"#,
      ])
    #expect(
      run("show", "\(prefix)/orders/p10", "--format", "ndjson").output
        == #"{"objectID": "\#(prefix)/orders/p10", "entity": "orders", "customer": "\#(prefix)/customer/p1", "#
        + #""customer_id": 1, "id": 10, "net": 4, "total": 8}"# + "\n")
    #expect(
      run("fetch", "orders", "--columns", "customer.name,customer_id").lines.last?.hasSuffix("\\N\t99") ?? false
    )
  }

  @Test func `rows are inserted, changed and deleted`() throws {
    let prefix = try prefix()
    let made = run("insert", "customer", "name=New", "credit=1.25", "note=5")
    #expect(made.output == "\(prefix)/customer/p4\n", "\(made.errors)")
    #expect(
      try file.write("SELECT name, vip, credit, typeof(note) FROM customer WHERE id = 4;") == "New|0|1.25|integer\n")
    let tag = run("insert", "tag 🏷", "name=new tag", "it's=3")
    #expect(tag.output == "\(prefix)/tag%20%F0%9F%8F%B7/kbmV3IHRhZw\n", "\(tag.errors)")
    let shown = run("show", tag.output.trimmingCharacters(in: .newlines), "--format", "tsv", "--columns", "it's")
    #expect(shown.lines.last?.hasSuffix("3") ?? false, "\(shown.errors)")
    let set = run("set", "\(prefix)/orders/p12", "customer=\(prefix)/customer/p2", "total=9.5")
    #expect(set.status == 0, "\(set.errors)")
    #expect(try file.write("SELECT customer_id, total FROM orders WHERE id = 12;") == "2|9.5\n")
    #expect(run("delete", "\(prefix)/orders/p12").status == 0)
    #expect(try file.write("SELECT count(*) FROM orders;") == "2\n")
    let dry = run("set", "\(prefix)/orders/p10", "total=1", "--dry-run")
    #expect(dry.output.contains(#""changed": {"total": [8, 1]}"#), "\(dry.output)\(dry.errors)")
    #expect(try file.write("SELECT total FROM orders WHERE id = 10;") == "8.0\n")
  }

  @Test func `what cannot be edited is refused with a line that says why`() throws {
    let prefix = try prefix()
    let before = try file.write(".dump")
    let view = run("fetch", "rich").lines.last?.split(separator: "\t").first.map(String.init) ?? ""
    for (words, part) in [
      (["set", view, "name=x"], "rich is a view and cannot be edited"),
      (["insert", "rich", "name=x"], "rich is a view and cannot be edited"),
      (["delete", view], "rich is a view and cannot be edited"),
      (["set", "\(prefix)/orders/p10", "net=1"], "computes"),
      (["set", "\(prefix)/orders/p10", "customer_id=55"], "foreign key"),
      (["set", "\(prefix)/customer/p1", "name:=null"], "name must have a value"),
      (["delete", "\(prefix)/customer/p1"], "forbids the delete"),
      (["set", "\(prefix)/customer/p9", "name=x"], "is no object of this store"),
    ] {
      let failed = CommandRun([words[0], file.url.path] + words.dropFirst())
      #expect(failed.status != 0 && failed.errors.contains(part), "\(words): \(failed.errors)")
      #expect(failed.errors.split(separator: "\n").count == 1)
    }
    #expect(try file.write(".dump") == before)
  }
}
