/// From the results before and the objects that changed to the results after, and what to tell.
struct FetchedResultsPass {
  private typealias Placed = [(key: NSManagedObject, change: PlacedChange)]

  let request: FetchedRequest
  let context: NSManagedObjectContext
  let old: FetchedContent
  /// Objects that are results no longer, whatever they are.
  let gone: Set<NSManagedObject>

  /// The results after changes of some objects: O((n + m) with m log n comparisons.
  ///
  /// Those of `keepingOrder` were changed in nothing that they are sorted by.
  func change(of changed: [NSManagedObject], keepingOrder: Set<ObjectIdentifier>) -> FetchedResultsChange {
    let oldPlaces = places(of: changed)
    var placed: Placed = []
    var removals: [Int] = []
    var coming: [Coming] = []
    for object in changed {
      let matches = !gone.contains(object) && request.matches(object, in: context)
      var change = PlacedChange(old: oldPlaces[ObjectIdentifier(object)])
      change.keepsPlace = change.old != nil && matches && keepingOrder.contains(ObjectIdentifier(object))
      if !change.keepsPlace {
        if let old = change.old { removals.append(old) }
        if matches { coming.append(Coming(index: placed.count, object: object)) }
      }
      placed.append((object, change))
    }
    removals.sort()
    let kept = old.edited(removing: removals, inserting: [])
    rank(&coming, in: kept.objects)
    let new = kept.edited(
      removing: [],
      inserting: coming.enumerated().map { ($1.rank + $0, $1.object, request.sectionName(of: $1.object)) })
    for (turn, object) in coming.enumerated() { placed[object.index].change.new = object.rank + turn }
    let ranks = coming.map(\.rank)
    for index in placed.indices where placed[index].change.keepsPlace {
      guard let old = placed[index].change.old else { continue }
      let place = old - removals.lowerBound { $0 < old }
      placed[index].change.new = place + ranks.lowerBound { $0 <= place }
    }
    return FetchedResultsChange(placed, from: old, to: new)
  }

  /// The results fetched anew, and how they differ; of those that stay `changed` are told.
  func changeByFetching(of changed: [NSManagedObject]) throws -> FetchedResultsChange {
    var new = try request.content(in: context)
    if !gone.isEmpty {
      new = new.edited(removing: new.objects.indices.filter { gone.contains(new.objects[$0]) }, inserting: [])
    }
    var changed = Set(changed)
    if old.isCut {
      // An object can come into another section by what its section key path crosses.
      let names = Dictionary(zip(old.objects, old.names), uniquingKeysWith: { first, _ in first })
      for (object, name) in zip(new.objects, new.names) where names[object] != nil && names[object] != name {
        changed.insert(object)
      }
    }
    return FetchedResultsChange(
      PlacedChange.between(old.objects, new.objects, changed: changed), from: old, to: new)
  }

  /// An object to be put in.
  private struct Coming {
    /// Which of the changes it is.
    var index: Int
    var object: NSManagedObject
    /// How many of the objects that stay where they are come before it.
    var rank = 0
  }

  private func rank(_ coming: inout [Coming], in kept: [NSManagedObject]) {
    guard !coming.isEmpty else { return }
    var order = request.order(in: context)
    for index in coming.indices { coming[index].rank = order.rank(of: coming[index].object, in: kept) }
    coming.sort { $0.rank != $1.rank ? $0.rank < $1.rank : order.precedes($0.object, $1.object) }
  }

  private func places(of objects: [NSManagedObject]) -> [ObjectIdentifier: Int] {
    var places: [ObjectIdentifier: Int] = [:]
    if objects.count < 8 {
      for object in objects { places[ObjectIdentifier(object)] = old.objects.firstIndex { $0 === object } }
      return places
    }
    let wanted = Set(objects.map(ObjectIdentifier.init))
    for (place, object) in old.objects.enumerated() where wanted.contains(ObjectIdentifier(object)) {
      places[ObjectIdentifier(object)] = place
    }
    return places
  }
}
