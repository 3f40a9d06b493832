import Foundation

/// A transaction as persistent history keeps it.
struct HistoryTransaction: Equatable, Sendable {
  /// Its number, ascending.
  let number: Int64
  let author: String?
  let contextName: String?
  /// The objects it changed, in the order it did.
  var changes: [(key: ObjectKey, kind: StoreChanges.Change.Kind)] = []

  static func == (one: HistoryTransaction, other: HistoryTransaction) -> Bool {
    one.number == other.number && one.author == other.author && one.contextName == other.contextName
      && one.changes.elementsEqual(other.changes, by: ==)
  }
}

/// Reads the transactions that come into a store's history (reference/FORMAT.md, "Persistent history").
struct HistoryReader {
  private let select: String
  /// The number of the last transaction that was told.
  private(set) var last: Int64

  /// Begins after a transaction, or after the last there is; nil for a store without history.
  init?(_ schema: StoreSchema, after transaction: Int64? = nil, on connection: SQLiteConnection) throws {
    guard schema.hasTable("ATRANSACTION"), schema.hasTable("ACHANGE") else { return nil }
    // Stores of 2017 keep the texts themselves, later ones keys of them.
    func text(_ column: String) -> String {
      let own = schema.hasColumn(column, in: "ATRANSACTION") ? "t.\(column)" : "NULL"
      guard schema.hasTable("ATRANSACTIONSTRING"), schema.hasColumn(column + "TS", in: "ATRANSACTION") else {
        return own
      }
      return "ifnull((SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS), \(own))"
    }
    select = """
      SELECT t.Z_PK, \(text("ZAUTHOR")), \(text("ZCONTEXTNAME")), c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK
      FROM ATRANSACTION t LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
      WHERE t.Z_PK > ? ORDER BY t.Z_PK, c.Z_PK
      """
    last = try transaction ?? Self.highest(on: connection)
  }

  /// The transactions since the last one that was told, oldest first.
  func transactions(on connection: SQLiteConnection) throws -> [HistoryTransaction] {
    guard try Self.highest(on: connection) > last else { return [] }
    return try connection.withStatement(select) { statement in
      try statement.bind([.integer(last)])
      var found: [HistoryTransaction] = []
      while try statement.step() {
        let number = statement.integer(at: 0)
        if found.last?.number != number {
          found.append(
            HistoryTransaction(
              number: number, author: statement.text(at: 1), contextName: statement.text(at: 2)))
        }
        guard !statement.isNull(at: 5), let entity = Int32(exactly: statement.integer(at: 4)) else { continue }
        let kind: StoreChanges.Change.Kind? =
          switch statement.integer(at: 3) {
          case 0: .insert
          case 1: .update
          case 2: .delete
          default: nil
          }
        guard let kind else { continue }
        let key = ObjectKey(entity: entity, primaryKey: statement.integer(at: 5))
        found[found.count - 1].changes.append((key, kind))
      }
      return found
    }
  }

  /// Goes on after a transaction.
  mutating func didTell(_ transaction: HistoryTransaction) { last = max(last, transaction.number) }

  private static func highest(on connection: SQLiteConnection) throws -> Int64 {
    guard case .integer(let key)? = try connection.rows("SELECT max(Z_PK) FROM ATRANSACTION").first?.first else {
      return 0
    }
    return key
  }
}
