import Foundation
import Testing

@testable import CoreData

/// The table of ids against a dictionary, and its sweep.
@Suite struct KeyedIDsTests {
  // Sendable is unchecked as that of its superclass; it adds nothing.
  private final class Store: NSPersistentStore, @unchecked Sendable {
    init() { super.init(coordinator: nil, url: nil, isReadOnly: true) }
  }

  private let entity = NSEntityDescription()

  private func make(_ key: Int64) -> NSManagedObjectID {
    NSManagedObjectID(entity: entity, primaryKey: key, owner: IDOwner(identifier: "s", store: Store()))
  }

  /// Keys in sequence, with gaps, alike in their lower bits, and at the ends of the range.
  private func key(_ number: Int, _ random: inout some RandomNumberGenerator) -> Int64 {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: Int64(number)
    case 1: Int64.random(in: 0..<2_000, using: &random)
    case 2: Int64.random(in: -8...8, using: &random) << 40
    case 3: Int64.random(in: .min ... .max, using: &random)
    default: [.min, .min + 1, .max, .max - 1, 0, -1].randomElement(using: &random) ?? 0
    }
  }

  @Test func `a row has one id, whatever its key`() {
    var random = SeededGenerator(seed: 7)
    var table = KeyedIDs()
    var expected: [Int64: NSManagedObjectID] = [:]
    for number in 0..<20_000 {
      let key = key(number, &random)
      let id = table.id(for: key, of: entity) { make(key) }
      #expect(id.primaryKey == key)
      if let known = expected[key] { #expect(known === id) }
      expected[key] = id
      if number % 5_000 == 0 { table.reserveCapacity(number * 2) }
    }
    #expect(table.count == expected.count)
  }

  @Test func `ids that nobody holds are swept, and held ones stay`() {
    var table = KeyedIDs()
    var held: [NSManagedObjectID] = []
    for key in Int64(0)..<3_000 {
      let id = table.id(for: key, of: entity) { make(key) }
      if key % 3 == 0 { held.append(id) }
    }
    table.removeUnheld()
    #expect(table.count == 1_000)
    for id in held { #expect(table.id(for: id.primaryKey, of: entity) { make(id.primaryKey) } === id) }
    #expect(table.count == 1_000)
  }

  @Test func `a row that became one of another entity is another object`() {
    var table = KeyedIDs()
    let other = NSEntityDescription()
    let id = table.id(for: 5, of: entity) { make(5) }
    let changed = table.id(for: 5, of: other) {
      NSManagedObjectID(entity: other, primaryKey: 5, owner: IDOwner(identifier: "s", store: Store()))
    }
    #expect(changed !== id)
    #expect(table.count == 1)
  }

  @Test func `an id tells its store while the store is open, and its identifier always`() {
    let id: NSManagedObjectID
    do {
      let store = Store()
      id = NSManagedObjectID(entity: entity, primaryKey: 3, owner: IDOwner(identifier: "ABC", store: store))
      #expect(id.persistentStore === store)
    }
    #expect(id.persistentStore == nil)
    #expect(id.uriRepresentation().absoluteString == "x-coredata://ABC//p3")
  }
}
