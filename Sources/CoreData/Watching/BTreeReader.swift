/// Walks the b-trees of a database in one committed state.
struct BTreeReader {
  /// No sound tree is deeper, whatever its size.
  static let deepest = 24

  let source: any PageSource
  let usableSize: Int

  /// The b-tree page with that number.
  func page(_ number: UInt32) throws -> BTreePage {
    try BTreePage(try source.page(number), usableSize: usableSize)
  }

  /// Calls `visit` for every page of the tree under `root` from the interior pages alone: leaves are not read.
  func forEachPage(under root: UInt32, visit: (_ page: UInt32, _ isInterior: Bool) throws -> Void) throws {
    var height = 0
    var next = root
    while case let page = try page(next), page.kind.isInterior, let first = try page.children().first {
      (height, next) = (height + 1, first)
      guard height <= Self.deepest else { throw PageError.malformed(page: root) }
    }
    // A tree cannot have more pages than the file, so a knot of pages that point to each other ends here.
    var left = Int(source.pageCount)
    func walk(_ number: UInt32, _ height: Int) throws {
      left -= 1
      guard left >= 0 else { throw PageError.malformed(page: number) }
      try visit(number, height > 0)
      guard height > 0 else { return }
      for child in try page(number).children() { try walk(child, height - 1) }
    }
    try walk(root, height)
  }

  /// Calls `visit` for every row of the table under `root`, in the order of row ids.
  func forEachRow(under root: UInt32, visit: (TableCell, DatabasePage) throws -> Void) throws {
    try forEachPage(under: root) { number, isInterior in
      guard !isInterior else { return }
      let leaf = try page(number)
      for cell in 0..<leaf.cellCount { try visit(try leaf.tableCell(cell), leaf.page) }
    }
  }

  /// The pages that hold what a cell has left over, in their order.
  func overflowPages(of cell: TableCell) throws -> [UInt32] {
    var all: [UInt32] = []
    var (next, left) = (cell.overflow, cell.payloadSize - cell.local.count)
    while left > 0 {
      guard all.count <= Int(source.pageCount) else { throw PageError.malformed(page: next) }
      all.append(next)
      left -= usableSize - 4
      if left > 0 { next = try source.page(next).uint32(0) }
    }
    return all
  }

  /// A row's whole record, put together from its leaf and its overflow pages.
  func record(_ cell: TableCell, on page: DatabasePage) throws -> StoredRecord {
    var bytes = Array(page.bytes[cell.local])
    var next = cell.overflow
    // Reserving is left to growth: a hostile size must not reserve what no page backs.
    while bytes.count < cell.payloadSize {
      let overflow = try source.page(next)
      next = try overflow.uint32(0)
      let part = 4..<min(4 + cell.payloadSize - bytes.count, usableSize)
      guard part.upperBound <= overflow.bytes.count else { throw PageError.malformed(page: overflow.number) }
      bytes += overflow.bytes[part]
      guard next != 0 || bytes.count == cell.payloadSize, bytes.count / usableSize <= Int(source.pageCount) else {
        throw PageError.malformed(page: overflow.number)
      }
    }
    return StoredRecord(bytes: bytes)
  }
}
