/// One value in SQLite's five storage classes, for binding and for what is read one at a time.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
