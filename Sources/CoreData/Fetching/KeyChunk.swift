/// Some keys of a list in order: as they come while there is room for more, then packed.
///
/// Most lists are in the order of their primary keys, and those of one table lie close together: a full chunk keeps the
/// smallest key and what each is above it, in as few bytes as that takes. 5,000,000 keys without gaps take next to nothing,
/// in the order of another column 19 MiB instead of 38.
struct KeyChunk: Sendable, Equatable {
  static let capacity = 4_096

  private enum Keys: Sendable, Equatable {
    case plain([Int64])
    /// One after the other.
    case run(first: Int64)
    case near(base: Int64, [UInt16])
    case far(base: Int64, [UInt32])
  }

  private var keys = Keys.plain([])
  /// The entity of every key, or empty while all keys are of `entity`.
  private var entities: [Int32] = []
  private var entity: Int32 = 0
  private(set) var count = 0

  var isFull: Bool { count == Self.capacity }

  subscript(index: Int) -> ObjectKey {
    ObjectKey(entity: entities.isEmpty ? entity : entities[index], primaryKey: primaryKey(index))
  }

  private func primaryKey(_ index: Int) -> Int64 {
    switch keys {
    case .plain(let keys): keys[index]
    case .run(let first): first + Int64(index)
    case .near(let base, let steps): base + Int64(steps[index])
    case .far(let base, let steps): base + Int64(steps[index])
    }
  }

  /// Where a key is; looks at integers only.
  func index(of key: ObjectKey) -> Int? {
    var from = 0
    while let index = index(of: key.primaryKey, from: from) {
      if self[index] == key { return index }
      from = index + 1
    }
    return nil
  }

  private func index(of key: Int64, from start: Int) -> Int? {
    func find<Step: FixedWidthInteger>(_ base: Int64, _ steps: [Step]) -> Int? {
      let (step, overflow) = key.subtractingReportingOverflow(base)
      guard !overflow, let step = Step(exactly: step) else { return nil }
      return steps[start...].firstIndex(of: step)
    }
    switch keys {
    case .plain(let keys): return keys[start...].firstIndex(of: key)
    case .run(let first):
      let (index, overflow) = key.subtractingReportingOverflow(first)
      return !overflow && index >= start && index < count ? Int(index) : nil
    case .near(let base, let steps): return find(base, steps)
    case .far(let base, let steps): return find(base, steps)
    }
  }

  /// Adds a key at the end; the chunk must not be full.
  mutating func append(_ key: ObjectKey) {
    guard case .plain(var list) = keys else { preconditionFailure("KeyChunk is full") }
    keys = .run(first: 0)  // So that `list` is the only owner of its keys.
    if list.isEmpty {
      list.reserveCapacity(Self.capacity)
      entity = key.entity
    } else if entities.isEmpty && key.entity != entity {
      entities = Array(repeating: entity, count: list.count)
    }
    list.append(key.primaryKey)
    if !entities.isEmpty || key.entity != entity { entities.append(key.entity) }
    count += 1
    keys = isFull ? Self.packed(list) : .plain(list)
  }

  private static func packed(_ keys: [Int64]) -> Keys {
    guard let first = keys.first, let base = keys.min(), let last = keys.max() else { return .plain(keys) }
    let (span, overflow) = last.subtractingReportingOverflow(base)
    if overflow || span > Int64(UInt32.max) { return .plain(keys) }
    if span == Int64(keys.count - 1), zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return .run(first: first) }
    if span <= Int64(UInt16.max) { return .near(base: base, keys.map { UInt16(truncatingIfNeeded: $0 - base) }) }
    return .far(base: base, keys.map { UInt32(truncatingIfNeeded: $0 - base) })
  }
}
