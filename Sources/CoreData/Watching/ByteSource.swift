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

  init(_ status: stat) {
    (device, node) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
