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

  /// Finds the model of a store: the one given, the one in the store's cache, a model file beside the store whose hashes
  /// are the store's, or what the tables show.
  ///
  /// Nothing of the store is changed; a locked file is waited for `timeout` seconds, 5 unless given.
  ///
  /// Throws an error of the Cocoa domain: a file error when the store cannot be read, 134130 when there are not even
  /// entities, 134100 when the model given is another one in all its versions; the text names what differs from the nearest.
  ///
  /// `others` are model files elsewhere, such as those of the app that the store belongs to; they come last.
  public init(forStoreAt url: URL, given: URL? = nil, among others: [URL] = [], timeout: Double? = nil) throws {
    let contents = try StoreContents(reading: url, timeout: timeout)
    if given == nil, let plain = contents.plain {
      (model, source) = (PlainLayout(plain).makeModel(), .inferred)
    } else if let given {
      let located = try Self.model(at: given, for: contents)
      (model, source) = (located.model, .given(located.url))
    } else if !contents.modelCache.isEmpty, let model = try? ModelArchiveReader.model(cache: contents.modelCache) {
      (self.model, source) = (model, .cache)
    } else if let (model, file) = Self.modelBeside(url, others, contents) {
      (self.model, source) = (model, .beside(file))
    } else if try StoreFile(path: url.path).isXMLStore {
      (model, source) = (XMLStoreModel.model(of: try XMLStoreDocument(reading: url)), .inferred)
    } else {
      (model, source) = (try Self.inferred(url, timeout: timeout), .inferred)
    }
  }

  /// The model that the tables show.
  ///
  /// Throws when the store has no entities at all, and an error of the Cocoa domain when it cannot be read.
  private static func inferred(_ url: URL, timeout: Double?) throws -> NSManagedObjectModel {
    let model = try ModelInference(reading: url, timeout: timeout).model
    guard model.entities.isEmpty else { return model }
    throw NSError.coreData(
      NSMigrationMissingSourceModelError,
      "it carries no model and no entities, and no model file beside it has its version hashes: pass one with --model",
      path: url.path)
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
      if let located = try? model(at: file, for: contents), maySuit(located.model, contents) {
        return (located.model, located.url)
      }
    }
    return nil
  }

  /// Whether a model that nobody named can be the store's: without hashes to compare it has at least the store's entities.
  private static func maySuit(_ model: NSManagedObjectModel, _ contents: StoreContents) -> Bool {
    guard contents.versionHashes == nil else { return true }
    let names = model.entitiesByName
    return contents.entities.allSatisfy { $0.number >= ModelInference.firstOwnNumber || names[$0.name] != nil }
  }

  /// The version at a place whose hashes are the store's, the current one for a store without hashes.
  private static func model(at url: URL, for contents: StoreContents) throws -> LocatedModel {
    let hashes = contents.versionHashes
    if let hashes, let match = try NSManagedObjectModel.model(at: url, matching: hashes) { return match }
    let models = try NSManagedObjectModel.models(at: url)
    guard let hashes else { return models[0] }
    // Told is what keeps the nearest version from serving.
    let storeModel = try? ModelArchiveReader.model(cache: contents.modelCache)
    let mismatches = models.compactMap { ModelMismatch($0.model, storeHashes: hashes, storeModel: storeModel) }
    let nearest = mismatches.min { $0.entities.count < $1.entities.count }
    throw NSError.coreData(
      NSPersistentStoreIncompatibleVersionHashError,
      "the store was made with another version of this model; these entities differ: \(nearest?.summary ?? "")",
      path: url.path)
  }
}
