import Foundation

/// The unsaved objects that a fetch has to see: laid over what the store answers (reference/CONTEXT.md 25 and 27).
///
/// Pending objects are taken out of the store's answer and judged in memory, by the rules of a fetch; those that fit are put
/// in their places. Offset and limit count afterwards.
struct FetchOverlay {
  /// Pending objects of the entity, the deleted ones included.
  private let pending: [NSManagedObject]

  /// `nil` when none of the pending objects is of the entity.
  init?(pending: [NSManagedObject], of entity: NSEntityDescription, includesSubentities: Bool) {
    self.pending = pending.filter {
      includesSubentities ? $0.entity.isKindOf(entity: entity) : $0.entity === entity
    }
    if self.pending.isEmpty { return nil }
  }

  /// The objects that the fetch finds.
  func objects(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    var wide = fetch
    wide.offset = 0
    // As many more as the pending ones among them can take away.
    if fetch.limit > 0 { wide.limit = fetch.offset + fetch.limit + pending.count }
    let own = Set(pending)
    var found: [NSManagedObject] = []
    for store in try context.stores() {
      found += try store.objectIDs(for: wide).map(context.object(with:)).filter { !own.contains($0) }
    }
    let order = FetchOrder(fetch)
    for object in try fitting(fetch.predicate) {
      found.insert(object, at: try order.place(of: object, in: found))
    }
    let windowed = found.dropFirst(fetch.offset)
    return Array(fetch.limit > 0 ? windowed.prefix(fetch.limit) : windowed)
  }

  private func fitting(_ predicate: NSPredicate?) throws -> [NSManagedObject] {
    let live = pending.filter { !$0.isDeleted }
    guard let predicate else { return live }
    let test = CompiledPredicate(PredicateForm(predicate), nulls: .fetch)
    return try live.filter { try test.evaluate(.object($0)) ?? false }
  }
}

/// The order of a fetch's results: its sort keys, then entity and primary key, objects without one last in their own order.
private struct FetchOrder {
  private let sort: [NSSortDescriptor]
  private let hasSubentities: Bool

  init(_ fetch: StoreFetch) {
    sort = fetch.sort
    hasSubentities = fetch.includesSubentities && !fetch.entity.subentities.isEmpty
  }

  /// Where an object belongs among others that are in order; after those it does not differ from.
  func place(of object: NSManagedObject, in objects: [NSManagedObject]) throws -> Int {
    var (low, high) = (0, objects.count)
    while low < high {
      let middle = (low + high) / 2
      if try precedes(object, objects[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func precedes(_ one: NSManagedObject, _ other: NSManagedObject) throws -> Bool {
    for descriptor in sort {
      let order =
        try descriptor.sortKey.map { try $0.order(.object(one), .object(other)) } ?? descriptor.compare(one, to: other)
      if order != .orderedSame { return order == .orderedAscending }
    }
    return Self.key(one, hasSubentities) < Self.key(other, hasSubentities)
  }

  private static func key(_ object: NSManagedObject, _ hasSubentities: Bool) -> (Int, Int32, Int64) {
    let id = object.objectID
    guard !id.isTemporaryID else { return (1, 0, 0) }
    return (0, hasSubentities ? id.objectStore?.number(of: id.entity) ?? 0 : 0, id.primaryKey)
  }
}
