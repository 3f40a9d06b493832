import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ShortReadsTests {
  @Test func `keys that are out of order end the reading with an error`() throws {
    let file = try TemporaryStore(
      named: "plain.db",
      sql: """
        PRAGMA page_size = 512; CREATE TABLE t (id INTEGER PRIMARY KEY, a);
        INSERT INTO t SELECT value, 'x' FROM generate_series(1, 100);
        """)
    var bytes = [UInt8](try Data(contentsOf: file.url))
    // The key in the table's root that divides its two leaves: 63 becomes a number above all keys.
    try #require(bytes[1_023] == 63)
    bytes[1_023] = 138
    try Data(bytes).write(to: file.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try StoreModel(forStoreAt: file.url).model)
    let store = try coordinator.openSQLiteStore(at: file.url, isReadOnly: true)
    let query = ListQuery(entity: "t", sort: [ListSortKey("a")])
    for read in [
      { _ = try store.count(query, cancellation: nil) }, { _ = try store.keys(query, cancellation: nil) },
    ] {
      let error = #expect(throws: NSError.self) { try read() }
      #expect(error?.userInfo[NSSQLiteErrorDomain] as? NSNumber == 11, "\(String(describing: error))")
    }
  }
}
