/// The schema of a SQLite database that no framework made: its tables and views as the file declares them.
///
/// Names and types are the file's own. What the database uses for itself (`sqlite_…`, shadow tables of virtual ones) is not in it.
struct PlainSchema: Equatable, Sendable {
  /// In the order in which they were made.
  var tables: [PlainTable] = []
  /// What could not be read or is too much, one line each.
  var remarks: [String] = []
}

/// A table or view.
struct PlainTable: Equatable, Sendable {
  /// What kind of table it is.
  enum Kind: Equatable, Sendable { case table, view, virtual }

  var name: String
  var kind = Kind.table
  /// In the order of their declaration, without hidden ones.
  var columns: [PlainColumn] = []
  /// The columns of the primary key, in the key's order; empty without one.
  var primaryKey: [String] = []
  /// A name of the row id that no column takes; `nil` where rows have none.
  var rowIDName: String?
  /// Whether all row ids are above zero, as far as is known.
  var hasPositiveRowIDs = true
  /// The column that is the row id (`INTEGER PRIMARY KEY`).
  var rowIDColumn: String?
  /// The keys that no two rows share, the primary key among them; those with a condition or expressions are left out.
  var uniqueKeys: [UniqueKey] = []
  var foreignKeys: [PlainForeignKey] = []
  /// Whether values are of the declared types alone.
  var isStrict = false

  struct UniqueKey: Equatable, Sendable {
    var columns: [String]
    /// How each column is compared: `BINARY`, `NOCASE`, ….
    var collations: [String]
  }

  /// The column with a name, whatever its case (of ASCII letters), as SQLite finds it.
  func column(named name: String) -> PlainColumn? {
    columns.first { $0.name == name } ?? columns.first { $0.name.asciiLowercased == name.asciiLowercased }
  }
}

/// A column of a table or view.
struct PlainColumn: Equatable, Sendable {
  var name: String
  /// The type as it was declared; empty without one.
  var type = ""
  var isNotNull = false
  /// The text of the default's expression.
  var defaultText: String?
  /// Whether the database computes the value.
  var isGenerated = false
}

/// A foreign key: columns whose values name a row of another table, or of the same one.
struct PlainForeignKey: Equatable, Sendable {
  var columns: [String]
  /// The other table, spelled as the key spells it.
  var table: String
  /// The other table's columns; empty where the key names none and means the primary key.
  var parentColumns: [String]
  /// `ON DELETE`, in capitals.
  var onDelete = "NO ACTION"
}

extension String {
  /// The text with the letters A to Z in lower case: what SQLite takes for the same name.
  var asciiLowercased: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) ?? $0 : $0 }))
  }
}
