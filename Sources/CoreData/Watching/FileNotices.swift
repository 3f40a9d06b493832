import Glibc

/// The kernel's notices of changes to a store's files (inotify).
///
/// The main file, `-wal` and `-journal` are watched for writes; their directory is watched for their coming and going,
/// which a watch on a file does not tell. Not for use by two threads at once.
final class FileNotices {
  /// Readable when there are notices.
  let descriptor: Int32
  private let files: [String]
  private let names: Set<String>
  private let directory: String
  private var directoryWatch: Int32 = -1

  /// Watches the store at `path`, which is absolute and free of links; nil where the kernel gives no more watches.
  init?(path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    files = ["", "-wal", "-journal"].map { path + $0 }
    let cut = path.lastIndex(of: "/") ?? path.startIndex
    directory = cut == path.startIndex ? "/" : String(path[..<cut])
    names = Set(files.map { String($0[$0.index(after: cut)...]) })
    guard watch() else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Watches what there is now; false when the directory cannot be watched.
  ///
  /// Files that are watched already stay so.
  @discardableResult
  private func watch() -> Bool {
    let comingAndGoing = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    directoryWatch = inotify_add_watch(descriptor, directory, UInt32(comingAndGoing))
    // A changed link count tells of a main file that is unlinked. Of the journals it is not asked: SQLite run by root
    // sets their owner whenever it looks at them, and the notice of that would make us look again without end.
    for file in files {
      _ = inotify_add_watch(descriptor, file, UInt32(file == files[0] ? IN_MODIFY | IN_ATTRIB : IN_MODIFY))
    }
    return directoryWatch >= 0
  }

  /// Takes all notices there are; true when one of them concerns the store.
  func drain() -> Bool {
    var (concerns, moved) = (false, false)
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var at = 0
        while at + 16 <= count {
          let watch = buffer.loadUnaligned(fromByteOffset: at, as: Int32.self)
          let mask = Int32(truncatingIfNeeded: buffer.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
          let length = Int(buffer.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
          let name = UnsafeRawBufferPointer(rebasing: buffer[at + 16..<min(at + 16 + length, count)])
          at += 16 + length
          let isNamed = names.contains(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
          // Other files come and go in the directory; they are nobody's business.
          guard watch != directoryWatch || length == 0 || isNamed else { continue }
          concerns = true
          if mask & ~IN_MODIFY != 0 { moved = true }
        }
      }
    }
    if moved { watch() }
    return concerns
  }
}
