import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The tables of a new store against those that Apple's framework made for the same model.
@Suite struct SchemaPlanTests {
  @Test(.corpus(cases: 34)) func `every table of the corpus' cached models is planned as the framework made it`() throws
  {
    var agreed = (tables: 0, indexes: 0)
    var differences: [String] = []
    for store in Corpus.storesWithModelCache {
      let folder = try TemporaryDirectory()
      let copy = try TemporaryStore(copying: try store.copy(into: folder))
      let contents = try StoreContents(reading: copy.url)
      let model = try ModelArchiveReader.model(cache: contents.modelCache)
      model.freeze()
      let real = try copy.rows(
        "SELECT replace(sql, char(10), ' ') FROM sqlite_schema WHERE name LIKE 'Z%' AND sql LIKE 'CREATE %'"
      )
      .filter { !$0.contains(" ON A") && !$0.hasPrefix("CREATE TRIGGER") }
      let planned = Set(SchemaPlan(model: model).statements)
      // Indexes had other names before 2017.
      let isOld: Bool
      if case .integer(let version)? = contents.metadata["NSPersistenceFrameworkVersion"] {
        isOld = version < 847
      } else {
        isOld = true
      }
      let tables = real.filter { $0.hasPrefix("CREATE TABLE") }
      let indexes = isOld ? [] : real.filter { $0.hasPrefix("CREATE INDEX") || $0.hasPrefix("CREATE UNIQUE") }
      let expected = Set(tables + indexes)
      agreed.tables += tables.filter(planned.contains).count
      agreed.indexes += indexes.filter(planned.contains).count
      differences += expected.subtracting(planned).map { "\(store.path): missing \($0)" }.sorted()
      differences += planned.subtracting(expected).filter { !isOld || $0.hasPrefix("CREATE TABLE") }
        .map { "\(store.path): surplus \($0)" }.sorted()
    }
    print("schema statements that agree with the corpus: \(agreed)")
    for difference in differences { print(difference) }
    #expect(agreed.tables == 203)
    #expect(agreed.indexes == 191)
    // Four tables whose digits come in an order that is not settled, each with its index; and six of Moody's, whose
    // framework wrote uniqueness constraints into the table.
    #expect(differences.count == 2 * (4 + 4 + 6), "\(differences.count)")
  }

  @Test func `entities are numbered depth first, siblings in alphabetical order whatever their case`() {
    let children = [ModelSketch.entity("zeta"), ModelSketch.entity("Alpha"), ModelSketch.entity("beta")]
    let model = ModelSketch.model(
      [
        ModelSketch.entity("SearchCache"), ModelSketch.entity("SContact"),
        ModelSketch.entity("SDKSync", [], children: children),
      ]
        + children)
    model.freeze()
    let rows = SchemaPlan(model: model).entities
    #expect(rows.map(\.name) == ["SContact", "SDKSync", "Alpha", "beta", "zeta", "SearchCache"])
    #expect(rows.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(rows.map(\.parent) == [0, 0, 2, 2, 2, 0])
  }

  @Test func `what is planned is what the map finds again`() throws {
    let sketch = ShapesModel()
    let store = try TemporaryStore(model: sketch.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
    let opened = try coordinator.openSQLiteStore(at: store.url, isReadOnly: true)
    #expect(opened.map.remarks == [])
    #expect(Set(opened.map.entities.map(\.name)) == Set(sketch.model.entities.compactMap(\.name)))
    for entity in opened.map.entities {
      let stored = entity.entity.propertiesByName.filter { !$0.value.isTransient }.keys
      #expect(Set(entity.properties.keys) == Set(stored), "\(entity.name)")
    }
    #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try store.rows("PRAGMA auto_vacuum") == ["2"])
    #expect(try store.rows("PRAGMA user_version") == ["0"])
  }
}
