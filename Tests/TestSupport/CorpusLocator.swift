import Foundation
import Testing

/// The checkout that the tests were compiled from.
public enum Checkout {
  /// The package's root folder.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Real stores and models made by Apple's frameworks, kept beside the checkout and never part of it.
///
/// The folder is read-only for tests: copy a store with ``CorpusStore/copy(into:)`` before anything opens it for writing.
public struct Corpus: Sendable {
  /// The corpus, or `nil` where it is not there.
  ///
  /// The environment's `STOREBROWSER_CORPUS` names another place than the usual one, `../shared/corpus`.
  public static let found: Corpus? = {
    let environment = ProcessInfo.processInfo.environment
    let root =
      environment["STOREBROWSER_CORPUS"].map { URL(filePath: $0) }
      ?? Checkout.root.deletingLastPathComponent().appending(path: "shared/corpus")
    return try? Corpus(root: root)
  }()

  /// How many stores the corpus holds, known also where it is absent, so that a suite can say what it left out.
  public static let storeCount = 47
  /// How many of them carry a model in `Z_MODELCACHE`.
  public static let modelCacheCount = 34

  /// The folder.
  public let root: URL
  /// Its stores, in the order of `stores.tsv`.
  public let stores: [CorpusStore]

  /// Reads the list of stores; throws when there is none or it is not the list that is expected.
  public init(root: URL) throws {
    let table = try String(contentsOf: root.appending(path: "stores.tsv"), encoding: .utf8)
    var rows = table.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let header = rows.isEmpty ? [] : rows.removeFirst()
    guard let path = header.firstIndex(of: "local_file"), let cache = header.firstIndex(of: "Z_MODELCACHE") else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.root = root
    stores = rows.map { row in
      CorpusStore(
        path: String(row[path]), url: root.appending(path: String(row[path])),
        hasModelCache: row[cache].hasPrefix("nonempty"))
    }
  }

  /// The stores with a model cache, or none where the corpus is absent.
  public static var storesWithModelCache: [CorpusStore] { found?.stores.filter(\.hasModelCache) ?? [] }

  /// The one store whose path ends so; throws when there is none or more than one.
  public func store(_ suffix: String) throws -> CorpusStore {
    let matches = stores.filter { $0.path.hasSuffix(suffix) }
    guard let match = matches.first, matches.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    return match
  }
}

/// One store of the corpus.
public struct CorpusStore: Sendable, CustomTestStringConvertible {
  /// The path below the corpus.
  public let path: String
  /// The file.
  public let url: URL
  /// Whether a model can be read from the file itself.
  public let hasModelCache: Bool

  /// The path, for the report of a parameterised test.
  public var testDescription: String { path }

  /// Copies the store with its `-wal`, `-shm`, `-journal` and external data into a folder, and answers the copy.
  public func copy(into directory: TemporaryDirectory) throws -> URL {
    try TemporaryDirectory.copyStore(at: url, into: directory.url)
  }
}
