import Synchronization
import Testing

@testable import CoreData

@Suite struct HostileFilesTests {
  /// A file whose bytes change under the reader, as a file does.
  private final class Replaceable: ByteSource {
    private let content: Mutex<[UInt8]>
    init(_ content: [UInt8]) { self.content = Mutex(content) }
    var size: Int { content.withLock { $0.count } }
    func read(at offset: Int, count: Int) -> [UInt8] { Bytes(content: all).read(at: offset, count: count) }
    var all: [UInt8] {
      get { content.withLock { $0 } }
      set { content.withLock { $0 = newValue } }
    }
  }

  @Test func `a finder answers whatever the three files hold`() throws {
    let writer = try SecondWriter(
      """
      PRAGMA page_size=512; PRAGMA auto_vacuum=FULL; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0;
      CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t SELECT value, hex(zeroblob(value*37%350)) FROM generate_series(1,60);
      PRAGMA wal_checkpoint(RESTART); UPDATE t SET b='x' WHERE a=3;
      """)
    let before = try ["", "-wal", "-shm"].map { try writer.bytes($0) }
    try writer.run("UPDATE t SET b='y' WHERE a BETWEEN 20 AND 30; DELETE FROM t WHERE a BETWEEN 40 AND 50;")
    let after = try ["", "-wal", "-shm"].map { try writer.bytes($0) }
    var numbers = SeededNumbers(state: 11)
    var answers: [String: Int] = [:]
    for round in 0..<3_000 {
      let files = before.map(Replaceable.init)
      var finder = WALChangeFinder(main: files[0], log: files[1], index: files[2])
      for (file, content) in zip(files, after) { file.all = content }
      if round > 0 { Self.damage(files, &numbers) }
      switch finder.find() {
      case .rows(let tables):
        answers["rows", default: 0] += 1
        if round == 0 { #expect(tables.first?.rows.count == 22) }
      case .fullComparisonNeeded(let reason): answers[reason.rawValue, default: 0] += 1
      }
    }
    #expect(answers.values.reduce(0, +) == 3_000)
    #expect(answers["unreadable", default: 0] > 100, "\(answers)")
    #expect(answers["rows", default: 0] > 100, "\(answers)")
  }

  /// Changes bytes and makes the checksums fit, so that the damage is believed.
  private static func damage(_ files: [Replaceable], _ numbers: inout SeededNumbers) {
    var (main, log, index) = (files[0].all, files[1].all, files[2].all)
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      main[Int.random(in: 0..<main.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
    }
    let frame = 24 + 512
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      let offset = Int.random(in: 0..<(Bool.random(using: &numbers) ? 40 : frame), using: &numbers)
      let at = 32 + Int.random(in: 0..<(log.count - 32) / frame, using: &numbers) * frame + offset
      if offset < 8 || offset >= 24 { log[at] = UInt8.random(in: 0...255, using: &numbers) }
    }
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      index[16 + Int.random(in: 0..<8, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
    }
    guard let header = WALHeader(log) else { return }
    var sum = header.checksum
    func put(_ value: UInt32, _ at: Int, _ bytes: inout [UInt8]) {
      for step in 0..<4 { bytes[at + step] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(step))) }
    }
    let published = index.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self) }
    for number in 0..<min(Int(published), (log.count - 32) / frame) {
      let at = 32 + number * frame
      log.withUnsafeBytes { raw in
        sum.add(UnsafeRawBufferPointer(rebasing: raw[at..<at + 8]), bigEndian: header.isBigEndian)
        sum.add(UnsafeRawBufferPointer(rebasing: raw[at + 24..<at + frame]), bigEndian: header.isBigEndian)
      }
      put(sum.first, at + 16, &log)
      put(sum.second, at + 20, &log)
    }
    index.withUnsafeMutableBytes { raw in
      raw.storeBytes(of: sum.first, toByteOffset: 24, as: UInt32.self)
      raw.storeBytes(of: sum.second, toByteOffset: 28, as: UInt32.self)
      var own = WALChecksum()
      own.add(UnsafeRawBufferPointer(rebasing: raw[..<40]), bigEndian: 1 == UInt32(bigEndian: 1))
      raw.storeBytes(of: own.first, toByteOffset: 40, as: UInt32.self)
      raw.storeBytes(of: own.second, toByteOffset: 44, as: UInt32.self)
      raw[48..<96].copyBytes(from: Array(raw[..<48]))
    }
    (files[0].all, files[1].all, files[2].all) = (main, log, index)
  }
}
