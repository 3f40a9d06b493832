import Foundation
import Glibc
import Synchronization

/// How a store is read without changing a byte of it or of what lies beside it (reference/SQLITE.md, "The ladder").
struct ReadLadder: Sendable {
  /// How what is read relates to the file.
  enum Access: Sendable, Equatable {
    /// In place, and others' commits can be seen.
    case live
    /// The main file in place, as it was when it was opened.
    case snapshot
    /// A private copy.
    case copy
  }

  let access: Access
  let journal: StoreFile.Journal
  /// The file that SQLite opens: the store itself, or the copy of it.
  let path: String
  let mode: SQLiteConnection.Mode
  /// The copy's folder, which goes with the last user of this value.
  let copy: PrivateCopy?

  /// A private copy that somebody has made, in no need of a log.
  init(_ copy: PrivateCopy) {
    (access, journal, path, mode, self.copy) = (.copy, .rollback, copy.path, .readOnly, copy)
  }

  /// Chooses the rung for a file as it lies there now.
  init(_ file: StoreFile) throws {
    guard let journal = file.journal else { throw Self.notADatabase(file) }
    self.journal = journal
    switch journal {
    case .rollback where !file.hasHotJournal:
      (access, path, mode, copy) = (.live, file.path, .readOnly, nil)
    case .writeAheadLog where !Self.hasFrames(file):
      (access, path, mode, copy) = (.snapshot, file.path, .immutable, nil)
    case .writeAheadLog where file.sizeBeside("-shm") != nil:
      (access, path, mode, copy) = (.live, file.path, .readOnlySharedMemory, nil)
    default:
      let made = try PrivateCopy(of: file)
      (access, path, mode, copy) = (.copy, made.path, .readWrite, made)
    }
  }

  /// Whether the log beside a file can hold anything: one without a valid header is as good as none, for SQLite too.
  private static func hasFrames(_ file: StoreFile) -> Bool {
    guard let size = file.sizeBeside("-wal"), size > 0 else { return false }
    guard let log = try? StoreFile(path: file.path + "-wal") else { return true }
    return WALHeader(log.head(WALHeader.size)) != nil
  }

  private static func notADatabase(_ file: StoreFile) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: NSFileReadCorruptFileError,
      userInfo: [
        NSFilePathErrorKey: file.path, NSLocalizedDescriptionKey: "the file is \(ForeignFile.words(for: file))",
      ])
  }
}

/// A copy of a store and of its log in a folder of its own under the temporary directory.
///
/// The folder goes with the value, or with the process when that ends first.
final class PrivateCopy: Sendable {
  private static let folders = Mutex<Set<URL>>([])
  /// Made once: what removes the folders that are left when the process exits.
  private static let removalAtExit: Int32 = atexit {
    for folder in PrivateCopy.folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
  }

  let folder: URL
  let path: String

  /// An empty folder; `path` is where a file of that name goes.
  init(named name: String, in parent: URL = FileManager.default.temporaryDirectory) throws {
    let manager = FileManager.default
    Self.removeLeftovers(in: parent)
    folder = parent.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)")
    path = folder.appendingPathComponent(name).path
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    _ = Self.removalAtExit
    Self.folders.withLock { [folder] in _ = $0.insert(folder) }
  }

  convenience init(of file: StoreFile) throws {
    try self.init(named: (file.path as NSString).lastPathComponent)
    try file.copy(to: path)
    // The log is copied after the main file: a checkpoint in between leaves frames that say again what the file says.
    for suffix in ["-wal", "-journal"] where file.sizeBeside(suffix) != nil {
      try StoreFile(path: file.path + suffix).copy(to: path + suffix)
    }
  }

  deinit { Self.remove(folder) }

  private static let prefix = "storebrowser-copy-"

  /// Removes the copies of this user's processes that were killed before they could.
  private static func removeLeftovers(in temporary: URL) {
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: temporary.path)) ?? [] where name.hasPrefix(prefix) {
      guard let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
        kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      try? manager.removeItem(at: temporary.appendingPathComponent(name))
    }
  }

  private static func remove(_ folder: URL) {
    try? FileManager.default.removeItem(at: folder)
    folders.withLock { _ = $0.remove(folder) }
  }
}
