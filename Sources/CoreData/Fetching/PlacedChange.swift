/// A changed object's place in a list before and after; `nil` where it is not in the list.
struct PlacedChange {
  /// Its position before.
  var old: Int?
  /// Its position after.
  var new: Int?
  /// Whether its place among the objects that were not changed, and others like it, is what it was.
  ///
  /// So it is of an object whose sort values did not change.
  var keepsPlace = false

  /// What to tell of the object.
  enum Kind: Hashable {
    case insert(at: Int)
    case delete(at: Int)
    case move(from: Int, to: Int)
    case update(from: Int, to: Int)
  }

  /// What to tell of each object; `nil` for one that was not in the list and is not now.
  ///
  /// The objects must be all whose place can differ: those not among them are in the same order as before. An object that
  /// stays is told as moved exactly if its place differs once shifts by others are taken away: the number of unmoved
  /// objects before it, or its turn among the changed ones that stay in the same gap (reference/FRC.md 39 and 42). Costs
  /// O(m log m) for m objects.
  static func kinds(of changes: [PlacedChange]) -> [Kind?] {
    // Positions without those that can have moved: what is left is the same sequence before and after.
    let loose = changes.indices.filter { !changes[$0].keepsPlace || changes[$0].old == nil || changes[$0].new == nil }
    let oldGaps = gaps(loose.compactMap { index in changes[index].old.map { (index, $0) } })
    let newGaps = gaps(loose.compactMap { index in changes[index].new.map { (index, $0) } })
    // Those that stay in their gap, gap by gap, in the order before and in the order after.
    let staying = loose.filter { oldGaps[$0] != nil && oldGaps[$0] == newGaps[$0] }
    let before = staying.sorted { (changes[$0].old ?? 0) < (changes[$1].old ?? 0) }
    let after = staying.sorted { (changes[$0].new ?? 0) < (changes[$1].new ?? 0) }
    let unmoved = Set(zip(before, after).filter { $0 == $1 }.map { $0.0 })
    return changes.enumerated().map { index, change in
      switch (change.old, change.new) {
      case (nil, nil): nil
      case (nil, let new?): .insert(at: new)
      case (let old?, nil): .delete(at: old)
      case (let old?, let new?):
        change.keepsPlace || unmoved.contains(index) ? .update(from: old, to: new) : .move(from: old, to: new)
      }
    }
  }

  /// For each object how many of the others that are not in `positions` lie before it.
  private static func gaps(_ positions: [(index: Int, position: Int)]) -> [Int: Int] {
    let sorted = positions.sorted { $0.position < $1.position }
    return Dictionary(
      uniqueKeysWithValues: sorted.enumerated().map { rank, place in (place.index, place.position - rank) })
  }
}

extension ListChanges {
  /// What changes of some objects do to a list; `changes` must be as `PlacedChange.kinds` wants them.
  init(_ changes: [(key: ObjectKey, change: PlacedChange)]) {
    self.init()
    for (place, kind) in zip(changes, PlacedChange.kinds(of: changes.map(\.change))) {
      switch kind {
      case .insert(let position): inserts.append(Place(place.key, at: position))
      case .delete(let position): deletes.append(Place(place.key, at: position))
      case .move(let from, let to): moves.append(Step(place.key, from: from, to: to))
      case .update(let from, let to): updates.append(Step(place.key, from: from, to: to))
      case nil: break
      }
    }
    deletes.sort { $0.position < $1.position }
    inserts.sort { $0.position < $1.position }
    moves.sort { $0.to < $1.to }
    updates.sort { $0.to < $1.to }
  }
}

extension [Int] {
  /// How many elements of an ascending array fulfil a condition that the first ones do.
  func lowerBound(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
