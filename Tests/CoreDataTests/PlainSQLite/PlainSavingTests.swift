import CoreData
import Foundation
import TestSupport
import Testing

struct PlainSavingTests {
  private static func insert(_ entity: String, _ values: [String: Any], in context: NSManagedObjectContext)
    -> NSManagedObject
  {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  @Test func `rows are inserted after those that they name, defaults and computed columns left to SQLite`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop, isReadOnly: false)
    try fixture.on { context in
      let line = Self.insert("line", ["number": 1, "quantity": 3], in: context)
      let order = Self.insert("orders", ["total": 120.0], in: context)
      let customer = Self.insert("customer", ["name": "Barbara"], in: context)
      order.setValue(customer, forKey: "customer")
      line.setValue(order, forKey: "order")
      try context.save()
      #expect(customer.objectID.uriRepresentation().lastPathComponent == "p4")
      #expect(customer.value(forKey: "id") as? NSNumber == 4)
      #expect(customer.value(forKey: "joined") is String)
      #expect(order.value(forKey: "net") as? NSNumber == 100)
      #expect(order.value(forKey: "customer_id") as? NSNumber == 4)
      #expect(line.value(forKey: "order_id") as? NSNumber == 13)
      let again = try fixture.fetch("line", NSPredicate(format: "order.customer.name == 'Barbara'"))
      #expect(again == [line])
    }
    #expect(
      try fixture.sqlite3("SELECT id, name, vip, joined = date('now') FROM customer WHERE id = 4;") == ["4|Barbara|0|1"]
    )
    #expect(try fixture.sqlite3("SELECT * FROM line WHERE order_id = 13;") == ["13|1||3"])
    #expect(try fixture.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check;") == ["ok"])
  }

  @Test func `values are updated by their class, and rows deleted with what the foreign keys say`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop, isReadOnly: false)
    try fixture.on { context in
      let ada = try #require(try fixture.fetch("customer", NSPredicate(format: "id == 1")).first)
      ada.setValue(NSDecimalNumber(string: "12345678901234567"), forKey: "credit")
      ada.setValue("A. Lovelace", forKey: "name")
      ada.setValue(nil, forKey: "email")
      let bolt = try #require(try fixture.fetch("product", NSPredicate(format: "sku == 'B/2'")).first)
      bolt.setValue(Data([1, 2]), forKey: "picture")
      let second = try #require(try fixture.fetch("line", NSPredicate(format: "number == 2")).first)
      second.setValue(nil, forKey: "product")
      try context.save()
      #expect(
        try fixture.sqlite3("SELECT name, typeof(credit), credit, email IS NULL FROM customer WHERE id = 1;") == [
          "A. Lovelace|integer|12345678901234567|1"
        ])
      #expect(try fixture.sqlite3("SELECT quote(picture) FROM product WHERE sku = 'B/2';") == ["X'0102'"])
      #expect(try fixture.sqlite3("SELECT sku IS NULL FROM line WHERE order_id = 10 AND number = 2;") == ["1"])
      for order in ["10", "11"] {
        for line in try fixture.fetch("line", NSPredicate(format: "order_id == \(order)")) { context.delete(line) }
      }
      context.delete(ada)
      try context.save()
    }
    #expect(
      try fixture.sqlite3("SELECT id FROM customer ORDER BY id; SELECT id FROM orders; SELECT count(*) FROM line;") == [
        "2", "3", "12", "1",
      ])
  }

  @Test func `a keyed row keeps its identity when its key changes`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop, isReadOnly: false)
    try fixture.on { context in
      let line = try #require(try fixture.fetch("line", NSPredicate(format: "number == 2")).first)
      let (id, uri) = (line.objectID, line.objectID.uriRepresentation())
      line.setValue(5, forKey: "number")
      try context.save()
      #expect(line.objectID === id)
      #expect(id.uriRepresentation() != uri)
      #expect(line.value(forKey: "number") as? NSNumber == 5)
      #expect(try fixture.fetch("line", NSPredicate(format: "number == 5")) == [line])
      #expect(try fixture.fetch("line", NSPredicate(format: "number == 2")).isEmpty)
      // A save that fails takes the key back as well.
      line.setValue(1, forKey: "number")
      #expect(throws: NSError.self) { try context.save() }
      context.rollback()
      #expect(try fixture.fetch("line", NSPredicate(format: "number == 5")) == [line])
    }
  }

  @Test func `a row that another program changed meanwhile is a conflict`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop, isReadOnly: false)
    try fixture.on { context in
      let ada = try #require(try fixture.fetch("customer", NSPredicate(format: "id == 1")).first)
      ada.setValue("Mine", forKey: "name")
      try fixture.file.write("UPDATE customer SET credit = 1 WHERE id = 1;")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      context.rollback()
      context.refreshAllObjects()
      _ = try fixture.fetch("customer")
      ada.setValue("Mine", forKey: "name")
      try context.save()
    }
    #expect(try fixture.sqlite3("SELECT name, credit FROM customer WHERE id = 1;") == ["Mine|1"])
  }

  @Test func `what SQLite's constraints refuse is told in words, and nothing is written`() throws {
    let fixture = try PlainFixture(PlainDatabases.shop, isReadOnly: false)
    let before = try fixture.sqlite3(".dump")
    try fixture.on { context in
      func failure(_ edit: () throws -> Void) -> String? {
        defer { context.rollback() }
        do {
          try edit()
          try context.save()
          return nil
        } catch {
          return (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String
        }
      }
      let ada = try #require(try fixture.fetch("customer", NSPredicate(format: "id == 1")).first)
      let order = try #require(try fixture.fetch("orders", NSPredicate(format: "id == 10")).first)
      let view = try #require(try fixture.fetch("big_orders").first)
      let unique = failure { ada.setValue("GRACE@example.org", forKey: "email") }
      #expect(unique?.contains("same email") ?? false, "\(unique ?? "")")
      let missing = failure { _ = Self.insert("orders", ["total": 1], in: context) }
      #expect(missing?.contains("orders.customer_id must have a value") ?? false, "\(missing ?? "")")
      let mandatory = failure { _ = Self.insert("customer", [:], in: context) }
      #expect(mandatory?.contains("name must have a value") ?? false, "\(mandatory ?? "")")
      let check = failure { order.setValue(-1, forKey: "total") }
      #expect(check?.contains("check fails") ?? false, "\(check ?? "")")
      let dangling = failure { order.setValue(77, forKey: "customer_id") }
      #expect(dangling?.contains("foreign key") ?? false, "\(dangling ?? "")")
      let computed = failure { order.setValue(1, forKey: "net") }
      #expect(computed?.contains("computed") ?? false, "\(computed ?? "")")
      let number = failure { ada.setValue(9, forKey: "id") }
      #expect(number?.contains("cannot be changed") ?? false, "\(number ?? "")")
      let readOnly = failure { view.setValue("x", forKey: "name") }
      #expect(readOnly == "big_orders is a view and cannot be edited: nothing was saved", "\(readOnly ?? "")")
      let denied = failure {
        let product = try fixture.fetch("product", NSPredicate(format: "sku == 'A-1'"))
        product.forEach(context.delete)
      }
      #expect(denied?.contains("forbids the delete") ?? false, "\(denied ?? "")")
    }
    #expect(try fixture.sqlite3(".dump") == before)
  }

  @Test func `odd names, text keys, full-text tables and strict ones are edited like any`() throws {
    let odd = try PlainFixture(PlainDatabases.odd, isReadOnly: false)
    try odd.on { context in
      let elephant = "it's a \"table\" 🐘"
      let first = try #require(try odd.fetch(elephant).first)
      first.setValue("new 🦊", forKey: "a b")
      first.setValue(2.25, forKey: "🦊")
      let strict = Self.insert("100%", ["k": Data([9]), "v": "any"], in: context)
      let select = Self.insert("select", ["group": "g\"3", "rowid": "x"], in: context)
      try context.save()
      #expect(strict.objectID.uriRepresentation().lastPathComponent.hasPrefix("k"))
      #expect(select.objectID.uriRepresentation().lastPathComponent == "kZyIz")
      let hidden = try #require(try odd.fetch("hidden").first)
      hidden.setValue("z", forKey: "oid")
      #expect(throws: NSError.self) { try context.save() }
      context.rollback()
    }
    #expect(try odd.sqlite3(#"SELECT "a b", "🦊" FROM "it's a ""table"" 🐘" WHERE rowid = 1;"#) == ["new 🦊|2.25"])
    #expect(try odd.sqlite3(#"SELECT quote(v) FROM "100%" WHERE k = x'09';"#) == ["'any'"])
    let virtual = try PlainFixture(PlainDatabases.virtual, isReadOnly: false)
    try virtual.on { context in
      let note = try #require(try virtual.fetch("notes").last)
      note.setValue("sleeping cat", forKey: "body")
      _ = Self.insert("notes", ["title": "Third", "body": "sleeping dog"], in: context)
      try context.save()
    }
    #expect(try virtual.sqlite3("SELECT rowid FROM notes WHERE notes MATCH 'sleeping' ORDER BY 1;") == ["7", "8"])
  }
}
