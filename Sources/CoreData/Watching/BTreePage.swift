/// A row's cell on a leaf of a table.
struct TableCell: Sendable {
  let rowid: Int64
  /// The size of the whole record.
  let payloadSize: Int
  /// Where on the page the part of the record lies that is kept there.
  let local: Range<Int>
  /// The first page of the rest, 0 when nothing is left over.
  let overflow: UInt32
}

/// A page of a b-tree.
struct BTreePage: Sendable {
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13
  }

  let page: DatabasePage
  let kind: Kind
  let cellCount: Int
  private let usableSize: Int
  private let firstPointer: Int

  /// Reads the page's header; throws where it is none.
  init(_ page: DatabasePage, usableSize: Int) throws {
    let start = page.number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: try page.uint8(start)) else { throw PageError.malformed(page: page.number) }
    (self.page, self.kind, self.usableSize) = (page, kind, usableSize)
    cellCount = try page.uint16(start + 3)
    firstPointer = start + (kind.isInterior ? 12 : 8)
    guard firstPointer + 2 * cellCount <= page.bytes.count else { throw PageError.malformed(page: page.number) }
  }

  /// The pages below an interior page, in key order; empty for a leaf.
  func children() throws -> [UInt32] {
    guard kind.isInterior else { return [] }
    var all: [UInt32] = []
    all.reserveCapacity(cellCount + 1)
    for cell in 0..<cellCount { all.append(try page.uint32(try pointer(cell))) }
    all.append(try page.uint32(firstPointer - 4))
    return all
  }

  /// The cell at `index` of a table's leaf.
  func tableCell(_ index: Int) throws -> TableCell {
    let size = try page.varint(try pointer(index))
    let rowid = try page.varint(size.end)
    guard kind == .tableLeaf, size.value >= 0, size.value <= Int64(Int32.max) else {
      throw PageError.malformed(page: page.number)
    }
    let payload = Int(size.value)
    let kept = Self.localSize(payload, usableSize: usableSize)
    let end = rowid.end + kept
    guard end <= page.bytes.count else { throw PageError.malformed(page: page.number) }
    return TableCell(
      rowid: rowid.value, payloadSize: payload, local: rowid.end..<end,
      overflow: kept < payload ? try page.uint32(end) : 0)
  }

  private func pointer(_ cell: Int) throws -> Int {
    try page.uint16(firstPointer + 2 * cell)
  }

  /// How much of a table's record stays on its leaf, by the rule of the file format.
  private static func localSize(_ payload: Int, usableSize: Int) -> Int {
    let most = usableSize - 35
    guard payload > most else { return payload }
    let least = (usableSize - 12) * 32 / 255 - 23
    let fitting = least + (payload - least) % (usableSize - 4)
    return fitting <= most ? fitting : least
  }
}

extension BTreePage.Kind {
  var isInterior: Bool { self == .indexInterior || self == .tableInterior }
  var isTable: Bool { self == .tableInterior || self == .tableLeaf }
}
