import Foundation

/// What a file is that is no store, in words that say what to do.
enum ForeignFile {
  /// What the first bytes of files of a kind are, and where they stand.
  private static let kinds: [(offset: Int, magic: [UInt8], words: String)] = [
    (0, Array("PK\u{03}\u{04}".utf8), "a ZIP archive: unpack it, and open the store in it"),
    (0, [0x1F, 0x8B], "compressed by gzip: unpack it first"),
    (0, Array("BZh".utf8), "compressed by bzip2: unpack it first"),
    (0, [0xFD] + Array("7zXZ".utf8), "compressed by xz: unpack it first"),
    (16, Array("T-DB".utf8), "a Realm database, which is another format"),
    (0, Array("** This file contains an SQLite".utf8), "a SQLite database of version 2, which SQLite 3 does not read"),
    (0, Array("momv2$".utf8), "an optimised model (.omo), not a store"),
    (0, Array("ustar".utf8), "a tar archive: unpack it, and open the store in it"),
    (257, Array("ustar".utf8), "a tar archive: unpack it, and open the store in it"),
    (0, [0x37, 0x7F, 0x06, 0x82], "a SQLite log (-wal), not the store: open the file without -wal"),
    (0, [0x37, 0x7F, 0x06, 0x83], "a SQLite log (-wal), not the store: open the file without -wal"),
    (0, [0xD9, 0xD5, 0x05, 0xF9], "a SQLite journal, not the store: open the file without -journal"),
  ]

  /// What a file is, to follow “the file is”.
  static func words(for file: StoreFile) -> String {
    let head = file.head(4_096)
    if head.isEmpty { return "empty" }
    if head.starts(with: Array("SQLite format 3\0".utf8)) { return "a SQLite database that is cut short" }
    if let kind = kinds.first(where: { head.dropFirst($0.offset).starts(with: $0.magic) }) { return kind.words }
    if head.starts(with: BinaryPropertyList.magic) {
      let isModel = Data(file.head(1 << 20)).range(of: Data("NSManagedObjectModel".utf8)) != nil
      return isModel
        ? "a compiled model, not a store: `storebrowser model` shows it"
        : "a binary property list; a Core Data store of the binary (atomic) kind cannot be read here"
    }
    if isNoise(head), file.size.isMultiple(of: 512) {
      return "not a SQLite database: it looks encrypted, and would have to be decrypted first"
    }
    return "not a SQLite database (it may be encrypted, or of another kind)"
  }

  /// Whether bytes are spread as those of an encrypted page: no value is much more frequent than the others.
  private static func isNoise(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 512 else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    let entropy = counts.filter { $0 > 0 }.reduce(0.0) { sum, count in
      let share = Double(count) / Double(bytes.count)
      return sum - share * log2(share)
    }
    // So few bytes cannot show all of the eight bits: 4,096 of noise have 7.95, 512 have 7.5.
    return entropy > (bytes.count >= 4_096 ? 7.9 : 7.3)
  }
}
