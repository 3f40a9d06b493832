import Foundation

/// The model that serves a store, and where it was found (DESIGN.md, "Rules of the store").
public struct StoreModel: Sendable {
  /// Where a model came from.
  public enum Source: Sendable, Hashable {
    /// The file that was asked for.
    case given(URL)
    /// The store's own model cache.
    case cache
    /// A model file beside the store.
    case beside(URL)
    /// Made from what the store itself shows: its tables and columns, or the names in an XML store.
    case inferred
  }

  /// The model.
  public let model: NSManagedObjectModel
  /// Where it came from.
  public let source: Source

  /// Finds the model of a store: the one given, the one in the store's cache, or a model file beside the store whose
  /// hashes are the store's.
  ///
  /// Nothing of the store is changed; a locked file is waited for `timeout` seconds, 5 unless given.
  ///
  /// Throws an error of the Cocoa domain: a file error when the store cannot be read, 134130 when no model is found, 134100
  /// when the model given is another one; the text names the entities that differ.
  ///
  /// `others` are model files elsewhere, such as those of the app that the store belongs to; they come last.
  public init(forStoreAt url: URL, given: URL? = nil, among others: [URL] = [], timeout: Double? = nil) throws {
    let contents = try StoreContents(reading: url, timeout: timeout)
    if given == nil, let plain = contents.plain {
      (model, source) = (PlainLayout(plain).makeModel(), .inferred)
    } else if let given {
      let model = try NSManagedObjectModel(readingFrom: given)
      try Self.check(model, against: contents, path: given.path)
      (self.model, source) = (model, .given(given))
    } else if !contents.modelCache.isEmpty, let model = try? ModelArchiveReader.model(cache: contents.modelCache) {
      (self.model, source) = (model, .cache)
    } else if let (model, file) = Self.modelBeside(url, others, contents) {
      (self.model, source) = (model, .beside(file))
    } else if try StoreFile(path: url.path).isXMLStore {
      (model, source) = (XMLStoreModel.model(of: try XMLStoreDocument(reading: url)), .inferred)
    } else {
      let why = contents.modelCache.isEmpty ? "it carries no model" : "the model it carries cannot be read"
      throw NSError.coreData(
        NSMigrationMissingSourceModelError,
        "\(why), and no model file beside it has its version hashes: pass one with --model",
        path: url.path)
    }
  }

  private static func modelBeside(
    _ url: URL, _ others: [URL], _ contents: StoreContents
  ) -> (NSManagedObjectModel, URL)? {
    let base = url.deletingPathExtension().lastPathComponent
    let extensions = ["xcdatamodeld", "momd", "xcdatamodel", "mom"]
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: url.deletingLastPathComponent(), includingPropertiesForKeys: nil)) ?? []
    let models = files.filter { extensions.contains($0.pathExtension) }
      .sorted {
        ($0.deletingPathExtension().lastPathComponent == base ? 0 : 1, $0.path) < (
          $1.deletingPathExtension().lastPathComponent == base ? 0 : 1, $1.path
        )
      }
    for file in models + others {
      guard let model = try? NSManagedObjectModel(readingFrom: file) else { continue }
      if differing(model, from: contents).isEmpty { return (model, file) }
    }
    return nil
  }

  private static func check(_ model: NSManagedObjectModel, against contents: StoreContents, path: String) throws {
    let entities = differing(model, from: contents)
    guard entities.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        "the store was made with another version of this model; these entities differ: \(entities.joined(separator: ", "))",
        path: path)
    }
  }

  /// The names of the entities whose hashes differ, or that only one side has; none for a store without hashes.
  private static func differing(_ model: NSManagedObjectModel, from contents: StoreContents) -> [String] {
    guard case .dictionary(let entries)? = contents.metadata[NSStoreModelVersionHashesKey] else { return [] }
    let stored = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let computed = VersionHash.entities(of: model).mapValues { PropertyListValue.data($0) }
    return Set(stored.keys).union(computed.keys).filter { stored[$0] != computed[$0] }.sorted()
  }
}
