import CoreData
import Foundation
import TestSupport

/// Plain databases of kinds that people have, made by the `sqlite3` program.
enum PlainDatabases {
  /// Customers and their orders: row ids, foreign keys, a composite key, defaults, a generated column, a view.
  static let shop = """
    CREATE TABLE customer (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE COLLATE NOCASE, joined DATE DEFAULT CURRENT_DATE,
      vip BOOLEAN NOT NULL DEFAULT 0, credit NUMERIC(10, 2));
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER NOT NULL REFERENCES customer(id) ON DELETE CASCADE,
      placed TEXT, total REAL CHECK (total >= 0), net REAL GENERATED ALWAYS AS (total / 1.2) VIRTUAL);
    CREATE INDEX orders_customer ON orders(customer_id);
    CREATE TABLE line (
      order_id INTEGER NOT NULL REFERENCES orders, number INTEGER NOT NULL, sku TEXT REFERENCES product(sku),
      quantity INT DEFAULT 1, PRIMARY KEY (order_id, number)) WITHOUT ROWID;
    CREATE TABLE product (sku TEXT PRIMARY KEY, title TEXT, picture BLOB);
    CREATE VIEW big_orders AS SELECT o.id, c.name, o.total FROM orders o JOIN customer c ON c.id = o.customer_id
      WHERE o.total > 50;
    INSERT INTO customer (id, name, email, vip, credit) VALUES (1, 'Ada', 'ada@example.org', 1, 12.5),
      (2, 'Grace', 'grace@example.org', 0, 100), (3, 'Edsger', NULL, 0, NULL);
    INSERT INTO orders (id, customer_id, placed, total) VALUES (10, 1, '2024-01-02', 60), (11, 1, '2024-02-03', 12.25),
      (12, 2, NULL, 99);
    INSERT INTO product VALUES ('A-1', 'Anvil', x'00ff10'), ('B/2', 'Bolt & nut', NULL), ('ü-3', 'Ünit', zeroblob(300000));
    INSERT INTO line VALUES (10, 1, 'A-1', 2), (10, 2, 'B/2', 10), (11, 1, 'A-1', 1), (12, 1, NULL, 7);
    """

  /// Text keys, composite foreign keys, a foreign key to a unique column that is no primary key, dangling and oddly typed keys.
  static let keys = """
    CREATE TABLE country (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT) WITHOUT ROWID;
    CREATE TABLE city (name TEXT, country_code TEXT REFERENCES country, region INT, mayor TEXT,
      PRIMARY KEY (country_code, name));
    CREATE TABLE street (name TEXT, city TEXT, land TEXT, FOREIGN KEY (land, city) REFERENCES city (country_code, name));
    CREATE TABLE person (id INTEGER PRIMARY KEY, badge INTEGER UNIQUE, name);
    CREATE TABLE visit (badge TEXT REFERENCES person(badge), ghost INTEGER REFERENCES person(id), at);
    INSERT INTO country VALUES ('FR', 'France'), ('DE', 'Germany');
    INSERT INTO city VALUES ('Paris', 'fr', 1, 'A'), ('Lyon', 'FR', 2, NULL), ('Bonn', 'DE', 3, 'B');
    INSERT INTO street VALUES ('Rivoli', 'Paris', 'fr'), ('Nowhere', 'Paris', 'de'), ('None', NULL, 'fr');
    INSERT INTO person VALUES (1, 700, 'One'), (2, 701, 'Two'), (-5, 702, 'Below zero');
    INSERT INTO visit VALUES ('700', 1, 1), (701, 99, 'noon'), ('0701', NULL, x'01'), (NULL, -5, 2.5);
    """

  /// Names with quotes, spaces, dots, slashes and emoji; row ids under other names.
  static let odd = """
    CREATE TABLE "it's a ""table"" 🐘" ("a b" TEXT, "quote""d" INT, "🦊" REAL, "x.y/z" BLOB);
    INSERT INTO "it's a ""table"" 🐘" VALUES ('one', 1, 1.5, x'0102'), ('two''s', 2, NULL, 'text in a blob column');
    CREATE TABLE "select" ("rowid" TEXT, "from" INTEGER, "group" TEXT PRIMARY KEY);
    INSERT INTO "select" VALUES ('shadow', 1, 'g/1'), ('shadow', 2, 'g 2');
    CREATE TABLE hidden (rowid TEXT, oid TEXT, _rowid_ TEXT);
    INSERT INTO hidden VALUES ('a', 'b', 'c'), ('a', 'b', 'd');
    CREATE TABLE "100%" (k BLOB PRIMARY KEY, v ANY) WITHOUT ROWID, STRICT;
    INSERT INTO "100%" VALUES (x'', 1), (x'00', 'two'), (x'ff', 3.5), (x'fffe', x'04'), (x'01', NULL);
    """

  /// Full-text search, an R-tree, and values of every storage class in columns of every type.
  static let virtual = """
    CREATE VIRTUAL TABLE notes USING fts5(title, body);
    INSERT INTO notes (rowid, title, body) VALUES (1, 'First', 'a quick brown fox'), (7, 'Second', 'lazy dog');
    CREATE VIRTUAL TABLE boxes USING rtree(id, minX, maxX, minY, maxY);
    INSERT INTO boxes VALUES (3, 0, 1, 0, 1), (4, 2, 3, 2, 3);
    CREATE TABLE mixed (i INTEGER, t TEXT, r REAL, b BLOB, n NUMERIC, f BOOLEAN, u);
    INSERT INTO mixed VALUES (1, 'a', 1.5, x'01', 12.25, 1, 5), ('word', x'ff', 'text', 'text', 'many', 5, 2.5),
      (2.5, 3, 4, 5, 9007199254740993, 'yes', 'any'), (NULL, NULL, NULL, NULL, NULL, NULL, NULL), (x'00', '', '', x'', '', 0, x'0a');
    CREATE VIEW doubled AS SELECT t FROM mixed UNION ALL SELECT t FROM mixed;
    CREATE VIEW broken AS SELECT gone FROM nowhere;
    """

  static let all = ["shop": shop, "keys": keys, "odd": odd, "virtual": virtual]
}

/// A plain database that is open, with a context over it.
final class PlainFixture {
  let file: TemporaryStore
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  let remarks: [String]

  init(_ sql: String, isReadOnly: Bool = true) throws {
    file = try TemporaryStore(named: "plain.db", sql: sql)
    let model = try StoreModel(forStoreAt: file.url).model
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: file.url,
      options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    self.context = context
    remarks = try context.performAndWait { try context.listStoreSummary().remarks }
  }

  deinit { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

  var entities: [String: NSEntityDescription] { coordinator.managedObjectModel.entitiesByName }

  /// Runs on the context's queue.
  func on<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = context
    return try context.performAndWait { try body(context) }
  }

  /// The objects of an entity, sorted by their keys or as asked.
  func fetch(_ entity: String, _ predicate: NSPredicate? = nil, sort: [NSSortDescriptor] = []) throws
    -> [NSManagedObject]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    (request.predicate, request.sortDescriptors) = (predicate, sort)
    return try context.fetch(request)
  }

  /// What `sqlite3` prints for a query, a line each.
  func sqlite3(_ sql: String) throws -> [String] {
    try file.write(sql).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}

/// A value as `quote()` writes it, but for floating numbers, which are written as Swift does.
func quote(_ value: Any?) -> String {
  switch value {
  case nil: "NULL"
  case let number as NSDecimalNumber: number.stringValue
  case let number as NSNumber where ["d", "f"].contains(String(cString: number.objCType)): "\(number.doubleValue)"
  case let number as NSNumber: "\(number.int64Value)"
  case let text as String: "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  case let data as Data: "X'" + data.map { String(format: "%02X", $0) }.joined() + "'"
  default: "?"
  }
}
