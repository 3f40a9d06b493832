/// Finds the places that changed objects had in a list and have now, with a few rows read for each.
///
/// The list can be older or newer than the changes, and the store newer than both. Whether an object is in the list, and what
/// it is sorted by, is therefore always asked of the store. Wherever objects become neighbours it is checked that they are in
/// order: each object is placed once more when its own change is told, so when all changes are told the whole list is in
/// order. A check that fails throws `Doubt`.
struct ListPlacer {
  /// The places cannot be told from single rows.
  struct Doubt: Error {}

  private typealias Change = StoreChanges.Change

  private let query: ListQuery
  private let keys: KeyList
  private let reader: ListPlaceReader
  /// What objects that are told of were sorted by when they had their places; `nil` inside where it is not known.
  private var former: [ObjectKey: [SQLiteValue]?] = [:]

  init(_ query: ListQuery, keys: KeyList, reader: ListPlaceReader) {
    self.query = query
    self.keys = keys
    self.reader = reader
  }

  /// The places of the objects, and the list as it is now.
  mutating func place(
    _ changes: [StoreChanges.Change]
  ) throws -> (places: [(key: ObjectKey, change: PlacedChange)], keys: KeyList) {
    for change in changes { former[change.key] = .some(try formerValues(of: change)) }
    let old = try oldPlaces(of: changes)
    var places: [(key: ObjectKey, change: PlacedChange)] = []
    var coming: [Coming] = []
    var removals: [Int] = []
    for change in changes {
      let now = try reader.values(of: change.key)
      var place = PlacedChange(old: old[change.key])
      place.keepsPlace = place.old != nil && now != nil && keepsSortValues(change)
      if !place.keepsPlace {
        if let old = place.old { removals.append(old) }
        if let now { coming.append(Coming(index: places.count, key: change.key, values: now)) }
      }
      places.append((change.key, place))
    }
    removals.sort()
    var kept = keys
    kept.edit(removing: removals, inserting: [])
    try rank(&coming, in: kept)
    for (turn, object) in coming.enumerated() { places[object.index].change.new = object.rank + turn }
    var keys = kept
    keys.edit(removing: [], inserting: coming.enumerated().map { .init($1.key, at: $1.rank + $0) })
    let ranks = coming.map(\.rank)
    func newPlace(ofKept place: Int) -> Int { place + ranks.lowerBound { $0 <= place } }
    for index in places.indices where places[index].change.keepsPlace {
      guard let old = places[index].change.old else { continue }
      places[index].change.new = newPlace(ofKept: old - removals.lowerBound { $0 < old })
    }
    // Where a row went, its neighbours meet; where one came, it meets both.
    var meetings = Set(removals.enumerated().map { newPlace(ofKept: $1 - $0) })
    for (turn, rank) in ranks.enumerated() { meetings.formUnion([rank + turn, rank + turn + 1]) }
    for place in meetings where place > 0 && place < keys.count { try check(keys[place - 1], keys[place]) }
    return (places, keys)
  }

  /// An object to be put in.
  private struct Coming {
    /// Which of the changes it is.
    var index: Int
    var key: ObjectKey
    var values: [SQLiteValue]
    /// How many of the objects that stay where they are come before it.
    var rank = 0
  }

  private func rank(_ coming: inout [Coming], in kept: KeyList) throws {
    for index in coming.indices {
      let object = coming[index]
      if object.values.contains(where: \.isRepaired) { throw Doubt() }
      coming[index].rank = try place(of: object.values, in: kept) { try self.reader.values(of: $0) }
    }
    let order = reader.order
    coming.sort { $0.rank != $1.rank ? $0.rank < $1.rank : order.precedes($0.values, $1.values) }
  }

  /// Neighbours must be in order; one that is no longer in the list will be told of.
  private func check(_ left: ObjectKey, _ right: ObjectKey) throws {
    guard reader.sortCount > 0 else { return }
    guard let left = try reader.values(of: left), let right = try reader.values(of: right) else { return }
    if !reader.order.precedes(left, right) { throw Doubt() }
  }

  // MARK: Places before

  private func oldPlaces(of changes: [Change]) throws -> [ObjectKey: Int] {
    var places: [ObjectKey: Int] = [:]
    var missing: [ObjectKey] = []
    for change in changes {
      let key = change.key
      if let values = former[key] ?? nil {
        let place = try place(of: values, in: keys) { mid in
          if let former = self.former[mid] { return former }
          return try self.reader.values(of: mid)
        }
        if place < keys.count, keys[place] == key {
          places[key] = place
          continue
        }
        // Without sort keys the place follows from the key alone.
        if reader.sortCount == 0 { continue }
      }
      missing.append(key)
    }
    return places.merging(keys.positions(of: missing)) { first, _ in first }
  }

  /// What an object was sorted by before a change, as far as it is known.
  private func formerValues(of change: Change) throws -> [SQLiteValue]? {
    if reader.sortCount == 0 { return reader.complete([], for: change.key) }
    // A new object that is in the list is there because the list was read after it came.
    if change.kind == .insert { return try reader.values(of: change.key) }
    guard let properties = change.properties, query.sort.count == reader.sortCount else { return nil }
    let now = try reader.values(of: change.key)
    var values: [SQLiteValue] = []
    for (place, sort) in query.sort.enumerated() {
      if sort.root != sort.key {
        // What a path led to before is not told with the object that it begins at.
        guard properties[sort.root] == nil, let now else { return nil }
        values.append(now[place])
      } else if let old = properties[sort.key] {
        guard let value = old.old.flatMap(SQLiteValue.init) else { return nil }
        values.append(value)
      } else if change.kind == .delete {
        values.append(.null)
      } else if let now {
        values.append(now[place])
      } else {
        return nil
      }
    }
    return reader.complete(values, for: change.key)
  }

  /// Whether the change is one that leaves what the list is sorted by as it was.
  private func keepsSortValues(_ change: Change) -> Bool {
    guard change.kind == .update, let properties = change.properties else { return false }
    return reader.sortCount == 0
      || query.sort.count == reader.sortCount && query.sort.allSatisfy { properties[$0.root] == nil }
  }

  /// How many keys of a list come before some sort values.
  ///
  /// Keys without values, whose objects are gone, are passed over.
  private func place(
    of values: [SQLiteValue], in keys: KeyList, valuesOf: (ObjectKey) throws -> [SQLiteValue]?
  ) throws -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      var found: [SQLiteValue]?
      while probe < high {
        let key = keys[probe]
        found = reader.sortCount == 0 ? reader.complete([], for: key) : try valuesOf(key)
        if found != nil { break }
        probe += 1
      }
      guard let found else {
        high = middle
        continue
      }
      if reader.order.precedes(found, values) { low = probe + 1 } else { high = middle }
    }
    return low
  }
}
