import Glibc

/// Standard output or standard error, written through a buffer; one thread writes at a time.
final class OutputFile {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Adds text; it leaves in large pieces.
  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { flush() }
  }

  /// Writes out what is buffered.
  ///
  /// A reader that went away ends the program, as it does other tools.
  func flush() {
    var start = 0
    while start < buffer.count {
      let written = buffer.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if written > 0 {
        start += written
      } else if errno != EINTR {
        if errno == EPIPE { exit(0) }
        let line =
          "storebrowser: the output cannot be written (\(String(cString: strerror(errno)))): check where it goes\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        exit(1)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
