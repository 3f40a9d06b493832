import Foundation

/// A model with the place where it was found.
package struct LocatedModel: Sendable {
  /// The model, which can still be edited.
  package let model: NSManagedObjectModel
  /// The version's name, without extension.
  package let version: String
  /// The version's folder or file where several lie at the place, else the place itself.
  package let url: URL
}

extension NSManagedObjectModel {
  /// The models at a place: one for a file, one a version for a folder of versions; the current one first, then by name.
  ///
  /// Versions that cannot be read are left out as long as another can.
  ///
  /// - Throws: A Cocoa error that names the file: no such file, or a corrupt one when no version can be read.
  package static func models(at url: URL) throws -> [LocatedModel] {
    try ModelFile.named(url) {
      let versions = try ModelVersions(at: url)
      var models: [LocatedModel] = []
      var failure: (any Error)?
      for version in versions.all {
        do {
          models.append(try read(version, of: versions, at: url))
        } catch {
          failure = failure ?? error
        }
      }
      if models.isEmpty, let failure { throw failure }
      return models
    }
  }

  /// The version at a place whose entity hashes are a store's; nil when none has them.
  ///
  /// Versions that `VersionInfo.plist` records with these hashes are tried first; hashes are always computed.
  ///
  /// - Throws: As `models(at:)` does.
  package static func model(at url: URL, matching hashes: [String: Data]) throws -> LocatedModel? {
    let recorded = try ModelFile.named(url) { () -> LocatedModel? in
      let versions = try ModelVersions(at: url)
      return versions.all.filter { $0.recordedHashes == hashes }.lazy
        .compactMap { try? read($0, of: versions, at: url) }
        .first { $0.model.entityVersionHashesByName == hashes }
    }
    return try recorded ?? models(at: url).first { $0.model.entityVersionHashesByName == hashes }
  }

  private static func read(
    _ version: ModelVersions.Version, of versions: ModelVersions, at url: URL
  ) throws -> LocatedModel {
    let model = NSManagedObjectModel()
    try ModelFile.read(file: version.file, into: model)
    // The file of a source version has the same name in every version; its folder tells more.
    let isSource = ["contents", "elements"].contains(version.file.lastPathComponent)
    let place = isSource ? version.file.deletingLastPathComponent() : version.file
    return LocatedModel(model: model, version: version.name, url: versions.isBundle ? place : url)
  }
}
