import Foundation

@testable import CoreData

extension ModelCorpus {
  /// A model of the corpus: a file, or the cache of a store.
  struct Item: Sendable {
    let path: String
    let read: @Sendable () throws -> NSManagedObjectModel
  }

  /// The XML models, in the order of `models.tsv`.
  static func xmlFiles() -> [String] { rows("models.tsv").filter { $0[4] == "xcdatamodel-xml" }.map { $0[0] } }

  /// The models that Xcode 3 saved.
  static func xcode3Files() -> [String] { rows("models.tsv").map { $0[0] }.filter { $0.hasSuffix("/elements") } }

  /// The compiled models.
  static func compiledFiles() -> [String] { rows("compiled.tsv").filter { $0[4] == "MOM" }.map { $0[0] } }

  /// The files that were damaged on their way to the corpus: line ends were rewritten.
  static func isDamaged(_ path: String) -> Bool {
    path.hasPrefix("fruitsamples+CoreRecipes/Sample Applications/") && path.hasSuffix("/elements")
  }

  /// Every model that can be read, of whatever kind.
  static func allModels() throws -> [Item] {
    let files = (xmlFiles() + xcode3Files() + compiledFiles()).filter { !isDamaged($0) }
    let caches = try stores().compactMap { store in
      store.cache.map { cache in
        Item(path: store.path + " cache") { try ModelArchiveReader.model(cache: cache) }
      }
    }
    return try files.map { path in
      let url = try url(path)
      return Item(path: path) { try NSManagedObjectModel(readingFrom: url) }
    } + caches
  }
}
