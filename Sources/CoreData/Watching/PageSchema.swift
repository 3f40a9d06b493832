/// Which table or index owns which b-tree, as the schema table says.
struct PageSchema: Equatable, Sendable {
  struct Table: Equatable, Sendable {
    let name: String
    /// Whether a column has a default or is computed: then a record with fewer values than columns does not tell
    /// which values the row has.
    let hasDefaults: Bool
  }
  enum Owner: Equatable, Sendable {
    case table(Table)
    case index
    /// A table without row ids (its rows lie in an index).
    case keyedTable
  }

  /// The owner of each b-tree by the number of its root page.
  ///
  /// The schema table itself, root 1, is an index here: its
  /// changes show in the cookie.
  let owners: [UInt32: Owner]

  /// Reads the schema table of a database in one committed state.
  init(_ reader: BTreeReader) throws {
    var owners: [UInt32: Owner] = [1: .index]
    try reader.forEachRow(under: 1) { cell, page in
      guard let row = try reader.record(cell, on: page).values(), row.count >= 5 else {
        throw PageError.malformed(page: page.number)
      }
      // Views and triggers have no tree.
      guard case .integer(let number) = row[3], let root = UInt32(exactly: number), root > 0 else { return }
      guard row[0] == .text(Array("table".utf8)), case .text(let name) = row[1] else { return owners[root] = .index }
      guard try reader.page(root).kind.isTable else { return owners[root] = .keyedTable }
      var sql = ""
      if case .text(let text) = row[4] { sql = String(decoding: text, as: UTF8.self).uppercased() }
      owners[root] = .table(
        Table(
          name: String(decoding: name, as: UTF8.self),
          hasDefaults: ["DEFAULT", "GENERATED", " AS"].contains { sql.contains($0) }))
    }
    self.owners = owners
  }
}
