/// The rows of a table as they were last seen: a digest of 8 bytes each, keys and links in as few bytes as they take; of a
/// small table the values as well.
struct TableBaseline: Sendable {
  /// Some rows in ascending order of keys.
  struct Rows: Sendable {
    fileprivate(set) var keys: [Int64] = []
    fileprivate var digests: [Int] = []
    fileprivate var links: [Int64] = []
    /// As many as there are keys, or none.
    fileprivate var values: [[RecordValue]] = []

    var count: Int { keys.count }

    /// Adds a row behind the others.
    mutating func append(_ key: Int64, _ print: RowPrint, values: [RecordValue]?) {
      keys.append(key)
      digests.append(print.digest)
      links += print.links
      if let values { self.values.append(values) }
    }

    fileprivate mutating func append(_ other: Rows, _ range: Range<Int>, linkCount: Int, keepsValues: Bool) {
      keys += other.keys[range]
      digests += other.digests[range]
      links += other.links[(range.lowerBound * linkCount)..<(range.upperBound * linkCount)]
      if keepsValues { values += other.values[range] }
    }

    fileprivate mutating func append(_ block: Block, _ range: Range<Int>, linkCount: Int, keepsValues: Bool) {
      keys += range.lazy.map(block.key)
      digests += block.digests[range]
      links += ((range.lowerBound * linkCount)..<(range.upperBound * linkCount)).lazy.map { block.links[$0] }
      if keepsValues { values += block.values[range] }
    }
  }

  /// Some rows as they are kept.
  fileprivate struct Block: Sendable {
    /// What each key is above its place: nothing more where keys follow one another.
    private let steps: PackedIntegers
    let digests: [Int]
    let links: PackedIntegers
    var values: [[RecordValue]]

    init(_ rows: Rows) {
      steps = PackedIntegers(rows.keys.enumerated().map { $1 &- Int64($0) })
      digests = rows.digests
      links = PackedIntegers(rows.links)
      values = rows.values
    }

    var count: Int { digests.count }
    func key(_ place: Int) -> Int64 { steps[place] &+ Int64(place) }

    /// Where a key is, or would be put.
    func find(_ key: Int64) -> (found: Int?, place: Int) {
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if self.key(middle) < key { low = middle + 1 } else { high = middle }
      }
      return (low < count && self.key(low) == key ? low : nil, low)
    }

    /// The places of the keys in a range.
    func slice(_ range: ClosedRange<Int64>) -> Range<Int> {
      find(range.lowerBound).place..<(range.upperBound == .max ? count : find(range.upperBound + 1).place)
    }
  }

  /// What is known of a row.
  struct Known {
    let digest: Int
    let links: [Int64]
    let values: [RecordValue]?
  }

  private static let blockSize = 512
  /// Tables beyond one of these are kept without values.
  private static let (mostBytes, mostRows) = (1 << 20, 4_096)

  private let linkCount: Int
  /// None is empty.
  private var blocks: [Block] = []
  private(set) var keepsValues = true
  private(set) var count = 0
  private var bytes = 0

  /// A table without rows whose rows have that many links.
  init(linkCount: Int) { self.linkCount = linkCount }

  /// What is known of the row with that key; nil where there was none.
  func row(_ key: Int64) -> Known? {
    let block = index(of: key)
    guard block < blocks.count, let place = blocks[block].find(key).found else { return nil }
    return Known(
      digest: blocks[block].digests[place],
      links: ((place * linkCount)..<((place + 1) * linkCount)).map { blocks[block].links[$0] },
      values: keepsValues ? blocks[block].values[place] : nil)
  }

  /// Whether the row with that key is known, and known as it is.
  func holds(_ key: Int64, _ print: RowPrint) -> Bool {
    let index = index(of: key)
    guard index < blocks.count, let place = blocks[index].find(key).found else { return false }
    return blocks[index].digests[place] == print.digest
      && print.links.indices.allSatisfy { blocks[index].links[place * linkCount + $0] == print.links[$0] }
  }

  /// The keys in a range, ascending.
  func keys(in range: ClosedRange<Int64>) -> [Int64] {
    var keys: [Int64] = []
    for block in blocks[min(index(of: range.lowerBound), blocks.count)...] {
      guard block.key(0) <= range.upperBound else { break }
      keys += block.slice(range).lazy.map(block.key)
    }
    return keys
  }

  /// Puts rows in place of all that there were in a range of keys; they are in that range.
  mutating func replace(_ range: ClosedRange<Int64>, with rows: Rows) {
    let first = min(index(of: range.lowerBound), blocks.count)
    var end = first
    while end < blocks.count, blocks[end].key(0) <= range.upperBound { end += 1 }
    rebuild(first..<end, range, rows)
  }

  private mutating func rebuild(_ old: Range<Int>, _ range: ClosedRange<Int64>, _ rows: Rows) {
    var all = Rows()
    let before = (
      count: blocks[old].reduce(0) { $0 + $1.count }, bytes: blocks[old].reduce(0) { $0 + Self.size($1.values) }
    )
    if let block = blocks[old].first {
      all.append(block, 0..<block.slice(range).lowerBound, linkCount: linkCount, keepsValues: keepsValues)
    }
    all.append(rows, 0..<rows.count, linkCount: linkCount, keepsValues: keepsValues)
    if let block = blocks[old].last {
      all.append(block, block.slice(range).upperBound..<block.count, linkCount: linkCount, keepsValues: keepsValues)
    }
    // Even parts, so that rows put into the middle of a full block leave room for more.
    let partCount = (all.count + Self.blockSize - 1) / Self.blockSize
    let parts = (0..<partCount).map { number in
      var part = Rows()
      let range = (all.count * number / partCount)..<(all.count * (number + 1) / partCount)
      part.append(all, range, linkCount: linkCount, keepsValues: keepsValues)
      return Block(part)
    }
    blocks.replaceSubrange(old, with: parts)
    count += all.count - before.count
    bytes += Self.size(all.values) - before.bytes
    if keepsValues, count > Self.mostRows || bytes > Self.mostBytes { dropValues() }
  }

  /// Remembers a row as it is now, or that it is gone.
  mutating func set(_ key: Int64, _ row: (print: RowPrint, values: [RecordValue])?) {
    var rows = Rows()
    if let row { rows.append(key, row.print, values: keepsValues ? row.values : nil) }
    replace(key...key, with: rows)
  }

  /// What values take, roughly, in bytes.
  private static func size(_ values: [[RecordValue]]) -> Int {
    values.reduce(0) { size, row in
      row.reduce(size) { size, value in
        switch value {
        case .text(let bytes), .blob(let bytes): size + 48 + bytes.count
        default: size + 16
        }
      }
    }
  }

  private mutating func dropValues() {
    keepsValues = false
    for index in blocks.indices { blocks[index].values = [] }
  }

  // MARK: Searching

  /// The last block that begins at or below the key, the first one for lower keys.
  private func index(of key: Int64) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].key(0) <= key { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
