import Foundation

/// A folder of one's own that goes away with this object.
public final class TemporaryDirectory: Sendable {
  /// The folder.
  public let url: URL

  /// Makes an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "storebrowser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// What SQLite and Core Data may put beside a store: endings of its file name.
  static let sidecars = ["", "-wal", "-shm", "-journal"]

  /// Copies a store with everything that belongs to it, keeping names; answers the copy of the main file.
  static func copyStore(at source: URL, into folder: URL) throws -> URL {
    let files = FileManager.default
    let name = source.lastPathComponent
    let parent = source.deletingLastPathComponent()
    let support = ".\(source.deletingPathExtension().lastPathComponent)_SUPPORT"
    for part in sidecars.map({ name + $0 }) + [support] {
      let from = parent.appending(path: part)
      guard files.fileExists(atPath: from.path) else { continue }
      let to = folder.appending(path: part)
      try files.copyItem(at: from, to: to)
      try files.setAttributes([.posixPermissions: part == support ? 0o755 : 0o644], ofItemAtPath: to.path)
    }
    return folder.appending(path: name)
  }
}

/// A store made for one test by the real `sqlite3` program, or copied for it; its folder goes away with it.
public final class TemporaryStore: Sendable {
  /// Where it lives.
  public let directory: TemporaryDirectory
  /// The main file.
  public let url: URL

  /// Makes a database from SQL text, written by the `sqlite3` program.
  public init(named name: String = "Test.sqlite", sql: String) throws {
    directory = try TemporaryDirectory()
    url = directory.url.appending(path: name)
    try write(sql)
  }

  /// Copies a store with everything beside it.
  public init(copying source: URL) throws {
    directory = try TemporaryDirectory()
    url = try TemporaryDirectory.copyStore(at: source, into: directory.url)
  }

  /// Runs SQL in the `sqlite3` program, as another process would, and answers what it printed.
  @discardableResult public func write(_ sql: String) throws -> String {
    let run = try ProcessRun("sqlite3", ["-batch", "-bail", "-cmd", ".timeout 10000", url.path], input: sql)
    guard run.status == 0 else { throw ProcessFailure(run: run) }
    return run.output
  }

  /// What may not change while somebody only looks: every file of the folder with its bytes, times and inode.
  public func fingerprint() throws -> [String: FileFingerprint] {
    var found: [String: FileFingerprint] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
      found[name] = try FileFingerprint(of: directory.url.appending(path: name))
    }
    return found
  }
}

/// A file as it is at one moment.
public struct FileFingerprint: Hashable, Sendable {
  /// Its bytes; none for a folder.
  public var bytes: Data?
  /// When it was last written.
  public var modified: Date?
  /// Its number on the file system.
  public var inode: Int?

  /// Reads a file.
  public init(of url: URL) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    bytes = attributes[.type] as? FileAttributeType == .typeDirectory ? nil : try Data(contentsOf: url)
    modified = attributes[.modificationDate] as? Date
    inode = attributes[.systemFileNumber] as? Int
  }
}
