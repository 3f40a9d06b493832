import Foundation

/// The URI of a row of a plain database: `x-sqlite://ID/Table/p42`, or `…/k<base64url of the key>` where the key is no whole
/// number of SQLite's own.
///
/// A key that is one text is that text's bytes. Any other, of several columns or of another storage class, is a zero byte and
/// `KeyBytes`; so is a text that begins with one.
struct PlainURI {
  static let scheme = "x-sqlite"

  var identifier: String
  var table: String
  var row: Row

  enum Row: Equatable {
    case number(Int64)
    case key([UInt8])
  }

  init(identifier: String, table: String, row: Row) {
    (self.identifier, self.table, self.row) = (identifier, table, row)
  }

  /// Reads a URI; `nil` where it is none of a plain database's rows.
  init?(_ uri: URL) {
    let text = uri.absoluteString
    let prefix = Self.scheme + "://"
    guard text.hasPrefix(prefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let table = parts[1].removingPercentEncoding, let row = Self.row(parts[2]) else {
      return nil
    }
    self.init(identifier: parts[0], table: table, row: row)
  }

  var url: URL {
    let name = table.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
    let last =
      switch row {
      case .number(let number): "p\(number)"
      case .key(let bytes): "k" + Self.base64(Self.packed(bytes))
      }
    let text = "\(Self.scheme)://\(identifier)/\(name)/\(last)"
    return URL(string: text) ?? URL(fileURLWithPath: text)
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func row(_ text: String) -> Row? {
    switch text.first {
    case "p": return Int64(text.dropFirst()).map(Row.number)
    case "k": return bytes(base64: String(text.dropFirst())).flatMap(unpacked).map(Row.key)
    default: return nil
    }
  }

  /// A single text stands for itself.
  private static func packed(_ key: [UInt8]) -> [UInt8] {
    if let parts = KeyBytes.parts(of: key), parts.count == 1, case .text(let range) = parts[0], key[range].first != 0 {
      return Array(key[range])
    }
    return [0] + key
  }

  private static func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.first == 0 else { return KeyBytes(text: bytes).bytes }
    let key = Array(bytes.dropFirst())
    return key.first == KeyBytes.Tag.digest.rawValue || KeyBytes.parts(of: key) != nil ? key : nil
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  private static func bytes(base64 text: String) -> [UInt8]? {
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map {
      [UInt8]($0)
    }
  }
}
