/// A row that is other than it was, its values in the order of its table's columns.
struct RowDelta: Equatable, Sendable {
  /// The row as it was; nil for a new one, and `nil` inside where a value is not known any more.
  var before: [RecordValue?]?
  /// The row as it is; nil for one that is gone.
  var after: [RecordValue]?

  /// Whether the row is there and is what it was.
  var isNothing: Bool {
    guard let before, let after else { return before == nil && after == nil }
    return before == after
  }
}

/// The rows that differ between two states of a store, each once, however many looks it took to find them.
struct RowDeltas: Equatable, Sendable {
  /// By table and row id.
  private(set) var tables: [String: [Int64: RowDelta]] = [:]

  var isEmpty: Bool { tables.isEmpty }

  /// Adds what a later look found: the older state of a row stays, the newer one is replaced.
  mutating func add(_ delta: RowDelta, table: String, rowid: Int64) {
    var combined = delta
    if let known = tables[table]?[rowid] { combined.before = known.before }
    if combined.isNothing {
      tables[table]?[rowid] = nil
      if tables[table]?.isEmpty ?? false { tables[table] = nil }
    } else {
      tables[table, default: [:]][rowid] = combined
    }
  }

  /// Forgets everything and answers what it was.
  mutating func take() -> RowDeltas {
    defer { self = RowDeltas() }
    return self
  }
}

extension RecordValue {
  /// The value as it is compared: a whole number is an integer, however the column's affinity stores it.
  var normalized: RecordValue {
    if case .real(let number) = self, let whole = Int64(exactly: number) { return .integer(whole) }
    return self
  }

  /// The number of an integer; nil for everything else.
  var integer: Int64? {
    if case .integer(let number) = self { return number }
    return nil
  }
}
