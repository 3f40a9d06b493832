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

  /// Chooses the rung for a file as it lies there now.
  init(_ file: StoreFile) throws {
    guard let journal = file.journal else { throw Self.notADatabase(file) }
    self.journal = journal
    switch journal {
    case .rollback where !file.hasHotJournal:
      (access, path, mode, copy) = (.live, file.path, .readOnly, nil)
    case .writeAheadLog where (file.sizeBeside("-wal") ?? 0) == 0:
      (access, path, mode, copy) = (.snapshot, file.path, .immutable, nil)
    case .writeAheadLog where file.sizeBeside("-shm") != nil:
      (access, path, mode, copy) = (.live, file.path, .readOnlySharedMemory, nil)
    default:
      let made = try PrivateCopy(of: file)
      (access, path, mode, copy) = (.copy, made.path, .readWrite, made)
    }
  }

  private static func notADatabase(_ file: StoreFile) -> NSError {
    let head = file.head(16)
    let what =
      head.isEmpty
      ? "the file is empty" : "the file is not a SQLite database (it may be encrypted, or of another kind)"
    return NSError(
      domain: NSCocoaErrorDomain, code: NSFileReadCorruptFileError,
      userInfo: [NSFilePathErrorKey: file.path, NSLocalizedDescriptionKey: what])
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

  init(of file: StoreFile) throws {
    let manager = FileManager.default
    folder = manager.temporaryDirectory.appendingPathComponent("storebrowser-\(getpid())-\(UUID().uuidString)")
    path = folder.appendingPathComponent((file.path as NSString).lastPathComponent).path
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    _ = Self.removalAtExit
    Self.folders.withLock { [folder] in _ = $0.insert(folder) }
    do {
      try file.copy(to: path)
      // The log is copied after the main file: a checkpoint in between leaves frames that say again what the file says.
      for suffix in ["-wal", "-journal"] where file.sizeBeside(suffix) != nil {
        try StoreFile(path: file.path + suffix).copy(to: path + suffix)
      }
    } catch {
      Self.remove(folder)
      throw error
    }
  }

  deinit { Self.remove(folder) }

  private static func remove(_ folder: URL) {
    try? FileManager.default.removeItem(at: folder)
    folders.withLock { _ = $0.remove(folder) }
  }
}
