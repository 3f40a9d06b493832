import CSQLite

extension RowPrint {
  /// The print of the row that a statement stands on, its columns being those behind `first` others.
  init(_ statement: SQLiteStatement, after first: Int32, isLink: [Bool]) {
    self.init()
    for (index, isLink) in isLink.enumerated() {
      let column = first + Int32(index)
      switch statement.type(at: column) {
      case SQLITE_INTEGER: add(statement.integer(at: column), isLink: isLink)
      case SQLITE_FLOAT: add(statement.real(at: column), isLink: isLink)
      case SQLITE_TEXT:
        statement.withText(at: column) { add(UnsafeRawBufferPointer($0), tag: 3, isLink: isLink) }
      case SQLITE_BLOB: statement.withBlob(at: column) { add($0, tag: 4, isLink: isLink) }
      default: addNull(isLink: isLink)
      }
    }
  }
}
