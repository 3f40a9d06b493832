import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Ten kinds of plain databases: browsed, drilled through, edited where there is a key.
struct PlainDatabaseKindTests {
  private static func name(_ text: String) -> String { "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }

  @Test(arguments: DatabaseKind.all)
  func `rows are browsed and counted as sqlite3 counts them`(kind: DatabaseKind) throws {
    let fixture = try PlainFixture(kind.sql)
    #expect(fixture.remarks.isEmpty)
    try fixture.on { context in
      for (entity, description) in fixture.entities {
        let count = try Int(fixture.sqlite3("SELECT count(*) FROM \(Self.name(entity));").first ?? "") ?? -1
        let query = ListQuery(entity: entity)
        let window = try context.listWindow(query, columns: description.listedPropertyNames, at: .start, limit: 100)
        let (counted, fetched) = (try context.listCount(query), try fixture.fetch(entity).count)
        #expect(window.rows.count == count && counted == count && fetched == count, "\(entity)")
        for row in window.rows {
          let record = try #require(try context.listRecord(row.key))
          #expect(record.uri.hasPrefix("x-sqlite://"))
          let found = try context.listObject(at: try #require(URL(string: record.uri)))
          #expect(found != nil, "\(record.uri)")
        }
      }
    }
  }

  @Test(arguments: DatabaseKind.all)
  func `foreign keys are drilled through both ways`(kind: DatabaseKind) throws {
    let fixture = try PlainFixture(kind.sql)
    try fixture.on { context in
      var (there, back, listed) = (0, 0, 0)
      for (entity, description) in fixture.entities {
        for object in try fixture.fetch(entity) {
          for (key, relationship) in description.relationshipsByName {
            let value = object.value(forKey: key)
            if !relationship.isToMany { there += value == nil ? 0 : 1 } else { back += (value as? NSSet)?.count ?? 0 }
            let target = relationship.destinationEntity?.name ?? ""
            let scope = ListQuery.Scope.related(to: try #require(object.objectKey), relationship: key)
            listed += try context.listCount(ListQuery(entity: target, scope: scope))
          }
        }
      }
      let expected = try Int(fixture.sqlite3(kind.links + ";").first ?? "") ?? -1
      #expect(there == expected && back == expected && listed == 2 * expected, "\(there) \(back) \(listed)")
    }
  }

  @Test(arguments: DatabaseKind.all)
  func `rows are edited, made and deleted where there is a key, and refused where there is none`(kind: DatabaseKind)
    throws
  {
    let fixture = try PlainFixture(kind.sql, isReadOnly: false)
    try fixture.on { context in
      for (entity, description) in fixture.entities.sorted(by: { $0.key < $1.key }) {
        let objects = try fixture.fetch(entity)
        // A full-text index over another table's content is not where that is edited.
        guard let object = objects.first, entity != "search" else { continue }
        let texts = description.attributesByName.filter { $0.value.attributeType == .stringAttributeType }.keys.sorted()
        guard description.editRefusal == nil else {
          object.setValue("refused", forKey: description.attributesByName.keys.sorted()[0])
          #expect(throws: NSError.self) { try context.save() }
          context.rollback()
          continue
        }
        for text in texts where description.attributesByName[text]?.isReadOnly == false {
          guard !["login", "word", "dept", "author", "a", "b", "label"].contains(text) else { continue }
          object.setValue("edited 'é'", forKey: text)
          try context.save()
          let found = try fixture.sqlite3(
            "SELECT count(*) FROM \(Self.name(entity)) WHERE \(Self.name(text)) = 'edited ''é''';")
          #expect(found == ["1"], "\(entity).\(text)")
        }
        guard description.relationshipsByName.values.allSatisfy({ !$0.isToMany }) else { continue }
        context.delete(object)
        try context.save()
        #expect(try fixture.fetch(entity).count == objects.count - 1)
        let left = try fixture.sqlite3("SELECT count(*) FROM \(Self.name(entity));")
        #expect(left == ["\(objects.count - 1)"])
      }
    }
    #expect(try fixture.sqlite3("PRAGMA integrity_check;") == ["ok"])
  }
}
