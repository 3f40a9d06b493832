/// The two numbers that tell one generation of a write-ahead log from the next.
///
/// A restart raises `first` by one and draws `second` anew.
struct WALSalts: Hashable, Sendable {
  let first: UInt32
  let second: UInt32
}

/// The running checksum of a write-ahead log: every frame goes on from the one before it.
struct WALChecksum: Hashable, Sendable {
  var first: UInt32 = 0
  var second: UInt32 = 0

  /// Adds `bytes`, whose count is a multiple of 8, as words of the given byte order.
  mutating func add(_ bytes: UnsafeRawBufferPointer, bigEndian: Bool) {
    var (one, two) = (first, second)
    var at = 0
    while at + 8 <= bytes.count {
      let left = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      let right = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
      one &+= (bigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ two
      two &+= (bigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ one
      at += 8
    }
    (first, second) = (one, two)
  }
}

/// The header of a `-wal` file (its first 32 bytes).
struct WALHeader: Equatable, Sendable {
  static let size = 32
  static let frameHeaderSize = 24

  let pageSize: Int
  let salts: WALSalts
  let checksum: WALChecksum
  let isBigEndian: Bool

  /// Reads the first bytes of the file; nil where they are no valid header.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.size, bytes.uint32(0) & ~1 == 0x377f_0682, bytes.uint32(4) == 3_007_000 else {
      return nil
    }
    pageSize = Int(bytes.uint32(8))
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    let isBigEndian = bytes[3] & 1 == 1
    self.isBigEndian = isBigEndian
    salts = WALSalts(first: bytes.uint32(16), second: bytes.uint32(20))
    var sum = WALChecksum()
    bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<24]), bigEndian: isBigEndian) }
    guard sum == WALChecksum(first: bytes.uint32(24), second: bytes.uint32(28)) else { return nil }
    checksum = sum
  }

  /// Where the frame with that number starts; frames count from 1.
  func offset(ofFrame frame: UInt32) -> Int {
    Self.size + (Int(frame) - 1) * (Self.frameHeaderSize + pageSize)
  }
}
