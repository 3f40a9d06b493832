import CSQLite
import Foundation

/// Registers the SQL functions that the engine's own statements call.
///
/// They read and never act.
///
/// `cd_contains(text, needle)`: whether `needle`, already folded by `foldedForFinding`, occurs in the text, case and
/// diacritics ignored.
///
/// For each way of sorting strings a collation under the name of `SortKey.Comparison.collation`.
func registerTextFunctions(on connection: OpaquePointer) {
  let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
  sqlite3_create_function_v2(
    connection, "cd_contains", 2, flags, nil,
    { context, _, arguments in
      guard let arguments, sqlite3_value_type(arguments[0]) == SQLITE_TEXT, let text = sqlite3_value_text(arguments[0]),
        let needle = sqlite3_value_text(arguments[1])
      else { return sqlite3_result_int(context, 0) }
      let haystack = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(arguments[0])))
      let sought = UnsafeBufferPointer(start: needle, count: Int(sqlite3_value_bytes(arguments[1])))
      sqlite3_result_int(context, containsFolded(haystack, sought) ? 1 : 0)
    }, nil, nil, nil)
  registerCollation(.caseInsensitive, on: connection) { order($1, $2, $3, $4, by: .caseInsensitive) }
  registerCollation(.localized, on: connection) { order($1, $2, $3, $4, by: .localized) }
  registerCollation(.localizedCaseInsensitive, on: connection) {
    order($1, $2, $3, $4, by: .localizedCaseInsensitive)
  }
  registerCollation(.localizedStandard, on: connection) { order($1, $2, $3, $4, by: .localizedStandard) }
}

extension SortKey.Comparison {
  /// The collation that sorts a column so; `nil` for the natural order, which is SQLite's own.
  var collation: String? {
    switch self {
    case .natural: nil
    case .caseInsensitive: "cd_caseInsensitive"
    case .localized: "cd_localized"
    case .localizedCaseInsensitive: "cd_localizedCaseInsensitive"
    case .localizedStandard: "cd_localizedStandard"
    }
  }
}

private func registerCollation(
  _ comparison: SortKey.Comparison, on connection: OpaquePointer,
  _ order: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32
) {
  guard let name = comparison.collation else { return }
  sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, order, nil)
}

private func order(
  _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32, _ right: UnsafeRawPointer?,
  by comparison: SortKey.Comparison
) -> Int32 {
  let left = String(decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
  let right = String(decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
  return Int32(comparison.order(left, right).rawValue)
}

/// Text as it is compared when one looks for it: case and diacritics folded, in no language's own way.
func foldedForFinding(_ text: String) -> String {
  text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
}

/// Whether a folded needle occurs in a text.
///
/// ASCII texts are compared byte by byte, others folded first.
private func containsFolded(_ text: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let first = needle.first else { return true }
  if text.contains(where: { $0 >= 0x80 }) {
    var folded = foldedForFinding(String(decoding: text, as: UTF8.self))
    return folded.withUTF8 { folded in occurs(needle, in: folded, first: first) { $0 } }
  }
  return occurs(needle, in: text, first: first) { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
}

@inline(__always)
private func occurs(
  _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, first: UInt8, fold: (UInt8) -> UInt8
) -> Bool {
  guard text.count >= needle.count else { return false }
  for start in 0...(text.count - needle.count) where fold(text[start]) == first {
    if (1..<needle.count).allSatisfy({ fold(text[start + $0]) == needle[$0] }) { return true }
  }
  return false
}
