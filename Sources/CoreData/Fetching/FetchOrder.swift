import Foundation

/// The order of fetched objects: the request's sort keys, then entity and primary key; objects that were never saved come
/// last, in the order in which they were inserted.
///
/// Lives for one pass: values are read once an object.
struct FetchOrder {
  private let sort: [NSSortDescriptor]
  private let hasSubentities: Bool
  /// The turn of each object that was never saved.
  private let turns: [ObjectIdentifier: Int]
  private var values: [ObjectIdentifier: [PredicateValue]] = [:]

  init(_ sort: [NSSortDescriptor], hasSubentities: Bool, unsaved: [NSManagedObject]) {
    self.sort = sort
    self.hasSubentities = hasSubentities
    turns = Dictionary(
      unsaved.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether an object comes before another one; values that have no order count as the same.
  mutating func precedes(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    if one === other { return false }
    let (left, right) = (sortValues(of: one), sortValues(of: other))
    for (place, descriptor) in sort.enumerated() {
      let order: ComparisonResult
      if let key = descriptor.sortKey {
        let ascending = (try? key.comparison.order(left[place], right[place])) ?? .orderedSame
        order = key.ascending ? ascending : ascending.reversed
      } else {
        order = descriptor.compare(one, to: other)
      }
      if order != .orderedSame { return order == .orderedAscending }
    }
    return place(of: one) < place(of: other)
  }

  private mutating func sortValues(of object: NSManagedObject) -> [PredicateValue] {
    if let known = values[ObjectIdentifier(object)] { return known }
    let read = sort.map { (try? $0.sortKey?.value(of: .object(object))) ?? .null }
    values[ObjectIdentifier(object)] = read
    return read
  }

  private func place(of object: NSManagedObject) -> (Int, Int, Int64) {
    let id = object.objectID
    if id.isTemporaryID { return (1, turns[ObjectIdentifier(object)] ?? .max, 0) }
    return (0, hasSubentities ? id.objectStore?.number(of: id.entity).map(Int.init) ?? 0 : 0, id.primaryKey)
  }

  /// How many of some objects, which are in order, come before another one.
  mutating func rank(of object: NSManagedObject, in objects: [NSManagedObject]) -> Int {
    var (low, high) = (0, objects.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(objects[middle], object) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
