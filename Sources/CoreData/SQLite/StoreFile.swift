import Foundation
import Glibc
import Synchronization

/// A file of a store seen from outside SQLite: its bytes, its header, and what lies beside it.
///
/// Closing any descriptor of a file drops the POSIX locks that SQLite holds on it in this process (reference/SQLITE.md 1).
/// So the descriptor is shared by everybody in the process and closed with the last holder only.
final class StoreFile: ByteSource {
  /// How a database keeps what is not yet in its main file.
  enum Journal: Equatable { case rollback, writeAheadLog }

  let path: String
  /// The file that was opened, whatever the path names later.
  let identity: FileIdentity
  private let descriptor: Int32

  private struct Shared {
    var descriptor: Int32
    var holders: Int
    /// Files beside this one that must not be closed before it.
    var beside: [String: StoreFile] = [:]
  }
  private static let open = Mutex<[FileIdentity: Shared]>([:])

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
      let identity = FileIdentity(status)
      if let shared = open[identity] {
        open[identity]?.holders += 1
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
    let beside = Self.open.withLock { open -> [String: StoreFile] in
      guard let shared = open[identity] else { return [:] }
      if shared.holders > 1 {
        open[identity]?.holders -= 1
        return [:]
      }
      open[identity] = nil
      close(shared.descriptor)
      return shared.beside
    }
    // Released outside of the lock, which their own end takes.
    withExtendedLifetime(beside) {}
  }

  /// The file beside this one with that ending, held open until the last holder of this one is gone.
  ///
  /// SQLite holds locks on `-shm` for as long as it has the store open.
  func beside(_ suffix: String) throws -> StoreFile {
    let file = try StoreFile(path: path + suffix)
    // A file that was made anew comes beside the one that was there before, whose locks may still be held.
    let key = "\(suffix) \(file.identity.node)"
    return Self.open.withLock { open in
      if let known = open[identity]?.beside[key] { return known }
      open[identity]?.beside[key] = file
      return file
    }
  }

  /// Whether the path still names this file.
  var isAtItsPath: Bool { FileIdentity(path: path) == identity }

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

  /// How many bytes the file has now.
  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The bytes from `offset` on: `count` of them, fewer where the file ends or cannot be read.
  func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let start = buffer.baseAddress {
        let got = pread(descriptor, start + filled, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        filled += got
      }
    }
  }

  /// The first bytes of the file, at most `count`.
  func head(_ count: Int) -> [UInt8] { read(at: 0, count: count) }

  /// Whether the file begins as a SQLite database does, and which journal its header names; `nil` for other files.
  var journal: Journal? {
    let header = head(100)
    guard header.count >= 100, header.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    return header[18] == 2 || header[19] == 2 ? .writeAheadLog : .rollback
  }

  /// Whether the file begins as an XML store does.
  var isXMLStore: Bool { XMLStoreDocument.begins(head(4_096)) }

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
    guard let journal = try? StoreFile(path: path + "-journal") else { return true }
    return journal.head(1).first.map { $0 != 0 } ?? false
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
