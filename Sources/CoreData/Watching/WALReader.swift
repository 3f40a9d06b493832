/// One frame of a write-ahead log: a page's image as some commit left it.
struct WALFrame: Equatable, Sendable {
  /// Counts from 1 within its generation.
  let number: UInt32
  let page: UInt32
  /// The size of the database in pages after the commit that this frame ends; 0 in every other frame.
  let databaseSize: UInt32
}

/// Reads the committed frames of a `-wal` file from a position on.
///
/// Frames are believed only where salts and the running checksum agree, which is the rule that SQLite itself recovers
/// by; the rest of the file is left over from an earlier generation or from a transaction that was rolled back.
struct WALReader: Sendable {
  /// The header of the generation that is read.
  let header: WALHeader
  /// The last committed frame that was returned, 0 before the first.
  private(set) var position: UInt32 = 0
  /// The running checksum at `position`.
  private(set) var checksum: WALChecksum
  private let file: any ByteSource

  /// Starts before the first frame; nil where the file has no valid header.
  init?(_ file: any ByteSource) {
    guard let header = WALHeader(file.read(at: 0, count: WALHeader.size)) else { return nil }
    (self.file, self.header, checksum) = (file, header, header.checksum)
  }

  /// Whether the file still holds the generation that this reader began with.
  var isCurrent: Bool { WALHeader(file.read(at: 0, count: WALHeader.size)) == header }

  /// The frames that were committed since `position`, in their order, and moves there.
  ///
  /// `limit` is the last frame that may be returned: readers see a commit only once the index has published it.
  /// Stops before the first commit that has more than `most` frames after `position`; then `isCutShort` is true.
  mutating func next(upTo limit: UInt32 = .max, most: Int = .max) -> (frames: [WALFrame], isCutShort: Bool) {
    var scan = Scan(number: position, checksum: checksum)
    var (pending, committed): ([WALFrame], [WALFrame]) = ([], [])
    while scan.number < limit {
      guard committed.count + pending.count < most else { return (committed, true) }
      guard let frame = read(&scan) else { break }
      pending.append(frame)
      guard frame.databaseSize != 0 else { continue }
      committed += pending
      pending.removeAll(keepingCapacity: true)
      (position, checksum) = (scan.number, scan.checksum)
    }
    return (committed, false)
  }

  /// The page image in a frame; shorter than a page where the file ends.
  func image(ofFrame number: UInt32) -> [UInt8] {
    file.read(at: header.offset(ofFrame: number) + WALHeader.frameHeaderSize, count: header.pageSize)
  }

  /// The salts written in the place of a frame, whatever generation they are of; nil beyond the file's end.
  func salts(inPlaceOf number: UInt32) -> WALSalts? {
    let bytes = file.read(at: header.offset(ofFrame: number), count: WALHeader.frameHeaderSize)
    guard bytes.count == WALHeader.frameHeaderSize else { return nil }
    return WALSalts(first: bytes.uint32(8), second: bytes.uint32(12))
  }

  private struct Scan {
    var number: UInt32
    var checksum: WALChecksum
  }

  private func read(_ scan: inout Scan) -> WALFrame? {
    let headerSize = WALHeader.frameHeaderSize
    let bytes = file.read(at: header.offset(ofFrame: scan.number + 1), count: headerSize + header.pageSize)
    guard bytes.count == headerSize + header.pageSize,
      WALSalts(first: bytes.uint32(8), second: bytes.uint32(12)) == header.salts
    else { return nil }
    var sum = scan.checksum
    bytes.withUnsafeBytes { raw in
      sum.add(UnsafeRawBufferPointer(rebasing: raw[..<8]), bigEndian: header.isBigEndian)
      sum.add(UnsafeRawBufferPointer(rebasing: raw[headerSize...]), bigEndian: header.isBigEndian)
    }
    let page = bytes.uint32(0)
    guard sum == WALChecksum(first: bytes.uint32(16), second: bytes.uint32(20)), page != 0 else { return nil }
    scan = Scan(number: scan.number + 1, checksum: sum)
    return WALFrame(number: scan.number, page: page, databaseSize: bytes.uint32(4))
  }
}
