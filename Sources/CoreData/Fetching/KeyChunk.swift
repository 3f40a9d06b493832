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

  /// Whether the keys follow one another, which takes no memory for each.
  var isRun: Bool { if case .run = keys { true } else { false } }

  /// An empty chunk.
  init() {}

  /// The keys given, packed; there must be no more than `capacity`.
  init(_ list: some Collection<ObjectKey>) {
    precondition(list.count <= Self.capacity, "KeyChunk cannot hold that many keys")
    count = list.count
    entity = list.first?.entity ?? 0
    if list.contains(where: { $0.entity != entity }) { entities = list.map(\.entity) }
    keys = Self.packed(list.map(\.primaryKey))
  }

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

  /// All keys, in order.
  var unpacked: [ObjectKey] {
    let primaryKeys = unpackedPrimaryKeys
    if entities.isEmpty { return primaryKeys.map { ObjectKey(entity: entity, primaryKey: $0) } }
    return zip(entities, primaryKeys).map { ObjectKey(entity: $0, primaryKey: $1) }
  }

  private var unpackedPrimaryKeys: [Int64] {
    switch keys {
    case .plain(let keys): keys
    case .run(let first): (0..<count).map { first + Int64($0) }
    case .near(let base, let steps): steps.map { base + Int64($0) }
    case .far(let base, let steps): steps.map { base + Int64($0) }
    }
  }

  /// Whether a primary key can be in the chunk, by the smallest and the largest that it could hold.
  private func canHold(_ key: Int64) -> Bool {
    let (base, span): (Int64, UInt64) =
      switch keys {
      case .plain: (.min, .max)
      case .run(let first): (first, UInt64(max(count - 1, 0)))
      case .near(let base, _): (base, UInt64(UInt16.max))
      case .far(let base, _): (base, UInt64(UInt32.max))
      }
    return key >= base && UInt64(bitPattern: key &- base) <= span
  }

  /// Calls `body` with the index of each key that is one of `wanted`, by primary key.
  func forEach(of wanted: Set<Int64>, within range: ClosedRange<Int64>, _ body: (Int) -> Void) {
    func look<Step: FixedWidthInteger>(_ base: Int64, _ steps: [Step]) {
      for index in steps.indices {
        let key = base &+ Int64(steps[index])
        if range.contains(key), wanted.contains(key) { body(index) }
      }
    }
    switch keys {
    case .plain(let keys): look(0, keys)
    case .run(let first): for index in 0..<count where wanted.contains(first + Int64(index)) { body(index) }
    case .near(let base, let steps): look(base, steps)
    case .far(let base, let steps): look(base, steps)
    }
  }

  /// Where a key is; looks at integers only.
  func index(of key: ObjectKey) -> Int? {
    guard canHold(key.primaryKey), !entities.isEmpty || key.entity == entity else { return nil }
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
      return Self.firstIndex(of: step, in: steps, from: start)
    }
    switch keys {
    case .plain(let keys): return Self.firstIndex(of: key, in: keys, from: start)
    case .run(let first):
      let (index, overflow) = key.subtractingReportingOverflow(first)
      return !overflow && index >= start && index < count ? Int(index) : nil
    case .near(let base, let steps): return find(base, steps)
    case .far(let base, let steps): return find(base, steps)
    }
  }

  /// Blocks without an early end, which the compiler turns into vector instructions; then the place in the block.
  private static func firstIndex<Step: FixedWidthInteger>(of step: Step, in steps: [Step], from start: Int) -> Int? {
    steps.withUnsafeBufferPointer { steps in
      var block = start
      while block < steps.count {
        let end = min(block + 64, steps.count)
        var isHit = false
        for index in block..<end { isHit = isHit || steps[index] == step }
        if isHit { return (block..<end).first { steps[$0] == step } }
        block = end
      }
      return nil
    }
  }

  /// Adds a key at the end; the chunk must not be full.
  mutating func append(_ key: ObjectKey) {
    precondition(!isFull, "KeyChunk is full")
    var list: [Int64]
    if case .plain(let plain) = keys { list = plain } else { list = unpackedPrimaryKeys }
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
