import Glibc

/// The header of a `-shm` file: what of the write-ahead log readers may see.
struct WALIndex: Equatable, Sendable {
  /// The last frame that is published; 0 when the log holds none.
  let lastFrame: UInt32
  /// The size of the database in pages.
  private(set) var pageCount: UInt32
  private(set) var pageSize: Int
  /// The running checksum at `lastFrame`.
  let checksum: WALChecksum
  let salts: WALSalts
  /// How many frames a checkpoint has copied, or has begun to copy, into the main file.
  let checkpointed: UInt32

  /// Reads the first bytes of `-shm`; nil while a writer is at it (the two copies differ) or before recovery.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 136, bytes[..<48] == bytes[48..<96], bytes[12] != 0 else { return nil }
    // The file is memory shared by processes of one machine: numbers are in the machine's byte order, save the salts,
    // which stay as they lie in the log.
    func native(_ offset: Int) -> UInt32 {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    var sum = WALChecksum()
    bytes.withUnsafeBytes { raw in
      sum.add(UnsafeRawBufferPointer(rebasing: raw[..<40]), bigEndian: 1 == UInt32(bigEndian: 1))
    }
    guard native(0) == 3_007_000, sum == WALChecksum(first: native(40), second: native(44)) else { return nil }
    let size = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 14, as: UInt16.self)) }
    pageSize = (size & 0xfe00) | (size & 1) << 16
    (lastFrame, pageCount) = (native(16), native(20))
    checksum = WALChecksum(first: native(24), second: native(28))
    salts = WALSalts(first: bytes.uint32(32), second: bytes.uint32(36))
    checkpointed = max(native(96), native(128))
  }

  /// Reads `-shm`, again while a writer is changing it; nil where it stays unreadable.
  static func read(_ file: any ByteSource) -> WALIndex? {
    for attempt in 0..<200 {
      if let index = WALIndex(file.read(at: 0, count: 136)) { return index }
      // The writer may have been interrupted between the copies; let it go on.
      if attempt > 10 { sched_yield() }
    }
    return nil
  }

  /// The same with the sizes of the database's own file where no commit to the log has told any yet.
  func completed(by main: any ByteSource) -> WALIndex {
    guard pageSize == 0, lastFrame == 0, let header = DatabaseHeader(main.read(at: 0, count: 100)) else { return self }
    var completed = self
    (completed.pageSize, completed.pageCount) = (header.pageSize, UInt32(clamping: main.size / header.pageSize))
    return completed
  }

  /// Whether the log holds a commit that is written but not yet published.
  ///
  /// This is the time between inotify's event and the moment from which a connection sees the commit.
  func hasUnpublishedCommit(in log: any ByteSource) -> Bool {
    guard let header = WALHeader(log.read(at: 0, count: WALHeader.size)) else { return false }
    var next = lastFrame &+ 1
    if header.salts != salts {
      // A restart publishes new salts before it writes them, so the file may still have the log before. A writer that
      // begins an empty log draws salts and publishes them with its commit.
      guard lastFrame == 0, header.salts.first &+ 1 != salts.first else { return false }
      next = 1
    }
    while true {
      let frame = log.read(at: header.offset(ofFrame: next), count: WALHeader.frameHeaderSize)
      guard frame.count == WALHeader.frameHeaderSize,
        WALSalts(first: frame.uint32(8), second: frame.uint32(12)) == header.salts
      else { return false }
      if frame.uint32(4) != 0 { return true }
      next += 1
    }
  }
}
