/// Tells whether a commit is on its way that a connection cannot see yet, from the files alone.
struct CommitProbe: Sendable {
  private let journal: String
  private let log: (any ByteSource)?
  private let index: (any ByteSource)?

  /// Probes the store at `path`; `log` and `index` are its `-wal` and `-shm`, nil in rollback-journal mode.
  init(path: String, log: (any ByteSource)?, index: (any ByteSource)?) {
    (journal, self.log, self.index) = (path + "-journal", log, index)
  }

  /// Whether a commit is written and not published, or a rollback journal is in use.
  ///
  /// A journal's end is the commit: it is deleted, cut to nothing, or its first bytes are zeroed.
  func isCommitPending() -> Bool {
    if let log, let index {
      // An index that cannot be read is being written, which is the moment of publication.
      return WALIndex.read(index)?.hasUnpublishedCommit(in: log) ?? true
    }
    guard let file = try? StoreFile(path: journal), let first = file.read(at: 0, count: 1).first else { return false }
    return first != 0
  }
}
