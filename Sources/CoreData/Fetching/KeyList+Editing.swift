extension KeyList {
  /// Puts a key in at a position, in `0...count`.
  public mutating func insert(_ key: ObjectKey, at position: Int) {
    edit(removing: [], inserting: [ListChanges.Place(key, at: position)])
  }

  /// Takes the key at a position out, and answers it.
  @discardableResult
  public mutating func remove(at position: Int) -> ObjectKey {
    let key = self[position]
    edit(removing: [position], inserting: [])
    return key
  }

  /// Puts a key in the place of the one at a position.
  public mutating func replace(at position: Int, with key: ObjectKey) {
    edit(removing: [position], inserting: [ListChanges.Place(key, at: position)])
  }

  /// Does to the list what the changes tell; they must belong to it.
  public mutating func apply(_ changes: ListChanges) {
    let gone = changes.deletes.map(\.position) + changes.moves.map(\.from)
    let come = changes.inserts + changes.moves.map { ListChanges.Place($0.key, at: $0.to) }
    edit(removing: gone.sorted(), inserting: come.sorted { $0.position < $1.position })
  }

  /// Takes keys out at their positions before, then puts keys in at their positions after; both ascending.
  ///
  /// Chunks in which nothing happens stay as they are, so a change costs one chunk and a look at each chunk's count. Two
  /// neighbours together always hold more than half of what a chunk can.
  mutating func edit(removing removals: [Int], inserting insertions: [ListChanges.Place]) {
    if removals.isEmpty && insertions.isEmpty { return }
    var result: [KeyChunk] = []
    result.reserveCapacity(chunks.count + insertions.count / KeyChunk.capacity + 2)
    var (removal, insertion, position) = (0, 0, 0)
    for (chunk, start) in zip(chunks, starts) {
      let firstRemoval = removal
      while removal < removals.count, removals[removal] < start + chunk.count { removal += 1 }
      let kept = chunk.count - (removal - firstRemoval)
      let firstInsertion = insertion
      // What comes right behind the chunk's last key belongs to the next chunk.
      while insertion < insertions.count,
        insertions[insertion].position < position + kept + (insertion - firstInsertion)
      {
        insertion += 1
      }
      let (gone, come) = (removals[firstRemoval..<removal], insertions[firstInsertion..<insertion])
      if gone.isEmpty && come.isEmpty {
        Self.add(chunk, to: &result)
      } else {
        let keys = Self.merged(chunk, from: start, without: gone, with: come, from: position)
        for part in Self.parts(keys) { Self.add(KeyChunk(part), to: &result) }
      }
      position += kept + come.count
    }
    precondition(removal == removals.count, "KeyList position out of range")
    self = KeyList(chunks: result)
    let rest = insertions[insertion...]
    precondition(rest.first.map { $0.position == count } ?? true, "KeyList position out of range")
    for place in rest { append(place.key) }
  }

  private static func merged(
    _ chunk: KeyChunk, from start: Int, without gone: ArraySlice<Int>, with come: ArraySlice<ListChanges.Place>,
    from first: Int
  ) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(chunk.count + come.count - gone.count)
    var (gone, come) = (gone, come)
    func takeComing() {
      while let place = come.first, place.position == first + keys.count {
        keys.append(place.key)
        come.removeFirst()
      }
    }
    for (index, key) in chunk.unpacked.enumerated() {
      if gone.first == start + index {
        gone.removeFirst()
        continue
      }
      takeComing()
      keys.append(key)
    }
    takeComing()
    return keys
  }

  /// Keys cut into pieces of like size with room to grow; one piece when they fit.
  private static func parts(_ keys: [ObjectKey]) -> [ArraySlice<ObjectKey>] {
    if keys.count <= KeyChunk.capacity { return keys.isEmpty ? [] : [keys[...]] }
    let size = KeyChunk.capacity * 3 / 4
    let parts = (keys.count + size - 1) / size
    return (0..<parts).map { keys[(keys.count * $0 / parts)..<(keys.count * ($0 + 1) / parts)] }
  }

  private static func add(_ chunk: KeyChunk, to chunks: inout [KeyChunk]) {
    if let last = chunks.last, last.count + chunk.count <= KeyChunk.capacity / 2 {
      chunks[chunks.count - 1] = KeyChunk(last.unpacked + chunk.unpacked)
    } else if chunk.count > 0 {
      chunks.append(chunk)
    }
  }
}
