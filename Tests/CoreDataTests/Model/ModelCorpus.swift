import CSQLite
import Foundation

@testable import CoreData

/// The stores and models that Apple's frameworks made, beside the package; empty on a machine without them.
enum ModelCorpus {
  /// The folder, nil when it is absent.
  static let folder: URL? = {
    // Tests/CoreDataTests/Model/ModelCorpus.swift → package → its parent.
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared/corpus", isDirectory: true)
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The rows of one of the corpus' tables, header left out; says so when the corpus is absent.
  static func rows(_ table: String) -> [[String]] {
    guard let folder, let text = try? String(contentsOf: folder.appendingPathComponent(table), encoding: .utf8) else {
      print("corpus absent: the cases of \(table) are left out")
      return []
    }
    return text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A file of the corpus.
  static func url(_ path: String) throws -> URL {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return folder.appendingPathComponent(path)
  }

  /// A store's path in the corpus, its cache, its metadata, and the models that match it exactly.
  struct Store: Sendable {
    var path: String
    var cache: [UInt8]?
    var metadata: [UInt8]?
    var exactModels: [String]
  }

  /// All stores, in the order of `stores.tsv`; read once.
  static func stores() throws -> [Store] { try readStores.get() }

  private static let readStores = Result { try readAll() }

  private static func readAll() throws -> [Store] {
    try rows("stores.tsv").map { row in
      let copy = try TemporaryCopy(of: try url(row[0]))
      let exact = row[17].split(separator: ";").filter { $0.contains("[exact-vs-") }
      return Store(
        path: row[0],
        cache: try copy.blob("SELECT Z_CONTENT FROM Z_MODELCACHE"),
        metadata: try copy.blob("SELECT Z_PLIST FROM Z_METADATA"),
        exactModels: exact.map { entry in
          let path = entry.drop { $0 != ":" }.dropFirst()
          return path.components(separatedBy: " [exact-vs-")[0]
        })
    }
  }
}

/// A copy of a store with its journal, gone with the object.
private final class TemporaryCopy {
  private let folder: URL
  private let file: URL

  init(of store: URL) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("store")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: file.path + suffix)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The first column of the first row; nil for no table, no row, or null.
  func blob(_ query: String) throws -> [UInt8]? {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK else { throw CocoaError(.fileReadCorruptFile) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else { return nil }
    guard sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0) else { return nil }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, 0))))
  }
}
