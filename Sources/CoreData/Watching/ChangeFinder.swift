/// A row that differs between two observed states of a table.
struct RowChange: Equatable, Sendable {
  enum Kind: Equatable, Sendable { case inserted, updated, deleted }

  let rowid: Int64
  let kind: Kind
  /// The row as it was; nil for an inserted one.
  let before: StoredRecord?
  /// The row as it is; nil for a deleted one.
  let after: StoredRecord?
}

/// The rows of one table that differ, in ascending order of row ids.
struct TableChanges: Equatable, Sendable {
  let table: String
  let rows: [RowChange]
}

/// Why changed rows could not be told from changed pages.
enum FullComparisonReason: String, Error, CaseIterable, Sendable {
  /// Nothing was observed before, or the store has no write-ahead log to look into.
  case nothingToGoBy
  /// The log was restarted, and commits that were not seen may be gone.
  case logRestarted
  /// A checkpoint overwrote, or may have overwritten, an old page image.
  case oldImageLost
  /// Tables or columns changed, or the file was vacuumed.
  case schemaChanged
  /// More pages changed than are worth comparing one by one.
  case tooManyPages
  /// An overflow page changed, and no pointer map tells whose it is.
  case overflowOwnerUnknown
  /// A table without row ids changed.
  case keyedTable
  /// A row has fewer values than its table has columns, and a column has a default.
  case defaultsUnknown
  /// The pages contradict the file format, or could not be read.
  case unreadable
}

/// What a look at the store found out.
enum ChangeFinding: Equatable, Sendable {
  /// The net change since the last look, in the order of table names; empty when no row differs.
  case rows([TableChanges])
  /// Whoever wants to know must compare all rows; the next look starts from the present state.
  case fullComparisonNeeded(FullComparisonReason)
}

/// Finds the rows that differ between the state last looked at and the present one.
///
/// What lies between two looks cannot be seen: a row inserted and deleted again is no change.
protocol ChangeFinder {
  /// Looks at the published state and remembers it for the next look.
  mutating func find() -> ChangeFinding
}
