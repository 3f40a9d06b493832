import Testing

@testable import CoreData

@Suite struct WALReaderTests {
  private static let setup = """
    PRAGMA page_size=1024; PRAGMA journal_mode=wal; CREATE TABLE t(a INTEGER PRIMARY KEY, b);
    INSERT INTO t SELECT value, hex(randomblob(100)) FROM generate_series(1,50);
    """

  @Test func `every frame of a fresh log is read, and its last commit has the size of the database`() throws {
    let writer = try SecondWriter(Self.setup)
    let log = try writer.bytes("-wal")
    var reader = try #require(WALReader(Bytes(content: log)))

    let frames = reader.next().frames

    #expect(frames.count == (log.count - 32) / (24 + 1024))
    #expect(frames.map(\.number) == Array(1...UInt32(frames.count)))
    #expect(frames.last?.databaseSize == UInt32(try writer.run("PRAGMA page_count;")[0]))
    #expect(reader.next().frames.isEmpty)
  }

  @Test func `reading goes on where it stopped`() throws {
    let writer = try SecondWriter(Self.setup)
    var reader = try #require(WALReader(try writer.file("-wal")))
    let before = reader.next().frames.count

    try writer.run("UPDATE t SET b = 'x' WHERE a = 1;")
    let added = reader.next().frames

    #expect(added.count == 1)
    #expect(added.first?.number == UInt32(before + 1))
    #expect(try reader.image(ofFrame: reader.position) == Array(writer.bytes("-wal").suffix(1024)))
  }

  @Test func `a frame is believed only when every bit of it and of those before it is right`() throws {
    let writer = try SecondWriter(Self.setup)
    let first = try writer.bytes("-wal").count
    try writer.run("UPDATE t SET b = hex(randomblob(90));")
    let log = try writer.bytes("-wal")
    var whole = try #require(WALReader(Bytes(content: log)))
    _ = whole.next()
    let lastOfFirst = UInt32((first - 32) / (24 + 1024))
    #expect(whole.position > lastOfFirst + 1)

    for offset in stride(from: first, to: log.count, by: 7) {
      var broken = log
      broken[offset] ^= 1
      var reader = try #require(WALReader(Bytes(content: broken)))
      _ = reader.next()
      #expect(reader.position == lastOfFirst, "byte \(offset)")
    }
  }

  @Test func `a transaction without its commit frame is not there`() throws {
    let writer = try SecondWriter(Self.setup)
    let first = try writer.bytes("-wal").count
    try writer.run("UPDATE t SET b = hex(randomblob(90));")
    let log = try writer.bytes("-wal")

    var reader = try #require(WALReader(Bytes(content: Array(log.dropLast(24 + 1024)))))

    #expect(reader.next().frames.count == (first - 32) / (24 + 1024))
  }

  @Test func `frames after the published one wait`() throws {
    let writer = try SecondWriter(Self.setup)
    var reader = try #require(WALReader(try writer.file("-wal")))
    let published = try #require(reader.next().frames.last).number
    try writer.run("UPDATE t SET b = 'x' WHERE a = 1; UPDATE t SET b = 'y' WHERE a = 1;")

    #expect(reader.next(upTo: published).frames.isEmpty)
    #expect(reader.next(upTo: published + 1).frames.map(\.number) == [published + 1])
    #expect(reader.next().frames.map(\.number) == [published + 2])
  }

  @Test func `a restarted log is another generation`() throws {
    let writer = try SecondWriter(Self.setup)
    var old = try #require(WALReader(try writer.file("-wal")))
    _ = old.next()

    try writer.run("PRAGMA wal_checkpoint(RESTART); UPDATE t SET b = 'x' WHERE a = 1;")

    #expect(!old.isCurrent)
    var new = try #require(WALReader(try writer.file("-wal")))
    #expect(new.header.salts.first == old.header.salts.first &+ 1)
    #expect(new.next().frames.count == 1)
  }

  @Test(arguments: [0, 1, 31, 32, 40]) func `a short or foreign file has no frames`(length: Int) {
    #expect(WALReader(Bytes(content: Array(repeating: 0x37, count: length))) == nil)
  }
}

@Suite struct WALIndexTests {
  private static let setup =
    "PRAGMA journal_mode=wal; CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,2);"

  @Test func `the index names the last frame of the log, its checksum and the size`() throws {
    let writer = try SecondWriter(Self.setup)
    var reader = try #require(WALReader(try writer.file("-wal")))
    _ = reader.next()

    let index = try #require(WALIndex(try writer.bytes("-shm")))

    #expect(index.lastFrame == reader.position)
    #expect(index.checksum == reader.checksum)
    #expect(index.salts == reader.header.salts)
    #expect(index.pageSize == 4096)
    #expect(index.pageCount == UInt32(try writer.run("PRAGMA page_count;")[0]))
  }

  @Test func `an index is not read while its two copies differ`() throws {
    let writer = try SecondWriter(Self.setup)
    let sound = try writer.bytes("-shm")
    for offset in 0..<96 {
      var torn = sound
      torn[offset] ^= 0x10
      #expect(WALIndex(torn) == nil, "byte \(offset)")
    }
  }

  @Test func `checkpointed frames are counted`() throws {
    let writer = try SecondWriter(Self.setup)
    #expect(WALIndex(try writer.bytes("-shm"))?.checkpointed == 0)
    try writer.run("PRAGMA wal_checkpoint(PASSIVE);")
    let index = try #require(WALIndex(try writer.bytes("-shm")))
    #expect(index.checkpointed == index.lastFrame)
  }

  @Test func `a commit in the log that the index does not name is unpublished`() throws {
    let writer = try SecondWriter(Self.setup)
    let index = try #require(WALIndex(try writer.bytes("-shm")))
    #expect(!index.hasUnpublishedCommit(in: Bytes(content: try writer.bytes("-wal"))))

    try writer.run("INSERT INTO t VALUES(2,3);")

    #expect(index.hasUnpublishedCommit(in: Bytes(content: try writer.bytes("-wal"))))
  }

  @Test func `frames of a transaction that goes on are no commit`() throws {
    let writer = try SecondWriter(Self.setup)
    let before = try writer.bytes("-wal").count
    try writer.run(
      "PRAGMA cache_size=2; BEGIN; INSERT INTO t SELECT value, hex(randomblob(900)) FROM generate_series(2,200);")
    let index = try #require(WALIndex(try writer.bytes("-shm")))

    #expect(try writer.bytes("-wal").count > before, "the transaction spilled into the log")
    #expect(!index.hasUnpublishedCommit(in: try writer.file("-wal")))
  }
}
