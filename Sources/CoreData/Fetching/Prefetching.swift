import Foundation

/// The objects of a fetch whose rows are read page by page, as their faults fire (reference/CONTEXT.md 29).
struct FetchBatch {
  private let ids: [NSManagedObjectID]
  private let size: Int
  /// Where each object stands; made when the first fault fires.
  private var places: [NSManagedObjectID: Int]?

  init(_ ids: [NSManagedObjectID], size: Int) { (self.ids, self.size) = (ids, size) }

  /// The page that an object stands on; `nil` for an object of another fetch.
  mutating func page(of id: NSManagedObjectID) -> ArraySlice<NSManagedObjectID>? {
    if places == nil {
      places = Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    guard let place = places?[id] else { return nil }
    let start = place / size * size
    return ids[start..<min(start + size, ids.count)]
  }
}

extension NSManagedObjectContext {
  /// How many fetches are remembered, the newest ones.
  private static let mostBatches = 8

  /// Has the rows of some objects be read together when the first of their faults fires.
  func readTogether(_ objects: [NSManagedObject], pagesOf size: Int) {
    if batches.count == Self.mostBatches { batches.removeFirst() }
    batches.append(FetchBatch(objects.map(\.objectID), size: size))
  }

  /// Reads the page that a fault stands on, where a fetch has put it on one.
  func readPage(of id: NSManagedObjectID) {
    for index in batches.indices.reversed() {
      guard let page = batches[index].page(of: id) else { continue }
      let lacking = page.filter { $0.cachedRow == nil }
      do { try id.objectStore?.readRows(of: lacking) } catch { report(error) }
      return
    }
  }

  /// Reads the rows at the end of key paths of relationships, one query for each step of a path.
  ///
  /// A name that is no relationship ends its path.
  func prefetch(_ paths: [String], for objects: [NSManagedObject]) throws {
    prefetched = []
    for path in paths {
      var current = objects
      for key in path.split(separator: ".") {
        current = try prefetch(String(key), of: current)
        prefetched += current
      }
    }
  }

  /// The objects that a relationship of some objects leads to, their rows read.
  private func prefetch(_ key: String, of objects: [NSManagedObject]) throws -> [NSManagedObject] {
    var found: [NSManagedObject] = []
    for (_, objects) in Dictionary(grouping: objects, by: { ObjectIdentifier($0.entity) }) {
      guard let relationship = objects[0].entity.relationshipsByName[key],
        let slot = objects[0].objectClass.slot(named: key)
      else { continue }
      if relationship.isToMany { try readRows(behind: relationship, of: objects) } else { readRows(of: objects) }
      found += objects.flatMap { object in
        if object.needsRow { object.fulfill() }
        return object.destinations(slot)
      }
    }
    var seen: Set<NSManagedObject> = []
    let unique = found.filter { seen.insert($0).inserted }
    readRows(of: unique)
    return unique
  }

  /// Reads the rows of a to-many relationship's objects by the key that leads back.
  private func readRows(behind relationship: NSRelationshipDescription, of objects: [NSManagedObject]) throws {
    let ids = objects.map(\.objectID).filter { !$0.isTemporaryID }
    guard let inverse = relationship.inverseRelationship, let entity = relationship.destinationEntity, !ids.isEmpty
    else { return }
    let format = (inverse.isToMany ? "ANY %K IN %@" : "%K IN %@")
    let fetch = StoreFetch(entity: entity, predicate: NSPredicate(format: format, argumentArray: [inverse.name, ids]))
    for store in try stores() {
      prefetched += try store.objectIDs(for: fetch).map(object(with:))
    }
  }
}
