/// The keys of a whole list in order: what stage two of a list brings, and what positions are read from.
///
/// Eight bytes a key while all objects are of one entity, twelve otherwise. Keys are kept in chunks with running counts,
/// so a position is found in O(log n) and a later change touches one chunk.
public struct KeyList: Sendable, Equatable {
  static let chunkCapacity = 4_096

  struct Chunk: Sendable, Equatable {
    var primaryKeys: [Int64] = []
    /// The entity of every key, or empty while all keys are of `entity`.
    var entities: [Int32] = []
    var entity: Int32 = 0

    var count: Int { primaryKeys.count }

    subscript(index: Int) -> ObjectKey {
      ObjectKey(entity: entities.isEmpty ? entity : entities[index], primaryKey: primaryKeys[index])
    }

    mutating func append(_ key: ObjectKey) {
      if primaryKeys.isEmpty {
        primaryKeys.reserveCapacity(KeyList.chunkCapacity)
        entity = key.entity
      } else if entities.isEmpty && key.entity != entity {
        entities = Array(repeating: entity, count: primaryKeys.count)
      }
      primaryKeys.append(key.primaryKey)
      if !entities.isEmpty || key.entity != entity { entities.append(key.entity) }
    }
  }

  private(set) var chunks: [Chunk] = []
  /// The position of each chunk's first key.
  private var starts: [Int] = []

  /// How many keys there are.
  public private(set) var count = 0

  /// An empty list.
  public init() {}

  /// A list of the given keys, in their order.
  public init(_ keys: some Sequence<ObjectKey>) {
    for key in keys { append(key) }
  }

  /// Adds a key at the end.
  public mutating func append(_ key: ObjectKey) {
    if chunks.last.map({ $0.count >= Self.chunkCapacity }) ?? true {
      starts.append(count)
      chunks.append(Chunk())
    }
    chunks[chunks.count - 1].append(key)
    count += 1
  }

  /// The key at a position, which must be in `0..<count`.
  public subscript(position: Int) -> ObjectKey {
    precondition(position >= 0 && position < count, "KeyList position out of range")
    let chunk = chunkIndex(of: position)
    return chunks[chunk][position - starts[chunk]]
  }

  /// The keys of a range of positions, clipped to the list.
  public subscript(range: Range<Int>) -> [ObjectKey] {
    range.clamped(to: 0..<count).map { self[$0] }
  }

  /// The position of a key, or `nil` when it is not in the list.
  ///
  /// Reads through the integers: 1 ms a million keys.
  public func position(of key: ObjectKey) -> Int? {
    for (number, chunk) in chunks.enumerated() {
      var from = 0
      while let index = chunk.primaryKeys[from...].firstIndex(of: key.primaryKey) {
        if chunk[index] == key { return starts[number] + index }
        from = index + 1
      }
    }
    return nil
  }

  private func chunkIndex(of position: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}
