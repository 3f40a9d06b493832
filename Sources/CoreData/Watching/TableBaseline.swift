/// The rows of a table as they were last seen: key and digest, 16 bytes a row, and 8 for each link; of a small table the
/// values as well.
struct TableBaseline: Sendable {
  /// Some rows in ascending order of keys.
  struct Rows: Sendable {
    fileprivate(set) var keys: [Int64] = []
    fileprivate var digests: [Int] = []
    fileprivate var links: [Int64] = []
    /// As many as there are keys, or none.
    fileprivate var values: [[RecordValue]] = []

    var count: Int { keys.count }

    /// What the values take, roughly, in bytes.
    fileprivate var size: Int {
      values.reduce(0) { size, row in
        row.reduce(size) { size, value in
          switch value {
          case .text(let bytes), .blob(let bytes): size + 48 + bytes.count
          default: size + 16
          }
        }
      }
    }

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
  }

  /// What is known of a row.
  struct Known {
    let digest: Int
    let links: ArraySlice<Int64>
    let values: [RecordValue]?
  }

  private static let blockSize = 512
  /// Tables beyond one of these are kept without values.
  private static let (mostBytes, mostRows) = (1 << 20, 4_096)

  private let linkCount: Int
  /// None is empty.
  private var blocks: [Rows] = []
  private(set) var keepsValues = true
  private(set) var count = 0
  private var bytes = 0

  /// A table without rows whose rows have that many links.
  init(linkCount: Int) { self.linkCount = linkCount }

  /// What is known of the row with that key; nil where there was none.
  func row(_ key: Int64) -> Known? {
    let block = index(of: key)
    guard block < blocks.count, let place = Self.find(key, in: blocks[block].keys).found else { return nil }
    return Known(
      digest: blocks[block].digests[place], links: blocks[block].links[(place * linkCount)..<((place + 1) * linkCount)],
      values: keepsValues ? blocks[block].values[place] : nil)
  }

  /// The keys in a range, ascending.
  func keys(in range: ClosedRange<Int64>) -> [Int64] {
    var keys: [Int64] = []
    for block in blocks[min(index(of: range.lowerBound), blocks.count)...] {
      guard let first = block.keys.first, first <= range.upperBound else { break }
      keys += block.keys[Self.slice(range, of: block.keys)]
    }
    return keys
  }

  /// Puts rows in place of all that there were in a range of keys; they are in that range.
  mutating func replace(_ range: ClosedRange<Int64>, with rows: Rows) {
    let first = min(index(of: range.lowerBound), blocks.count)
    var end = first
    while end < blocks.count, blocks[end].keys[0] <= range.upperBound { end += 1 }
    rebuild(first..<end, range, rows)
  }

  private mutating func rebuild(_ old: Range<Int>, _ range: ClosedRange<Int64>, _ rows: Rows) {
    var all = Rows()
    let lower = blocks[old].first.map { $0.keys[..<Self.slice(range, of: $0.keys).lowerBound].indices } ?? 0..<0
    let upper = blocks[old].last.map { $0.keys[Self.slice(range, of: $0.keys).upperBound...].indices } ?? 0..<0
    let before = (count: blocks[old].reduce(0) { $0 + $1.count }, bytes: blocks[old].reduce(0) { $0 + $1.size })
    func add(_ rows: Rows, _ part: Range<Int>) {
      all.append(rows, part, linkCount: linkCount, keepsValues: keepsValues)
    }
    if let block = blocks[old].first { add(block, lower) }
    add(rows, 0..<rows.count)
    if let block = blocks[old].last { add(block, upper) }
    // Even parts, so that rows put into the middle of a full block leave room for more.
    let partCount = (all.count + Self.blockSize - 1) / Self.blockSize
    let parts = (0..<partCount).map { number in
      var part = Rows()
      let range = (all.count * number / partCount)..<(all.count * (number + 1) / partCount)
      part.append(all, range, linkCount: linkCount, keepsValues: keepsValues)
      return part
    }
    blocks.replaceSubrange(old, with: parts)
    count += all.count - before.count
    bytes += all.size - before.bytes
    if keepsValues, count > Self.mostRows || bytes > Self.mostBytes { dropValues() }
  }

  /// Remembers a row as it is now, or that it is gone.
  mutating func set(_ key: Int64, _ row: (print: RowPrint, values: [RecordValue])?) {
    var rows = Rows()
    if let row { rows.append(key, row.print, values: keepsValues ? row.values : nil) }
    replace(key...key, with: rows)
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
      if blocks[middle].keys[0] <= key { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Where a key is among others, or would be put.
  private static func find(_ key: Int64, in keys: [Int64]) -> (found: Int?, place: Int) {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return (low < keys.count && keys[low] == key ? low : nil, low)
  }

  private static func slice(_ range: ClosedRange<Int64>, of keys: [Int64]) -> Range<Int> {
    let lower = find(range.lowerBound, in: keys).place
    let upper = range.upperBound == .max ? keys.count : find(range.upperBound + 1, in: keys).place
    return lower..<upper
  }
}
