/// What a page cannot be, in a sound file.
enum PageError: Error, Equatable {
  /// The page contradicts the file format, or points to one that does.
  case malformed(page: UInt32)
  /// The page lies beyond the end of the file, or could not be read.
  case missing(page: UInt32)
}

/// One page of a database file and its number, which counts from 1.
struct DatabasePage: Sendable {
  let number: UInt32
  let bytes: [UInt8]

  /// The byte at `offset`; throws where the page ends before it.
  func uint8(_ offset: Int) throws -> UInt8 {
    guard bytes.indices.contains(offset) else { throw PageError.malformed(page: number) }
    return bytes[offset]
  }

  /// The big-endian number of two bytes at `offset`.
  func uint16(_ offset: Int) throws -> Int {
    guard offset >= 0, offset + 2 <= bytes.count else { throw PageError.malformed(page: number) }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// The big-endian number of four bytes at `offset`.
  func uint32(_ offset: Int) throws -> UInt32 {
    guard offset >= 0, offset + 4 <= bytes.count else { throw PageError.malformed(page: number) }
    return bytes.uint32(offset)
  }

  /// The variable-length number at `offset`, and the offset after it.
  func varint(_ offset: Int) throws -> (value: Int64, end: Int) {
    guard let found = bytes.varint(offset) else { throw PageError.malformed(page: number) }
    return found
  }
}

/// The pages of a database in one committed state.
protocol PageSource {
  /// The size of the database in pages.
  var pageCount: UInt32 { get }
  /// The page with that number, or a `PageError`.
  func page(_ number: UInt32) throws -> DatabasePage
}

extension [UInt8] {
  /// The big-endian number of four bytes at `offset`, which the caller has checked to be inside.
  func uint32(_ offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }

  /// The variable-length number (1 to 9 bytes) at `offset` and the offset after it; nil where the bytes end too early.
  func varint(_ offset: Int) -> (value: Int64, end: Int)? {
    guard offset >= 0 else { return nil }
    var value: UInt64 = 0
    for step in 0..<9 {
      let at = offset + step
      guard at < count else { return nil }
      if step == 8 { return (Int64(bitPattern: value << 8 | UInt64(self[at])), at + 1) }
      value = value << 7 | UInt64(self[at] & 0x7f)
      if self[at] & 0x80 == 0 { return (Int64(bitPattern: value), at + 1) }
    }
    return nil
  }
}
