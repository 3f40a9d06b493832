import Foundation
import Glibc
import Synchronization

/// A database file seen from outside SQLite: its header and what lies beside it.
///
/// Closing any descriptor of a file drops the POSIX locks that SQLite holds on it in this process (reference/SQLITE.md 1).
/// So the descriptor is shared by everybody in the process and closed with the last holder only.
final class StoreFile: Sendable {
  /// How a database keeps what is not yet in its main file.
  enum Journal: Equatable { case rollback, writeAheadLog }

  let path: String
  private let descriptor: Int32
  private let identity: Identity

  private struct Identity: Hashable { var device: UInt, inode: UInt }
  private struct Shared { var descriptor: Int32, holders: Int }
  private static let open = Mutex<[Identity: Shared]>([:])

  /// Opens the file for looking at; an error of the Cocoa domain names what is wrong with it.
  init(path: String) throws {
    self.path = path
    (identity, descriptor) = try Self.open.withLock { open in
      var status = stat()
      guard stat(path, &status) == 0 else { throw StoreFile.cocoaError(errno, path: path) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw CocoaError(
          .fileReadUnknown, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: "it is not a file"])
      }
      let identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
      if let shared = open[identity] {
        open[identity] = Shared(descriptor: shared.descriptor, holders: shared.holders + 1)
        return (identity, shared.descriptor)
      }
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw StoreFile.cocoaError(errno, path: path) }
      open[identity] = Shared(descriptor: descriptor, holders: 1)
      return (identity, descriptor)
    }
  }

  deinit {
    let identity = identity
    Self.open.withLock { open in
      guard let shared = open[identity] else { return }
      let left = shared.holders - 1
      open[identity] = left > 0 ? Shared(descriptor: shared.descriptor, holders: left) : nil
      if left == 0 { close(shared.descriptor) }
    }
  }

  /// Copies the file's bytes into a new file that only this user may read.
  func copy(to target: String) throws {
    let output = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw StoreFile.cocoaError(errno, path: target) }
    defer { close(output) }
    var offset: off_t = 0
    while true {
      let sent = sendfile(output, descriptor, &offset, 1 << 24)
      guard sent >= 0 else { throw StoreFile.cocoaError(errno, path: target) }
      if sent == 0 { return }
    }
  }

  /// The first bytes of the file, at most `count`.
  func head(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(read, 0)))
  }

  /// Whether the file begins as a SQLite database does, and which journal its header names; `nil` for other files.
  var journal: Journal? {
    let header = head(100)
    guard header.count >= 100, header.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    return header[18] == 2 || header[19] == 2 ? .writeAheadLog : .rollback
  }

  /// Whether another process is about to write through a rollback journal (holds SQLite's RESERVED lock).
  var isReserved: Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0001  // SQLite's RESERVED byte
    lock.l_len = 1
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  /// The size of a file beside this one (`-wal`, `-shm`, `-journal`), or `nil` when there is none.
  func sizeBeside(_ suffix: String) -> Int? {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether a rollback journal waits to be played back: it has content and nobody is writing.
  var hasHotJournal: Bool {
    guard let size = sizeBeside("-journal"), size > 0, !isReserved else { return false }
    let journal = Glibc.open(path + "-journal", O_RDONLY | O_CLOEXEC)
    guard journal >= 0 else { return true }
    defer { close(journal) }
    var first: UInt8 = 0
    return pread(journal, &first, 1, 0) == 1 && first != 0
  }

  static func cocoaError(_ code: Int32, path: String) -> any Error {
    let cocoa: CocoaError.Code =
      switch code {
      case ENOENT: .fileReadNoSuchFile
      case EACCES, EPERM: .fileReadNoPermission
      default: .fileReadUnknown
      }
    return CocoaError(
      cocoa, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: String(cString: strerror(code))])
  }
}
