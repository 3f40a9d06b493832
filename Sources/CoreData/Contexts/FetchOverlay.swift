import Foundation

/// The unsaved objects that a fetch has to see: laid over what the store answers (reference/CONTEXT.md 25 and 27).
///
/// Pending objects are taken out of the store's answer and judged in memory, by the rules of a fetch; those that fit are put
/// in their places. Offset and limit count afterwards. Where the request looks at pending objects through relationships,
/// every object is judged in memory: what is asked for and what is pending are never mixed.
struct FetchOverlay {
  private let fetch: StoreFetch
  /// The stores that are asked; `nil` for all.
  private let stores: [NSPersistentStore]?
  /// Pending objects of the entity, the deleted ones included, in the order they were first touched.
  private let pending: [NSManagedObject]
  /// Whether objects that the request sees through relationships are pending.
  private let crossesPending: Bool

  /// `nil` when none of the pending objects has to do with the fetch.
  init?(_ fetch: StoreFetch, pending: [NSManagedObject], stores: [NSPersistentStore]? = nil) {
    self.fetch = fetch
    self.stores = stores
    self.pending = pending.filter { object in
      // A new object belongs to no store yet.
      guard
        stores == nil
          || object.objectID.persistentStore.map({ store in stores?.contains { $0 === store } ?? true }) ?? true
      else { return false }
      return fetch.includesSubentities ? object.entity.isKindOf(entity: fetch.entity) : object.entity === fetch.entity
    }
    let crossed = fetch.entity.entitiesCrossed(by: fetch.predicate?.tree, fetch.sort.compactMap(\.sortedKeys))
    crossesPending = pending.contains { object in crossed.contains { object.entity.isKindOf(entity: $0) } }
    if self.pending.isEmpty && !crossesPending { return nil }
  }

  /// The objects that the fetch finds.
  func objects(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    var order = FetchOrder(
      fetch.sort, hasSubentities: fetch.includesSubentities && !fetch.entity.subentities.isEmpty, unsaved: pending)
    let found = crossesPending ? try judged(&order, in: context) : try laidOver(&order, in: context)
    let windowed = found.dropFirst(fetch.offset)
    return Array(fetch.limit > 0 ? windowed.prefix(fetch.limit) : windowed)
  }

  private func laidOver(_ order: inout FetchOrder, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    var wide = fetch
    wide.offset = 0
    // As many more as the pending ones among them can take away.
    if fetch.limit > 0 { wide.limit = fetch.offset + fetch.limit + pending.count }
    var found = try stored(wide, in: context)
    for object in try fitting(pending) { found.insert(object, at: order.rank(of: object, in: found)) }
    return found
  }

  /// Every object judged and ordered by the values it has now.
  private func judged(_ order: inout FetchOrder, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    var wide = fetch
    (wide.offset, wide.limit, wide.sort) = (0, 0, [])
    let check = PredicateCheck(entity: fetch.entity)
    for descriptor in fetch.sort { _ = try check.sortKey(of: descriptor) }
    if let predicate = fetch.predicate?.tree {
      // What the predicate asks but the objects' own columns can be left to the store.
      try check.check(predicate)
      wide.predicate = PredicateForm(.and(predicate.conjuncts.filter(isOwn))).predicate
    }
    return try fitting(stored(wide, in: context) + pending).sorted { order.precedes($0, $1) }
  }

  /// Whether a part of the predicate looks at the objects' own values alone.
  private func isOwn(_ tree: PredicateTree) -> Bool {
    fetch.entity.entitiesCrossed(by: tree, []).isEmpty
  }

  /// What the store finds, without pending objects.
  private func stored(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let own = Set(pending)
    let asked = try context.stores().filter { store in stores?.contains { $0 === store } ?? true }
    return try asked.flatMap { store in
      try store.objectIDs(for: fetch).map(context.object(with:)).filter { !own.contains($0) }
    }
  }

  private func fitting(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
    let live = objects.filter { !$0.isDeleted }
    guard let predicate = fetch.predicate else { return live }
    let test = CompiledPredicate(PredicateForm(predicate), nulls: .fetch)
    return try live.filter { try test.evaluate(.object($0)) ?? false }
  }
}

extension PredicateTree {
  /// The parts that must all hold.
  fileprivate var conjuncts: [PredicateTree] {
    if case .and(let children) = self { children.flatMap(\.conjuncts) } else { [self] }
  }
}

extension NSSortDescriptor {
  /// The keys of the path that is sorted by.
  var sortedKeys: [String]? { key?.split(separator: ".").map(String.init) }
}
