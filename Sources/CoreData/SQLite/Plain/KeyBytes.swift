import CSQLite
import Foundation

/// A row's key as bytes: each value with its storage class, one after the other.
///
/// The same bytes stand in an object's URI. Integers and floating numbers are a tag and eight bytes, most significant first;
/// texts and blobs a tag, their length in four bytes, and what they hold.
struct KeyBytes {
  private(set) var bytes: [UInt8] = []

  enum Tag: UInt8 { case null, integer, real, text, blob, digest }

  /// The longest key of a row without a key that is kept as it is; of longer ones a digest stands for it.
  static let longestRow = 64

  /// The key that some arguments of an SQL function make.
  init(_ arguments: UnsafeBufferPointer<OpaquePointer?>) {
    for cell in arguments {
      switch sqlite3_value_type(cell) {
      case SQLITE_INTEGER: append(.integer, UInt64(bitPattern: sqlite3_value_int64(cell)))
      case SQLITE_FLOAT: append(.real, sqlite3_value_double(cell).bitPattern)
      case SQLITE_TEXT:
        let text = sqlite3_value_text(cell)
        append(.text, UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(cell))))
      case SQLITE_BLOB:
        let blob = sqlite3_value_blob(cell)
        append(.blob, UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(cell))))
      default: bytes.append(Tag.null.rawValue)
      }
    }
  }

  /// A key of one integer.
  init(integer: Int64) { append(.integer, UInt64(bitPattern: integer)) }

  /// A key of one text, as its bytes are.
  init(text: [UInt8]) { text.withUnsafeBytes { append(.text, $0) } }

  /// A key without values.
  init() {}

  /// Adds the value of a cell; false where it has none.
  mutating func append(_ slab: RowSlab, row: Int, column: Int) -> Bool {
    switch slab.tag(row: row, column: column) {
    case .null: return false
    case .integer: append(.integer, slab.word(row: row, column: column))
    case .real: append(.real, slab.word(row: row, column: column))
    case .text: slab.withBytes(row: row, column: column) { append(.text, UnsafeRawBufferPointer($0)) }
    case .blob: slab.withBytes(row: row, column: column) { append(.blob, UnsafeRawBufferPointer($0)) }
    }
    return true
  }

  /// The key of a whole row: the bytes themselves, or what stands for many.
  func shortened() -> [UInt8] {
    guard bytes.count > Self.longestRow else { return bytes }
    var digest = SHA256Digest()
    digest.update(bytes)
    return [Tag.digest.rawValue] + digest.finish().prefix(16)
  }

  private mutating func append(_ tag: Tag, _ word: UInt64) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
    bytes.append(tag.rawValue)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).bigEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: content)
  }

  /// One value of a key as it is put into a statement.
  enum Part: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// The values of a key, texts and blobs by where they lie in it; `nil` where the bytes are no such key.
  static func parts(of bytes: [UInt8]) -> [Part]? {
    var parts: [Part] = []
    var place = 0
    func number(_ count: Int) -> UInt64? {
      guard place + count <= bytes.count else { return nil }
      defer { place += count }
      return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    while place < bytes.count {
      guard let tag = Tag(rawValue: bytes[place]) else { return nil }
      place += 1
      switch tag {
      case .null: parts.append(.null)
      case .integer:
        guard let word = number(8) else { return nil }
        parts.append(.integer(Int64(bitPattern: word)))
      case .real:
        guard let word = number(8) else { return nil }
        parts.append(.real(Double(bitPattern: word)))
      case .text, .blob:
        guard let count = number(4), place + Int(count) <= bytes.count else { return nil }
        let range = place..<place + Int(count)
        parts.append(tag == .text ? .text(range) : .blob(range))
        place = range.upperBound
      case .digest: return nil
      }
    }
    return parts
  }
}
