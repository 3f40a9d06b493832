import Glibc

/// The files of a store that is read in place, and what they say of its version, without a connection.
struct StoreFiles: Sendable {
  let main: StoreFile
  /// The log and its index; nil in rollback-journal mode.
  let log: (file: StoreFile, index: StoreFile)?
  private let probe: CommitProbe

  /// Opens what lies beside `main`, for as long as `main` is open.
  init(_ main: StoreFile) throws {
    self.main = main
    if main.journal == .writeAheadLog {
      log = (try main.beside("-wal"), try main.beside("-shm"))
    } else {
      log = nil
    }
    probe = CommitProbe(path: main.path, log: log?.file, index: log?.index)
  }

  /// Whether a commit is written that is not yet to be seen.
  func isCommitPending() -> Bool { probe.isCommitPending() }

  /// The last frame that is published, in which generation of the log.
  struct State: Hashable, Sendable {
    let salts: WALSalts
    let lastFrame: UInt32
  }

  /// The state that a connection sees; nil with a rollback journal, and while the index is being written.
  func state() -> State? {
    log.flatMap { WALIndex.read($0.index) }.map { State(salts: $0.salts, lastFrame: $0.lastFrame) }
  }

  /// Moves with every commit that is to be seen; nil while a writer holds the store.
  func version() -> Int64? {
    guard log == nil else { return visibleVersion() }
    // The counter is written before the journal ends, which is the commit.
    guard !isCommitPending(), let version = visibleVersion(), !isCommitPending() else { return nil }
    return version
  }

  /// The version that whoever is in a read transaction sees.
  func visibleVersion() -> Int64? {
    if log != nil { return state().map { Int64($0.hashValue) } }
    return DatabaseHeader(main.head(100)).map { Int64($0.changeCounter) }
  }

  /// Whether the files beside the store are still those that were opened, and the journal the same kind.
  var areCurrent: Bool {
    guard let log else { return main.journal != .writeAheadLog }
    return log.file.isAtItsPath && log.index.isAtItsPath
  }
}

/// What tells of something newer than a store's file as it was opened as a snapshot or copied.
struct FileStamp: Hashable, Sendable {
  private let size: Int
  private let modified: [Int]
  private let changeCounter: UInt32?
  /// How much the log holds; 0 where it holds nothing that SQLite would read.
  private let logSize: Int

  /// Looks at a store's file and at the log beside it.
  init(_ file: StoreFile) {
    var status = stat()
    let isThere = stat(file.path, &status) == 0
    size = isThere ? Int(status.st_size) : -1
    modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    changeCounter = DatabaseHeader(file.head(100))?.changeCounter
    let log = try? StoreFile(path: file.path + "-wal")
    logSize = log.flatMap { WALHeader($0.head(WALHeader.size)) == nil ? nil : $0.size } ?? 0
  }

  /// The stamp as one number.
  var version: Int64 { Int64(hashValue) }
}
