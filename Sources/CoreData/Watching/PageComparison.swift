/// Finds the rows that differ between two committed states from the pages that were written in between.
struct PageComparison {
  /// One of the two states.
  struct Side {
    let reader: BTreeReader
    let owners: any PageOwners
    var cells: [UInt32: [Int64: Place]] = [:]
    /// The pages below the interior pages that were looked at.
    var children: Set<UInt32> = []
    var unknown: [UInt32] = []

    init(_ reader: BTreeReader, owners: any PageOwners) {
      (self.reader, self.owners) = (reader, owners)
    }
  }
  struct Place {
    let cell: TableCell
    let page: DatabasePage
  }

  private var old: Side
  private var new: Side
  private let schema: PageSchema
  /// Rows whose overflow pages were written, whether or not their leaf was.
  private var touched: [UInt32: Set<Int64>] = [:]

  init(old: Side, new: Side, schema: PageSchema) {
    (self.old, self.new, self.schema) = (old, new, schema)
  }

  /// The rows that differ, `changed` being every page with a frame between the two states.
  ///
  /// Throws a `PageError`, or the `FullComparisonReason` why pages do not tell.
  mutating func changes(of changed: Set<UInt32>) throws -> [TableChanges] {
    var overflows: [PageRole] = []
    for page in changed {
      let (was, now) = (try old.owners.role(of: page), try new.owners.role(of: page))
      if case .tree(let root) = was, try isTable(root) { try old.collect(page, root: root) }
      if case .tree(let root) = now, try isTable(root) { try new.collect(page, root: root) }
      if case .overflow(_, _, let root) = now, try isTable(root) { overflows.append(now) }
      if now == .unknown { new.unknown.append(page) }
    }
    try collectDroppedPages(changed)
    touched = try new.rowsOfUnknownPages()
    for case .overflow(let first, let leaf, let root) in overflows {
      try touch(first: first, leaf: leaf, root: root, leafChanged: changed.contains(leaf))
    }
    return try difference()
  }

  private func isTable(_ root: UInt32) throws -> Bool {
    switch schema.owners[root] {
    case .table: return true
    case .index: return false
    case .keyedTable: throw FullComparisonReason.keyedTable
    case nil: throw PageError.malformed(page: root)
    }
  }

  /// A page that leaves its tree is freed without being written: it shows only in what its old parent pointed to.
  private mutating func collectDroppedPages(_ changed: Set<UInt32>) throws {
    var dropped = Array(old.children.subtracting(new.children).subtracting(changed))
    var seen: Set<UInt32> = []
    while let page = dropped.popLast() {
      guard seen.insert(page).inserted else { continue }
      guard case .tree(let root) = try old.owners.role(of: page), try isTable(root) else { continue }
      let below = try old.collect(page, root: root)
      dropped += below.filter { !new.children.contains($0) && !changed.contains($0) }
    }
  }

  private mutating func touch(first: UInt32, leaf: UInt32, root: UInt32, leafChanged: Bool) throws {
    let page = try new.reader.page(leaf)
    for index in 0..<page.cellCount {
      let cell = try page.tableCell(index)
      guard cell.overflow == first else { continue }
      touched[root, default: []].insert(cell.rowid)
      if !leafChanged {
        let place = Place(cell: cell, page: page.page)
        old.cells[root, default: [:]][cell.rowid] = place
        new.cells[root, default: [:]][cell.rowid] = place
      }
      return
    }
    throw PageError.malformed(page: leaf)
  }

  private func difference() throws -> [TableChanges] {
    var result: [TableChanges] = []
    for root in Set(old.cells.keys).union(new.cells.keys) {
      guard case .table(let table) = schema.owners[root] else { continue }
      let (before, after) = (old.cells[root] ?? [:], new.cells[root] ?? [:])
      var rows: [RowChange] = []
      for (rowid, place) in before where after[rowid] == nil {
        let record = try old.reader.record(place.cell, on: place.page)
        rows.append(RowChange(rowid: rowid, kind: .deleted, before: record, after: nil))
      }
      for (rowid, place) in after {
        guard let earlier = before[rowid] else {
          let record = try new.reader.record(place.cell, on: place.page)
          rows.append(RowChange(rowid: rowid, kind: .inserted, before: nil, after: record))
          continue
        }
        let isTouched = touched[root]?.contains(rowid) ?? false
        guard isTouched || !place.isSame(as: earlier) else { continue }
        let records = (
          try old.reader.record(earlier.cell, on: earlier.page), try new.reader.record(place.cell, on: place.page)
        )
        guard try differ(records.0, records.1, in: table) else { continue }
        rows.append(RowChange(rowid: rowid, kind: .updated, before: records.0, after: records.1))
      }
      guard !rows.isEmpty else { continue }
      result.append(TableChanges(table: table.name, rows: rows.sorted { $0.rowid < $1.rowid }))
    }
    return result.sorted { $0.table < $1.table }
  }

  /// Whether two records mean different values.
  ///
  /// A record written before a column was added lacks its value.
  private func differ(_ one: StoredRecord, _ other: StoredRecord, in table: PageSchema.Table) throws -> Bool {
    guard one != other else { return false }
    guard let before = one.values(), let after = other.values() else { throw FullComparisonReason.unreadable }
    guard before.count != after.count else { return before != after }
    guard !table.hasDefaults else { throw FullComparisonReason.defaultsUnknown }
    let count = max(before.count, after.count)
    func padded(_ values: [RecordValue]) -> [RecordValue] {
      values + Array(repeating: .null, count: count - values.count)
    }
    return padded(before) != padded(after)
  }
}

extension PageComparison.Place {
  /// Whether the leaf's part of the row is the same, to the byte.
  fileprivate func isSame(as other: Self) -> Bool {
    cell.payloadSize == other.cell.payloadSize && cell.overflow == other.cell.overflow
      && page.bytes[cell.local] == other.page.bytes[other.cell.local]
  }
}

extension PageComparison.Side {
  /// Takes in the rows of a leaf, or the children of an interior page, which it returns.
  @discardableResult
  fileprivate mutating func collect(_ number: UInt32, root: UInt32) throws -> [UInt32] {
    let page = try reader.page(number)
    guard page.kind.isTable else { throw PageError.malformed(page: number) }
    guard page.kind == .tableLeaf else {
      let below = try page.children()
      children.formUnion(below)
      return below
    }
    for index in 0..<page.cellCount {
      let cell = try page.tableCell(index)
      cells[root, default: [:]][cell.rowid] = PageComparison.Place(cell: cell, page: page.page)
    }
    return []
  }

  /// The rows, by root, that the pages of unknown use belong to; each has to belong to one that was taken in.
  ///
  /// Such a row differs though its leaf, written for the sake of another row, has the same of it.
  fileprivate func rowsOfUnknownPages() throws -> [UInt32: Set<Int64>] {
    guard !unknown.isEmpty else { return [:] }
    var unexplained = Set(unknown)
    var found: [UInt32: Set<Int64>] = [:]
    for (root, rows) in cells {
      for (rowid, place) in rows where place.cell.overflow != 0 {
        let count = unexplained.count
        unexplained.subtract(try reader.overflowPages(of: place.cell))
        if unexplained.count < count { found[root, default: []].insert(rowid) }
      }
    }
    guard unexplained.isEmpty else { throw FullComparisonReason.overflowOwnerUnknown }
    return found
  }
}
