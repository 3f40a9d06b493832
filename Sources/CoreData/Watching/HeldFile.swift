import Glibc

/// Bytes that are read by position: a file, or an array in a test.
protocol ByteSource: Sendable {
  /// The bytes from `offset` on: `count` of them, fewer where the source ends, none where it cannot be read.
  func read(at offset: Int, count: Int) -> [UInt8]
  /// The number of bytes there are now.
  var size: Int { get }
}

/// Which file a path names: equal for two names of one file, different once a file was replaced.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let node: UInt64

  /// The file at `path`, links followed; nil where there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// A file of a store held open for reading.
///
/// Closing any descriptor of the main file or of `-shm` drops every POSIX lock that SQLite holds on it in this
/// process. So whoever reads a store beside a connection keeps its `HeldFile`s until after that connection is closed.
final class HeldFile: ByteSource {
  /// The path it was opened by.
  let path: String
  /// The file that was opened, whatever the path names later.
  let identity: FileIdentity
  private let descriptor: Int32

  /// Opens `path` for reading, or returns nil; `errno` then tells why.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      return nil
    }
    (self.path, identity) = (path, FileIdentity(status))
  }

  deinit { close(descriptor) }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

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
}
