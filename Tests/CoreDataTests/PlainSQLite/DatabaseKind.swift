import Testing

/// Ten databases, one for each kind of thing that plain files have.
struct DatabaseKind: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let sql: String
  /// How many rows lead to another one by foreign keys, as a query.
  var links = "SELECT 0"

  static let all: [DatabaseKind] = [
    DatabaseKind(
      testDescription: "tables without row ids",
      sql: """
        CREATE TABLE word (word TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE pair (a TEXT REFERENCES word, b TEXT REFERENCES word(word), weight REAL, PRIMARY KEY (b, a)) WITHOUT ROWID;
        INSERT INTO word VALUES ('the', 100), ('fox', 2), ('', 1), ('ünïcode', 3);
        INSERT INTO pair VALUES ('the', 'fox', 0.5), ('the', '', 0), ('gone', 'the', 1);
        """,
      links:
        "SELECT (SELECT count(*) FROM pair JOIN word ON word = a) + (SELECT count(*) FROM pair JOIN word ON word = b)"),
    DatabaseKind(
      testDescription: "text keys",
      sql: """
        CREATE TABLE user (login VARCHAR(40) PRIMARY KEY NOT NULL, name TEXT);
        CREATE TABLE post (uuid CHAR(36) PRIMARY KEY, author VARCHAR(40) REFERENCES user(login) ON DELETE SET NULL, body TEXT);
        INSERT INTO user VALUES ('ada', 'Ada'), ('bob/..', 'Bob'), ('c d', NULL);
        INSERT INTO post VALUES ('0F', 'ada', 'x'), ('1F', 'bob/..', 'y'), (NULL, 'ada', 'no key'), ('2F', NULL, 'z');
        """,
      links: "SELECT count(*) FROM post JOIN user ON login = author"),
    DatabaseKind(
      testDescription: "composite keys",
      sql: """
        CREATE TABLE course (dept TEXT, number INT, title TEXT, PRIMARY KEY (dept, number));
        CREATE TABLE section (dept TEXT, number INT, term INT, room TEXT, PRIMARY KEY (dept, number, term),
          FOREIGN KEY (dept, number) REFERENCES course);
        INSERT INTO course VALUES ('CS', 1, 'One'), ('CS', 2, 'Two'), ('MA', 1, 'Sums');
        INSERT INTO section VALUES ('CS', 1, 2023, 'A'), ('CS', 1, 2024, 'B'), ('MA', '1', 2024, 'C'), ('MA', 9, 2024, 'D');
        """,
      links: "SELECT count(*) FROM section s JOIN course c ON c.dept = s.dept AND c.number = s.number"),
    DatabaseKind(
      testDescription: "generated columns",
      sql: """
        CREATE TABLE box (id INTEGER PRIMARY KEY, w REAL, h REAL, area REAL GENERATED ALWAYS AS (w * h) STORED,
          label TEXT AS ('box ' || id) VIRTUAL, name TEXT);
        INSERT INTO box (w, h, name) VALUES (1, 2, 'a'), (3, 4.5, 'b'), (NULL, 1, NULL);
        """),
    DatabaseKind(
      testDescription: "views",
      sql: """
        CREATE TABLE sale (id INTEGER PRIMARY KEY, region TEXT, amount INTEGER);
        INSERT INTO sale (region, amount) VALUES ('n', 1), ('s', 2), ('n', 3), ('s', 2);
        CREATE VIEW totals AS SELECT region, sum(amount) AS total FROM sale GROUP BY region ORDER BY total DESC;
        CREATE VIEW regions AS SELECT region, NULL AS none FROM sale;
        CREATE VIEW empty AS SELECT * FROM sale WHERE 0;
        CREATE VIEW counting (n) AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20) SELECT n FROM c;
        """),
    DatabaseKind(
      testDescription: "full-text search",
      sql: """
        CREATE TABLE doc (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
        CREATE VIRTUAL TABLE search USING fts5(title, body, content='doc', content_rowid='id');
        CREATE VIRTUAL TABLE own USING fts5(text, extra UNINDEXED);
        INSERT INTO doc VALUES (1, 'one', 'first body'), (2, 'two', 'second body');
        INSERT INTO search (rowid, title, body) SELECT id, title, body FROM doc;
        INSERT INTO own VALUES ('hello world', 1), ('good bye', NULL);
        """),
    DatabaseKind(
      testDescription: "R-trees",
      sql: """
        CREATE VIRTUAL TABLE area USING rtree(id, x0, x1, y0, y1, +name TEXT);
        CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, near INTEGER REFERENCES place);
        INSERT INTO area VALUES (1, 0, 10, 0, 10, 'big'), (2, 5, 6, 5, 6, 'small');
        INSERT INTO place VALUES (1, 'here', NULL), (2, 'there', 1), (3, 'nowhere', 4);
        """,
      links: "SELECT count(*) FROM place a JOIN place b ON b.id = a.near"),
    DatabaseKind(
      testDescription: "strict tables",
      sql: """
        CREATE TABLE reading (id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, value ANY, raw BLOB, at INT NOT NULL) STRICT;
        INSERT INTO reading VALUES (1, 's', 1.5, x'00', 10), (2, 's', 'bad', NULL, 11), (3, 't', x'ff', x'', 9223372036854775807);
        """),
    DatabaseKind(
      testDescription: "attached blobs",
      sql: """
        CREATE TABLE message (id INTEGER PRIMARY KEY, subject TEXT);
        CREATE TABLE attachment (message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE, file TEXT, content BLOB);
        INSERT INTO message VALUES (1, 'photos'), (2, 'nothing');
        INSERT INTO attachment VALUES (1, 'a.jpg', zeroblob(70000)), (1, 'b.txt', 'text, not a blob'), (1, 'c', x'ffd8');
        """,
      links: "SELECT count(*) FROM attachment JOIN message ON message.id = attachment.message"),
    DatabaseKind(
      testDescription: "odd names",
      sql: #"""
        CREATE TABLE "order" ("select" INTEGER PRIMARY KEY, "it's" TEXT, "say ""hi""" TEXT, "🐘 größe" REAL, "a.b" TEXT, "" TEXT);
        CREATE TABLE "x/y z%" ("order" INTEGER REFERENCES "order", "[b]" TEXT, "self" TEXT, "objectID" TEXT);
        INSERT INTO "order" VALUES (1, 'a', 'b', 1.5, 'c', 'd'), (2, '''', '"', NULL, '.', '');
        INSERT INTO "x/y z%" VALUES (1, 'one', 's', 'o'), (2, 'two', NULL, NULL), (1, 'three', '', '');
        """#,
      links: #"SELECT count(*) FROM "x/y z%" JOIN "order" ON "select" = "order""#),
  ]
}
