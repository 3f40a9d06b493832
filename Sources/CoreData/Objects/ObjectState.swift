/// What an object is to its context; only the context sets it.
struct ObjectState: OptionSet {
  let rawValue: UInt8

  /// It was never saved: there is no row to read.
  static let new = ObjectState(rawValue: 1)
  /// It waits to be saved for the first time.
  static let inserted = ObjectState(rawValue: 2)
  /// It waits to be saved with changes.
  static let updated = ObjectState(rawValue: 4)
  /// It waits to be deleted, or its row is gone.
  static let deleted = ObjectState(rawValue: 8)
  /// Its row was looked for and is not there: it has no values.
  static let inaccessible = ObjectState(rawValue: 16)
  /// It was saved and is no fault, but its row has yet to be read back.
  static let unread = ObjectState(rawValue: 32)
  /// Its row was deleted elsewhere while it had changes: it keeps them, its values stay readable, and in the store it leads
  /// nowhere any more.
  static let lost = ObjectState(rawValue: 64)
}
