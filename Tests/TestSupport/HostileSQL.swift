import Foundation

/// Statements for databases that nobody made with care: literals and names of every kind.
public enum HostileSQL {
  /// A value as SQL says it, of any storage class.
  public static func literal(_ numbers: inout HostileBytes) -> String {
    switch numbers.next(below: 10) {
    case 0: return "NULL"
    case 1:
      return numbers.pick([
        "0", "1", "-1", "2", "255", "9223372036854775807", "-9223372036854775808", "4294967296", "32768",
      ])
    case 2:
      return numbers.pick(["1e999", "-1e999", "-0.0", "1e-320", "1e300", "0.1", "9.3e18", "-9.3e18", "63113904000.5"])
    case 3: return numbers.pick(["'nan'", "'inf'", "'-inf'", "'1e999'", "'0x10'", "'12abc'", "''", "' '", "'true'"])
    case 4:
      return numbers.pick([
        "CAST(x'ff' AS TEXT)", "CAST(x'00610062' AS TEXT)", "char(0)", "char(27)||'[31m'", "char(8238)",
      ])
    case 5: return numbers.pick(["'é🧭👩‍👩‍👧'", "'e'||char(769)", "'it''s'", "'a\"b'", "'%@ %s'", "printf('%5000c','x')"])
    case 6:
      return numbers.pick([
        "x''", "x'00'", "x'01'", "x'02'", "zeroblob(16)", "zeroblob(15)", "zeroblob(20000)", "randomblob(64)",
      ])
    case 7:
      return numbers.pick([
        "'\(UUID().uuidString)'", "x'02'||CAST('00000000-0000-0000-0000-000000000000'||char(0) AS BLOB)",
      ])
    case 8: return blob(numbers.damaged(archive))
    default:
      return String(Double(bitPattern: numbers.next())).replacingOccurrences(of: "nan", with: "NULL")
        .replacingOccurrences(of: "inf", with: "1e999")
    }
  }

  /// Bytes as a literal.
  public static func blob(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
  }

  /// A keyed archive, as transformable attributes hold them.
  private static let archive: [UInt8] = {
    let value: [String: Any] = ["name": "x", "list": [1, 2.5, Date(timeIntervalSinceReferenceDate: 0)]]
    let data = try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    return data.map { [UInt8]($0) } ?? []
  }()

  /// A name in quotes.
  public static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A name that is odd, or one that the framework gives.
  static func name(_ numbers: inout HostileBytes) -> String {
    numbers.pick([
      "a", "b", "c", "A", "select", "it's", "q\"uote", "🐘", "x.y/z", "100%", "", " ", "rowid", "oid", "_rowid_",
      "objectID",
      "entity", "Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "Z_FOK_NAME", "Z_1TAGS", "ZFOO", "Z_PRIMARYKEY", "Z_METADATA",
      "Z_MODELCACHE", "ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING", "\u{202E}abc", "new\nline", "self", "ANY",
      "@count",
      String(repeating: "long", count: 60), "description", "hash", "--format",
    ])
  }
}
