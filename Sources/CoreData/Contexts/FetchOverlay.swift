import Foundation

/// The unsaved objects that a fetch has to see: laid over what the store answers (reference/CONTEXT.md 25 and 27).
///
/// Pending objects are taken out of the store's answer and judged in memory, by the rules of a fetch; those that fit are put
/// in their places. Offset and limit count afterwards.
struct FetchOverlay {
  /// Pending objects of the entity, the deleted ones included, in the order they were first touched.
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
    var order = FetchOrder(
      fetch.sort, hasSubentities: fetch.includesSubentities && !fetch.entity.subentities.isEmpty, unsaved: pending)
    for object in try fitting(fetch.predicate) { found.insert(object, at: order.rank(of: object, in: found)) }
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
