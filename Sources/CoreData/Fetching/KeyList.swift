/// The keys of a whole list in order: what stage two of a list brings, and what positions are read from.
///
/// Keys are kept in packed chunks with running counts, so a position is found in O(log n) and a later change touches one
/// chunk.
public struct KeyList: Sendable, Equatable {
  private(set) var chunks: [KeyChunk] = []
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
    if chunks.last?.isFull ?? true {
      starts.append(count)
      chunks.append(KeyChunk())
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
      if let index = chunk.index(of: key) { return starts[number] + index }
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
