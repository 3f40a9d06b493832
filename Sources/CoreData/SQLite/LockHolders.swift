import Foundation
import Glibc

/// The processes that hold a lock on a store, as `/proc/locks` tells them.
enum LockHolders {
  /// `sqlite3 (process 4711)` for each process but this one that has locked a store or a file beside it for writing, else for
  /// reading; empty where none can be seen.
  static func words(for path: String) -> [String] {
    let nodes = Set(["", "-shm", "-journal", "-wal"].compactMap { FileIdentity(path: path + $0)?.node })
    let found = locks().filter { nodes.contains($0.node) && $0.process != getpid() && $0.process > 0 }
    let writers = found.filter(\.isWriting)
    var seen: Set<pid_t> = []
    return (writers.isEmpty ? found : writers).filter { seen.insert($0.process).inserted }.map { lock in
      "\(name(of: lock.process)) (process \(lock.process))"
    }
  }

  private struct Lock {
    let process: pid_t
    let node: UInt64
    let isWriting: Bool
  }

  /// Lines such as `1: POSIX  ADVISORY  WRITE 4711 fe:00:5350969 1073741824 1073742335`.
  private static func locks() -> [Lock] {
    let text = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      // A process that waits has an arrow before the kind.
      guard words.count >= 8, words[1] != "->", let process = pid_t(words[4]),
        let node = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { return nil }
      return Lock(process: process, node: node, isWriting: words[3] == "WRITE")
    }
  }

  /// The program's name; what it is called is its own choice, so that it is made harmless.
  private static func name(of process: pid_t) -> String {
    let text = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
    let name = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && !(0x80..<0xA0).contains($0.value) }
    return name.isEmpty ? "another program" : String(String.UnicodeScalarView(name))
  }
}
