/// The keys of a whole list in order: what stage two of a list brings, and what positions are read from.
///
/// Keys are kept in packed chunks with running counts, so a position is found in O(log n) and a change touches one chunk. A
/// copy shares the chunks that were not changed since. Two lists are equal when they have the same keys in the same order.
public struct KeyList: Sendable, Equatable {
  private(set) var chunks: [KeyChunk] = []
  /// The position of each chunk's first key.
  private(set) var starts: [Int] = []

  /// How many keys there are.
  public private(set) var count = 0

  /// An empty list.
  public init() {}

  /// A list of the given keys, in their order.
  public init(_ keys: some Sequence<ObjectKey>) {
    for key in keys { append(key) }
  }

  /// A list of chunks, none of them empty.
  init(chunks: [KeyChunk]) {
    self.chunks = chunks
    starts.reserveCapacity(chunks.count)
    for chunk in chunks {
      starts.append(count)
      count += chunk.count
    }
  }

  /// Whether both have the same keys in the same order, however they are cut into chunks.
  public static func == (left: KeyList, right: KeyList) -> Bool {
    guard left.count == right.count else { return false }
    if left.starts == right.starts { return left.chunks == right.chunks || left.elementsEqual(right) }
    return left.elementsEqual(right)
  }

  private func elementsEqual(_ other: KeyList) -> Bool {
    var rest = other.chunks.makeIterator()
    var keys: ArraySlice<ObjectKey> = []
    for chunk in chunks {
      for key in chunk.unpacked {
        if keys.isEmpty { keys = rest.next()?.unpacked[...] ?? [] }
        guard keys.popFirst() == key else { return false }
      }
    }
    return true
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
    let range = range.clamped(to: 0..<count)
    guard let first = range.first else { return [] }
    var keys: [ObjectKey] = []
    keys.reserveCapacity(range.count)
    var chunk = chunkIndex(of: first)
    while chunk < chunks.count, starts[chunk] < range.upperBound {
      let part = range.clamped(to: starts[chunk]..<(starts[chunk] + chunks[chunk].count))
      let indices = (part.lowerBound - starts[chunk])..<(part.upperBound - starts[chunk])
      if indices.count > 256 {
        keys += chunks[chunk].unpacked[indices]
      } else {
        for index in indices { keys.append(chunks[chunk][index]) }
      }
      chunk += 1
    }
    return keys
  }

  /// The position of a key, or `nil` when it is not in the list.
  ///
  /// Reads through the integers: less than 1 ms a million keys.
  public func position(of key: ObjectKey) -> Int? {
    for (number, chunk) in chunks.enumerated() {
      if let index = chunk.index(of: key) { return starts[number] + index }
    }
    return nil
  }

  /// The positions of those of some keys that are in the list: one walk through it, however many are asked for.
  func positions(of keys: [ObjectKey]) -> [ObjectKey: Int] {
    var found: [ObjectKey: Int] = [:]
    if keys.count < 8 {
      for key in keys { found[key] = position(of: key) }
      return found
    }
    let wanted = Set(keys)
    let primaryKeys = Set(keys.map(\.primaryKey))
    guard let first = primaryKeys.min(), let last = primaryKeys.max() else { return [:] }
    for (chunk, start) in zip(chunks, starts) {
      chunk.forEach(of: primaryKeys, within: first...last) { index in
        let key = chunk[index]
        if wanted.contains(key), found[key] == nil { found[key] = start + index }
      }
    }
    return found
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
