extension ListChanges {
  /// What makes one list of another, found by comparing them whole: O(n), or O(n log n) between the first and the last
  /// difference.
  ///
  /// Keys of `changed` that are in both are told as updates or moves. Of the others as few as can be are told as moved.
  init(from old: KeyList, to new: KeyList, changed: Set<ObjectKey> = []) {
    let (head, tail) = Self.sameEnds(old, new)
    var changes = PlacedChange.between(
      old[head..<(old.count - tail)], new[head..<(new.count - tail)], offset: head, changed: changed)
    // Changed objects outside of the middle are where they were.
    if !changed.isEmpty {
      for (key, place) in old.positions(of: Array(changed)) {
        if place < head { changes.append((key, PlacedChange(old: place, new: place, keepsPlace: true))) }
        let now = place + new.count - old.count
        if place >= old.count - tail { changes.append((key, PlacedChange(old: place, new: now, keepsPlace: true))) }
      }
    }
    self.init(changes)
  }

  /// How many keys are the same at the beginning, and how many behind those at the end.
  private static func sameEnds(_ old: KeyList, _ new: KeyList) -> (head: Int, tail: Int) {
    let limit = min(old.count, new.count)
    var head = 0
    // Whole chunks first: those that a list shares with its copy compare quickly.
    for (left, right) in zip(old.chunks, new.chunks) {
      guard left == right, head + left.count <= limit else { break }
      head += left.count
    }
    while head < limit, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < limit - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    return (head, tail)
  }
}

extension PlacedChange {
  /// The places of what differs between two lists, or is one of `changed`; positions count from `offset`.
  ///
  /// Of those that were not changed as few as can be count as moved. A list that holds a key twice, as a damaged join table
  /// can make it, keeps one of them.
  static func between<Key: Hashable>(
    _ old: [Key], _ new: [Key], offset: Int = 0, changed: Set<Key>
  ) -> [(key: Key, change: PlacedChange)] {
    let newPlaces = Dictionary(zip(new, new.indices), uniquingKeysWith: { first, _ in first })
    var changes: [(key: Key, change: PlacedChange)] = []
    var kept: [(key: Key, old: Int, new: Int)] = []
    var isMatched = Array(repeating: false, count: new.count)
    for (place, key) in old.enumerated() {
      var now = newPlaces[key]
      if let place = now {
        if isMatched[place] { now = nil } else { isMatched[place] = true }
      }
      if let now, !changed.contains(key) {
        kept.append((key, place, now))
      } else {
        changes.append((key, PlacedChange(old: offset + place, new: now.map { offset + $0 })))
      }
    }
    for (place, key) in new.enumerated() where !isMatched[place] {
      changes.append((key, PlacedChange(old: nil, new: offset + place)))
    }
    let stays = longestAscent(kept.map(\.new))
    for (index, place) in kept.enumerated() where !stays.contains(index) {
      changes.append((place.key, PlacedChange(old: offset + place.old, new: offset + place.new)))
    }
    return changes
  }

  /// The indices of a longest strictly ascending subsequence.
  static func longestAscent(_ values: [Int]) -> Set<Int> {
    // `ends[length]` is the index of the smallest value that an ascent of that length can end with.
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: Set<Int> = []
    var index = ends.last ?? -1
    while index >= 0 {
      result.insert(index)
      index = previous[index]
    }
    return result
  }
}
