/// The places (`Z_FOK_…`) of the members of an ordered relationship: 1,024 apart, beginning at 2,048
/// (reference/FORMAT.md, "Entity tables").
enum OrderPlaces {
  static let first: Int64 = 2_048
  static let step: Int64 = 1_024
  /// The framework counts with 32 bits.
  private static let highest = Int64(Int32.max)

  /// The places that must be written so that `order` is the order of the members.
  ///
  /// As many members as can keep their places keep them. Others go between their neighbours, evenly, or after the last one
  /// at the usual distance; all are numbered anew where there is no room.
  static func changes(for order: [Int64], having places: [Int64: Int64]) -> [Int64: Int64] {
    let kept = longestAscending(order, by: places)
    var changes: [Int64: Int64] = [:]
    var previous: Int64?
    var waiting: [Int64] = []
    for key in order {
      guard kept.contains(key), let place = places[key] else {
        waiting.append(key)
        continue
      }
      let room = place - (previous ?? 0)
      guard room > Int64(waiting.count) else { return numberedAnew(order, having: places) }
      for (index, key) in waiting.enumerated() {
        changes[key] = (previous ?? 0) + room * Int64(index + 1) / Int64(waiting.count + 1)
      }
      waiting = []
      previous = place
    }
    for key in waiting {
      let place = previous.map { $0 + step } ?? first
      guard place <= highest else { return numberedAnew(order, having: places) }
      changes[key] = place
      previous = place
    }
    return changes
  }

  private static func numberedAnew(_ order: [Int64], having places: [Int64: Int64]) -> [Int64: Int64] {
    var changes: [Int64: Int64] = [:]
    for (index, key) in order.enumerated() {
      let place = first + Int64(index) * step
      if places[key] != place { changes[key] = place }
    }
    return changes
  }

  /// The keys of a longest part of `order` whose places ascend.
  private static func longestAscending(_ order: [Int64], by places: [Int64: Int64]) -> Set<Int64> {
    let placed = order.compactMap { key in places[key].map { (key: key, place: $0) } }
    // For each length the end of the run of that length with the lowest place, and for each member the one before it.
    var ends: [Int] = []
    var before: [Int?] = []
    for (index, member) in placed.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if placed[ends[middle]].place < member.place { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var kept: Set<Int64> = []
    var current = ends.last
    while let index = current {
      kept.insert(placed[index].key)
      current = before[index]
    }
    return kept
  }
}
