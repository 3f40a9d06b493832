/// The header of a database file (its first 100 bytes), as far as watching needs it.
struct DatabaseHeader: Equatable, Sendable {
  /// Bytes a page, 512 to 65,536.
  let pageSize: Int
  /// Bytes of a page that b-trees may use.
  let usableSize: Int
  /// Counts the commits of rollback-journal mode.
  let changeCounter: UInt32
  /// Changes with every change of the schema, and with a vacuum.
  let schemaCookie: UInt32
  /// The first page of the list of free pages, 0 for none.
  let firstFreePage: UInt32
  /// Whether pointer-map pages exist (auto-vacuum, full or incremental).
  let hasPointerMap: Bool
  /// Whether text is stored as UTF-8, as Core Data has it.
  let isUTF8: Bool
  /// Whether the file says that it is read and written through a write-ahead log.
  let isWAL: Bool

  /// Reads the first bytes of page 1; nil where they are not those of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    usableSize = pageSize - Int(bytes[20])
    guard usableSize >= 480 else { return nil }
    changeCounter = bytes.uint32(24)
    firstFreePage = bytes.uint32(32)
    schemaCookie = bytes.uint32(40)
    hasPointerMap = bytes.uint32(52) != 0
    isUTF8 = bytes.uint32(56) <= 1
    isWAL = bytes[18] == 2 && bytes[19] == 2
  }

  /// The page that holds the lock bytes and never any data.
  var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }
}
