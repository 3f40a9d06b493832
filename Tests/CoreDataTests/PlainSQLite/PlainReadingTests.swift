import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

struct PlainReadingTests {
  @Test(arguments: PlainDatabases.all.keys.sorted())
  func `every row of every table is there, value by value as sqlite3 reads it`(name: String) throws {
    let fixture = try PlainFixture(PlainDatabases.all[name] ?? "")
    try fixture.on { _ in
      for (entity, description) in fixture.entities.sorted(by: { $0.key < $1.key }) {
        let columns = description.attributesByName.keys.sorted()
        let table = "\"" + entity.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        let terms = columns.map { column in
          let column = "\"" + column.replacingOccurrences(of: "\"", with: "\"\"") + "\""
          return "CASE typeof(\(column)) WHEN 'real' THEN printf('%!.17g', \(column)) ELSE quote(\(column)) END"
        }
        let expected = try fixture.sqlite3("SELECT \(terms.joined(separator: "||'|'||")) FROM \(table) ORDER BY 1;")
        let found = try fixture.fetch(entity).map { object in
          columns.map { column in
            let text = quote(object.value(forKey: column))
            return Double(text) != nil && text.contains(".") ? String(format: "%.17g", Double(text) ?? 0) : text
          }.joined(separator: "|")
        }
        // Floating numbers are compared as numbers: two programs write them differently.
        #expect(Self.comparable(found) == Self.comparable(expected), "\(name) \(entity)")
        #expect(try fixture.context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) == expected.count)
      }
    }
  }

  /// Rows in one order, each number in one spelling.
  private static func comparable(_ rows: [String]) -> [String] {
    rows.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).map { cell in
        Double(cell).map { "\($0)" } ?? String(cell)
      }.joined(separator: "|")
    }.sorted()
  }

  @Test func `tables and views are entities, shadow tables are not, and what cannot be read is told`() throws {
    let fixture = try PlainFixture(PlainDatabases.virtual)
    #expect(fixture.entities.keys.sorted() == ["boxes", "doubled", "mixed", "notes"])
    #expect(fixture.remarks.count == 1)
    #expect(fixture.remarks.first?.contains("broken") ?? false)
    #expect(fixture.entities["notes"]?.attributesByName.keys.sorted() == ["body", "title"])
  }

  @Test func `columns have types, defaults and relationships as they were declared`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop)
    let customer = try #require(fixture.entities["customer"])
    let types = customer.attributesByName.mapValues(\.attributeType)
    #expect(
      types == [
        "id": .integer64AttributeType, "name": .stringAttributeType, "email": .stringAttributeType,
        "joined": .stringAttributeType, "vip": .booleanAttributeType, "credit": .decimalAttributeType,
      ])
    #expect(customer.attributesByName.filter { !$0.value.isOptional }.keys.sorted() == ["name", "vip"])
    #expect(customer.attributesByName["vip"]?.defaultValue as? NSNumber == 0)
    #expect(customer.relationshipsByName.keys.sorted() == ["orders"])
    #expect(customer.relationshipsByName["orders"]?.deleteRule == .cascadeDeleteRule)
    let orders = try #require(fixture.entities["orders"])
    #expect(orders.relationshipsByName.mapValues(\.isToMany) == ["customer": false, "line": true])
    #expect(orders.relationshipsByName["customer"]?.inverseRelationship?.name == "orders")
    #expect(fixture.entities["line"]?.relationshipsByName.keys.sorted() == ["order", "product"])
    #expect(fixture.entities["big_orders"]?.relationshipsByName.isEmpty ?? false)
  }

  @Test func `foreign keys lead there and back`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop)
    try fixture.on { _ in
      let ada = try #require(try fixture.fetch("customer", NSPredicate(format: "name == 'Ada'")).first)
      let orders = try #require(ada.value(forKey: "orders") as? NSSet)
      #expect(Set(orders.compactMap { ($0 as? NSManagedObject)?.value(forKey: "id") as? NSNumber }) == [10, 11])
      let lines = try fixture.fetch(
        "line", NSPredicate(format: "order.customer.name == 'Ada' AND product.title == 'Anvil'"))
      #expect(lines.map { $0.value(forKey: "quantity") as? NSNumber } == [2, 1])
      #expect(try fixture.fetch("customer", NSPredicate(format: "ANY orders.total > 90")).count == 1)
      #expect(try fixture.fetch("customer", NSPredicate(format: "orders.@count == 0")).count == 1)
      #expect(
        try fixture.fetch("customer", NSPredicate(format: "SUBQUERY(orders, $o, $o.total < 20).@count == 1")).count == 1
      )
      let byCustomer = try fixture.fetch("orders", sort: [NSSortDescriptor(key: "customer.name", ascending: false)])
      #expect(byCustomer.map { $0.value(forKey: "id") as? NSNumber } == [12, 10, 11])
      #expect(try fixture.fetch("orders", NSPredicate(format: "customer == %@", ada)).count == 2)
      #expect(try fixture.fetch("line", NSPredicate(format: "product == nil")).count == 1)
    }
  }

  @Test func `foreign keys match as a join of SQLite does`() throws {
    let fixture = try PlainFixture(PlainDatabases.keys)
    try fixture.on { _ in
      for (child, relationship, target, label, join) in [
        ("city", "country", "country", "name", "country p ON p.code = c.country_code"),
        ("street", "city", "city", "mayor", "city p ON p.country_code = c.land AND p.name = c.city"),
        ("visit", "badge_person", "person", "name", "person p ON p.badge = c.badge"),
        ("visit", "ghost_person", "person", "name", "person p ON p.id = c.ghost"),
      ] {
        let entity = try #require(fixture.entities[child])
        let found = entity.relationshipsByName.first {
          !$0.value.isToMany && ($0.key == relationship || $0.value.destinationEntity?.name == target)
        }
        let candidates = entity.relationshipsByName.filter {
          !$0.value.isToMany && $0.value.destinationEntity?.name == target
        }
        #expect(found != nil)
        let expected = try fixture.sqlite3("SELECT quote(p.\(label)) FROM \(child) c LEFT JOIN \(join) ORDER BY 1;")
        let values = candidates.keys.map { key in
          (try? fixture.fetch(child).map { quote(($0.value(forKey: key) as? NSManagedObject)?.value(forKey: label)) }
            .sorted()) ?? []
        }
        #expect(values.contains(expected), "\(child).\(relationship): \(values) \(expected)")
      }
    }
  }

  @Test(arguments: PlainDatabases.all.keys.sorted())
  func `a row's URI finds it again, in another run as well`(name: String) throws {
    let fixture = try PlainFixture(PlainDatabases.all[name] ?? "")
    var known: [URL: String] = [:]
    try fixture.on { _ in
      for entity in fixture.entities.keys.sorted() {
        for object in try fixture.fetch(entity) {
          let uri = object.objectID.uriRepresentation()
          #expect(uri.scheme == "x-sqlite")
          known[uri] = entity + Self.values(of: object)
        }
      }
    }
    let model = try StoreModel(forStoreAt: fixture.file.url).model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: fixture.file.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for (uri, values) in known {
        let object = try #require(try context.listObject(at: uri), "\(uri)")
        #expect((object.entity.name ?? "") + Self.values(of: object) == values)
      }
    }
    #expect(known.count > 5)
  }

  private static func values(of object: NSManagedObject) -> String {
    object.entity.attributesByName.keys.sorted().map { quote(object.value(forKey: $0)) }.joined(separator: "|")
  }

  @Test func `whole-number keys are p, others k with the key in base64url`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop)
    try fixture.on { _ in
      func last(_ entity: String) throws -> [String] {
        try fixture.fetch(entity).map { $0.objectID.uriRepresentation().lastPathComponent }
      }
      let (customers, products, lines) = (try last("customer"), try last("product"), try last("line"))
      #expect(customers == ["p1", "p2", "p3"])
      #expect(products == ["kQS0x", "kQi8y", "kw7wtMw"])
      #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("k") })
    }
  }

  @Test(arguments: PlainDatabases.all.keys.sorted())
  func `lists come in pages and from both ends, and agree with their keys`(name: String) throws {
    let fixture = try PlainFixture(PlainDatabases.all[name] ?? "")
    try fixture.on { context in
      for (entity, description) in fixture.entities {
        let columns = description.listedPropertyNames
        var queries = [ListQuery(entity: entity)]
        queries += description.attributesByName.keys.map {
          ListQuery(entity: entity, sort: [ListSortKey($0, ascending: $0.count % 2 == 0)])
        }
        for query in queries {
          let keys = try context.listKeys(query)
          let whole = try context.listWindow(query, columns: columns, at: .start, limit: 1_000)
          #expect(whole.rows.map(\.key) == (0..<keys.count).map { keys[$0] })
          #expect(try context.listCount(query) == keys.count)
          guard entity != "doubled" else { continue }
          var rows: [ListRow] = []
          while true {
            let place = rows.last.map { WindowPlace.after($0.key) } ?? .start
            let page = try context.listWindow(query, columns: columns, at: place, limit: 2)
            rows += page.rows
            if page.reachesEnd || rows.count > 100 { break }
          }
          #expect(rows == whole.rows, "\(entity) \(query.sort)")
          let end = try context.listWindow(query, columns: columns, at: .end, limit: 2)
          #expect(end.rows == Array(whole.rows.suffix(2)))
          #expect(
            try context.listWindow(query, columns: columns, at: .keys(whole.rows.map(\.key)), limit: 9).rows
              == whole.rows)
        }
      }
    }
  }

  @Test(arguments: PlainDatabases.all.keys.sorted())
  func `looking changes not a byte`(name: String) throws {
    for mode in ["DELETE", "WAL"] {
      let file = try TemporaryStore(
        named: "p.db", sql: "PRAGMA journal_mode = \(mode);" + (PlainDatabases.all[name] ?? ""))
      let before = try file.fingerprint()
      let model = try StoreModel(forStoreAt: file.url).model
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, at: file.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for entity in model.entities {
          _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
        }
      }
      try coordinator.remove(store)
      #expect(try file.fingerprint() == before)
    }
  }

  @Test func `a schema of thousands of tables is read up to a bound, in little time`() throws {
    let tables = (0..<4_200).map { "CREATE TABLE t\($0) (a REFERENCES t\(($0 * 7) % 4_200)(a) UNIQUE);" }
    let began = ContinuousClock.now
    let file = try TemporaryStore(sql: "BEGIN;" + tables.joined() + "COMMIT;")
    let made = ContinuousClock.now
    let model = try StoreModel(forStoreAt: file.url).model
    #expect(model.entities.count == 4_096)
    #expect(ContinuousClock.now - made < .seconds(20), "\(made - began)")
  }

  /// `part` is not of the key; the second table has no row id that could be named, and its key can be missing.
  private static let pairs = """
    CREATE TABLE pair (a TEXT, b INTEGER, c TEXT, part TEXT, PRIMARY KEY (b, a, c)) WITHOUT ROWID;
    INSERT INTO pair SELECT 'a' || value % 7, value % 5, CAST(value AS TEXT), 'p' FROM generate_series(1, 200);
    CREATE TABLE nameless (rowid TEXT, oid INTEGER, _rowid_ TEXT, PRIMARY KEY (rowid, oid));
    INSERT INTO nameless SELECT iif(value % 3, 'r' || value % 7, NULL), value, value FROM generate_series(1, 90);
    """

  @Test(arguments: [("pair", "b, a, c", 200, true), ("nameless", "rowid, oid", 90, false)])
  func `a table is paged in the order of a composite key, by seeking where no part can be missing`(
    table: String, order: String, count: Int, isSought: Bool
  ) throws {
    let fixture = try PlainFixture(Self.pairs)
    let column = table == "pair" ? "c" : "_rowid_"
    let expected = try fixture.sqlite3("SELECT CAST(\(column) AS TEXT) FROM \(table) ORDER BY \(order);")
    #expect(expected.count == count)
    let store = try #require(fixture.coordinator.persistentStores.first as? SQLiteStore)
    let statements = Mutex<[String]>([])
    try store.withConnection { connection in
      connection.recorder = { sql in statements.withLock { $0.append(sql) } }
    }
    for isForward in [true, false] {
      var (found, place) = ([String](), isForward ? WindowPlace.start : .end)
      while true {
        let window = try store.window(
          ListQuery(entity: table), columns: [column], at: place, limit: 7, cancellation: nil)
        let cells = window.rows.compactMap { row -> String? in
          switch row.cells.first {
          case .text(let text, _): text
          default: row.cells.first.map { "\($0)" }
          }
        }
        found = isForward ? found + cells : cells + found
        guard isForward ? !window.reachesEnd : !window.reachesStart,
          let edge = isForward ? window.rows.last : window.rows.first
        else { break }
        place = isForward ? .after(edge.key) : .before(edge.key)
      }
      #expect(found == expected)
    }
    let paged = try #require(statements.withLock { $0.last { $0.contains(" < ") || $0.contains(" > ") } })
    let plan = try store.withConnection { connection in
      try connection.rows("EXPLAIN QUERY PLAN " + paged).map { "\($0.last ?? .null)" }.joined(separator: "\n")
    }
    #expect(!isSought || plan.contains("SEARCH t"), "\(plan)")
  }
}
