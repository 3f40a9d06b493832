import CSQLite

/// Registers the SQL functions by which statements over plain tables name rows that have no number of their own.
///
/// `cd_key(entity, value, …)`: the number of the row with that key. `cd_row(entity, value, …)`: the same for rows without a key,
/// told apart by all that they hold. `cd_known_row(entity, value, …)`: the number if it was given out already, else NULL.
/// `cd_part(entity, number, place)`: one value of the key that a number means, NULL where it means none.
func registerKeyFunctions(on handle: OpaquePointer, keys: InternedKeys) {
  // The pool holds the keys for as long as its connections live, but a connection may outlive the pool: each holds them too.
  let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
  func register(
    _ name: String, _ count: Int32,
    _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) {
    sqlite3_create_function_v2(
      handle, name, count, flags, Unmanaged.passRetained(keys).toOpaque(), body, nil, nil,
      { if let data = $0 { Unmanaged<InternedKeys>.fromOpaque(data).release() } })
  }
  register("cd_key", -1) {
    answer($0, $1, $2) { keys, entity, key in
      key.bytes.withUnsafeBufferPointer { keys.number(of: $0, entity: entity) }
    }
  }
  register("cd_row", -1) {
    answer($0, $1, $2) { keys, entity, key in
      key.shortened().withUnsafeBufferPointer { keys.number(of: $0, entity: entity) }
    }
  }
  register("cd_known_row", -1) {
    answer($0, $1, $2) { keys, entity, key in
      key.shortened().withUnsafeBufferPointer { keys.knownNumber(of: $0, entity: entity) }
    }
  }
  register("cd_part", 3) { context, _, arguments in
    guard let arguments, let data = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
    let keys = Unmanaged<InternedKeys>.fromOpaque(data).takeUnretainedValue()
    let entity = Int32(truncatingIfNeeded: sqlite3_value_int64(arguments[0]))
    let place = Int(sqlite3_value_int64(arguments[2]))
    guard let bytes = keys.key(sqlite3_value_int64(arguments[1]), entity: entity),
      let parts = KeyBytes.parts(of: bytes), parts.indices.contains(place)
    else { return sqlite3_result_null(context) }
    give(parts[place], of: bytes, to: context)
  }
}

private func answer(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
  _ number: (InternedKeys, Int32, KeyBytes) -> Int64?
) {
  guard count > 0, let arguments, let data = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
  let keys = Unmanaged<InternedKeys>.fromOpaque(data).takeUnretainedValue()
  let entity = Int32(truncatingIfNeeded: sqlite3_value_int64(arguments[0]))
  let values = UnsafeBufferPointer(start: UnsafePointer(arguments + 1), count: Int(count) - 1)
  guard let number = number(keys, entity, KeyBytes(values)) else { return sqlite3_result_null(context) }
  sqlite3_result_int64(context, number)
}

private func give(_ part: KeyBytes.Part, of bytes: [UInt8], to context: OpaquePointer?) {
  // Tells SQLite to copy; the macro `SQLITE_TRANSIENT` does not import.
  let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  switch part {
  case .null: sqlite3_result_null(context)
  case .integer(let value): sqlite3_result_int64(context, value)
  case .real(let value): sqlite3_result_double(context, value)
  case .text(let range):
    bytes[range].withUnsafeBytes { bytes in
      // No text at all has no address.
      sqlite3_result_text(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? emptyText, Int32(bytes.count), transient)
    }
  case .blob(let range) where range.isEmpty: sqlite3_result_zeroblob(context, 0)
  case .blob(let range):
    bytes[range].withUnsafeBytes { sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), transient) }
  }
}

private var emptyText: UnsafePointer<CChar> {
  UnsafeRawPointer(("" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
}
