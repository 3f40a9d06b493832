/// Object ids by primary key: a hash table made for keys that mostly come in sequence.
///
/// Eight neighbouring keys share a block, and only the block is hashed: a page of rows touches an eighth of the places that
/// a dictionary would, each of them once.
struct KeyedIDs {
  private static let width = 8
  /// No key has this block number.
  private static let free = Int64.min
  /// The block in each place, found by open addressing; a power of two of them.
  private var blocks: [Int64] = []
  /// The ids of the blocks, `width` each.
  private var ids: [NSManagedObjectID?] = []
  private var usedBlocks = 0
  /// How many ids there are.
  private(set) var count = 0

  /// The id of a row of an entity: the one that is here, or a new one.
  mutating func id(
    for key: Int64, of entity: NSEntityDescription, make: () -> NSManagedObjectID
  ) -> NSManagedObjectID {
    let place = place(of: key)
    if let known = ids[place] {
      if known.entity === entity { return known }
    } else {
      count += 1
    }
    let id = make()
    ids[place] = id
    return id
  }

  /// Makes room for `capacity` ids when their keys come in sequence; more is made as it is needed.
  mutating func reserveCapacity(_ capacity: Int) {
    let needed = capacity / Self.width + 1
    if needed * 2 > blocks.count { grow(toHold: needed) }
  }

  /// Drops the ids that are held by nobody but this table.
  mutating func removeUnheld() {
    count = 0
    for place in ids.indices where ids[place] != nil {
      if isKnownUniquelyReferenced(&ids[place]) { ids[place] = nil } else { count += 1 }
    }
    grow(toHold: 0)
  }

  private mutating func place(of key: Int64) -> Int {
    if (usedBlocks + 1) * 2 > blocks.count { grow(toHold: usedBlocks + 1) }
    let block = key >> 3
    let index = Self.index(of: block, in: blocks)
    if blocks[index] == Self.free {
      blocks[index] = block
      usedBlocks += 1
    }
    return index * Self.width + Int(truncatingIfNeeded: key & 7)
  }

  /// Where a block is, or would be put.
  private static func index(of block: Int64, in blocks: [Int64]) -> Int {
    let mask = blocks.count - 1
    // Fibonacci hashing: the upper bits of the product are well mixed.
    let hash = UInt64(bitPattern: block) &* 0x9E37_79B9_7F4A_7C15
    var index = Int(truncatingIfNeeded: hash >> 32) & mask
    while blocks[index] != block && blocks[index] != Self.free { index = (index + 1) & mask }
    return index
  }

  /// Makes the table anew without blocks that hold nothing, so that at most half of it is used.
  private mutating func grow(toHold needed: Int) {
    let old = (blocks: blocks, count: blocks.count)
    var oldIDs: [NSManagedObjectID?] = []
    swap(&oldIDs, &ids)
    let held = (0..<old.count).filter { index in
      old.blocks[index] != Self.free && (0..<Self.width).contains { oldIDs[index * Self.width + $0] != nil }
    }
    var size = 8
    while size < 2 * max(needed, held.count + 1) { size *= 2 }
    blocks = Array(repeating: Self.free, count: size)
    ids = Array(repeating: nil, count: size * Self.width)
    usedBlocks = held.count
    for index in held {
      let place = Self.index(of: old.blocks[index], in: blocks)
      blocks[place] = old.blocks[index]
      for offset in 0..<Self.width { swap(&ids[place * Self.width + offset], &oldIDs[index * Self.width + offset]) }
    }
  }
}
