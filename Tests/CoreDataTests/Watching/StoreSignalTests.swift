import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite(.timeLimit(.minutes(1))) struct StoreSignalTests {
  private static let setup =
    "PRAGMA journal_mode=wal; CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,2);"

  /// Counts looks, so that a test can tell when none happen.
  private final class Looks: Sendable {
    private let taken = Mutex(0)
    var count: Int { taken.withLock { $0 } }
    func add() { taken.withLock { $0 += 1 } }
  }

  /// A signal whose look reads the published frame from the files, and the stream of its reports.
  private func watch(
    _ writer: SecondWriter, looks: Looks = Looks(), polling: Duration = .seconds(2), isTrusted: Bool = true
  ) throws -> (signal: StoreSignal, events: AsyncStream<SignalEvent>.Iterator) {
    let (log, index) = (try writer.file("-wal"), try writer.file("-shm"))
    let probe = CommitProbe(path: writer.path, log: log, index: index)
    let (stream, continuation) = AsyncStream.makeStream(of: SignalEvent.self)
    let signal = StoreSignal(
      path: writer.path, polling: polling, isTrusted: { _ in isTrusted },
      isCommitPending: { probe.isCommitPending() },
      version: {
        looks.add()
        let published = WALIndex.read(index)
        return Int64(published?.salts.second ?? 0) << 24 | Int64(published?.lastFrame ?? 0)
      },
      report: { continuation.yield($0) })
    return (try #require(signal), stream.makeAsyncIterator())
  }

  @Test func `every commit of another process is reported`() async throws {
    let writer = try SecondWriter(Self.setup)
    var (signal, events) = try watch(writer)
    #expect(signal.pollingReason == nil)
    for key in 2...40 {
      try writer.run("INSERT INTO t VALUES(\(key), 1);")
      #expect(await events.next() == .committed)
    }
    signal.stop()
  }

  @Test func `a commit that begins an emptied log is reported`() async throws {
    let writer = try SecondWriter(Self.setup)
    var (signal, events) = try watch(writer)
    for key in 2...20 {
      try writer.run("PRAGMA wal_checkpoint(TRUNCATE);")
      #expect(await events.next() == .committed, "the log's salts are new")
      try writer.run("INSERT INTO t VALUES(\(key), 1);")
      #expect(await events.next() == .committed)
    }
    signal.stop()
  }

  @Test func `nobody looks while nothing happens, nor when other files of the folder change`() async throws {
    let writer = try SecondWriter(Self.setup)
    let looks = Looks()
    var (signal, events) = try watch(writer, looks: looks)
    try writer.run("INSERT INTO t VALUES(2, 1);")
    #expect(await events.next() == .committed)
    // One look a notice: writing the frames and, maybe, a later one. From here on there is none.
    let settled = looks.count
    for number in 0..<50 {
      try Data("x".utf8).write(to: writer.folder.appendingPathComponent("other\(number)"))
    }
    try writer.run("INSERT INTO t VALUES(3, 1);")
    #expect(await events.next() == .committed)
    #expect(looks.count - settled < 20)
    signal.stop()
  }

  @Test func `a removed and a replaced file are reported, and the store when it is back`() async throws {
    let writer = try SecondWriter(Self.setup)
    var (signal, events) = try watch(writer)
    let (store, aside) = (URL(fileURLWithPath: writer.path), writer.folder.appendingPathComponent("aside"))
    let manager = FileManager.default
    try manager.moveItem(at: store, to: aside)
    #expect(await events.next() == .removed)
    try manager.copyItem(at: aside, to: store)
    #expect(await events.next() == .replaced)
    try manager.removeItem(at: store)
    #expect(await events.next() == .removed)
    try manager.moveItem(at: aside, to: store)
    #expect(await events.next() == .committed)
    signal.stop()
  }

  @Test func `a journal that comes or goes is reported`() async throws {
    let writer = try SecondWriter(Self.setup)
    var (signal, events) = try watch(writer)
    let journal = URL(fileURLWithPath: writer.path + "-journal")
    try Data([0]).write(to: journal)
    #expect(await events.next() == .journalsChanged)
    try FileManager.default.removeItem(at: journal)
    #expect(await events.next() == .journalsChanged)
    signal.stop()
  }

  @Test func `where notices cannot be trusted the store is polled, and the file system named`() async throws {
    let writer = try SecondWriter(Self.setup)
    var (signal, events) = try watch(writer, polling: .milliseconds(20), isTrusted: false)
    let fileSystem = try #require(MountTable.current().fileSystem(of: writer.folder.path))
    #expect(signal.pollingReason == .sharedFileSystem(fileSystem))
    try writer.run("INSERT INTO t VALUES(2, 1);")
    #expect(await events.next() == .committed)
    signal.stop()
  }

  @Test func `a path without a file is not watched`() {
    let signal = StoreSignal(
      path: "/nowhere/store.sqlite", isCommitPending: { false }, version: { 0 }, report: { _ in })
    #expect(signal == nil)
  }

  @Test func `a rollback journal in use is a commit on its way`() throws {
    let writer = try SecondWriter("PRAGMA journal_mode=persist; CREATE TABLE t(a); INSERT INTO t VALUES(1);")
    let probe = CommitProbe(path: writer.path, log: nil, index: nil)
    #expect(!probe.isCommitPending())
    try writer.run("PRAGMA cache_size=2; BEGIN; INSERT INTO t SELECT hex(randomblob(900)) FROM generate_series(1,200);")
    #expect(probe.isCommitPending())
    try writer.run("COMMIT;")
    #expect(!probe.isCommitPending())
  }
}
