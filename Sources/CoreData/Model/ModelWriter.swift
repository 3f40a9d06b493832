import Foundation

/// Puts models into files and folders, in the forms that Apple's tools read.
///
/// Nothing that exists is replaced, and what is written appears under its name whole or not at all.
package enum ModelWriter {
  /// A version of a model and its name, without extension.
  package typealias Version = (name: String, model: NSManagedObjectModel)

  /// Writes a `.mom` file.
  ///
  /// - Throws: A Cocoa error; a file that exists is one. `NSFeatureUnsupportedError` names what cannot be archived.
  package static func writeCompiled(_ model: NSManagedObjectModel, to url: URL) throws {
    try create(url) { try Data(archive(model, url)).write(to: $0) }
  }

  /// Writes a `.momd` folder with the versions and `VersionInfo.plist`: current version, entity hashes, checksums.
  ///
  /// - Precondition: `current` is the name of one of the versions.
  /// - Throws: As `writeCompiled(_:to:)` does.
  package static func writeCompiled(_ versions: [Version], current: String, to url: URL) throws {
    precondition(versions.contains { $0.name == current }, "The current version is none of those written.")
    try create(url) { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, model) in versions {
        try Data(archive(model, url)).write(to: folder.appendingPathComponent(name + ".mom"))
      }
      let hashes = versions.map { ($0.name, $0.model.entityVersionHashesByName) }
      let info: [String: Any] = [
        "NSManagedObjectModel_CurrentVersionName": current,
        "NSManagedObjectModel_VersionHashes": Dictionary(hashes, uniquingKeysWith: { first, _ in first }),
        "NSManagedObjectModel_VersionChecksums": Dictionary(
          hashes.map { ($0, VersionHash.checksum($1)) }, uniquingKeysWith: { first, _ in first }),
      ]
      try Data(try StoreMetadataCoding.bytes(info)).write(to: folder.appendingPathComponent("VersionInfo.plist"))
    }
  }

  /// Writes an `.xcdatamodel` folder with its `contents`; answers what XML has no place for, one line each.
  ///
  /// - Throws: As `writeCompiled(_:to:)` does.
  @discardableResult
  package static func writeSource(_ model: NSManagedObjectModel, to url: URL) throws -> [String] {
    let document = try source(of: model)
    try create(url) { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(document.text.utf8).write(to: folder.appendingPathComponent("contents"))
    }
    return document.losses
  }

  /// The `contents` of an `.xcdatamodel` as text, and what XML has no place for, one line each.
  ///
  /// - Throws: A Cocoa error when a name cannot be written.
  package static func source(of model: NSManagedObjectModel) throws -> (text: String, losses: [String]) {
    do {
      let document = try ModelXMLWriter.document(of: model)
      return (document.text, document.losses.map(\.description))
    } catch let error as ArchiveError {
      throw unsupported("the model cannot be written as XML: \(error)", path: nil)
    }
  }

  private static func archive(_ model: NSManagedObjectModel, _ url: URL) throws -> [UInt8] {
    do {
      return try ModelArchiveWriter.bytes(model, layout: .compiled)
    } catch let error as ArchiveError {
      throw unsupported("the model cannot be archived: \(error)", path: url.path)
    }
  }

  private static func unsupported(_ text: String, path: String?) -> CocoaError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    info[NSFilePathErrorKey] = path
    return CocoaError(.featureUnsupported, userInfo: info)
  }

  /// Lets `write` make something beside a place, and moves it there.
  private static func create(_ url: URL, _ write: (URL) throws -> Void) throws {
    let files = FileManager.default
    guard !files.fileExists(atPath: url.path) else {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: url.path])
    }
    let draft = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      try write(draft)
      try files.moveItem(at: draft, to: url)
    } catch {
      try? files.removeItem(at: draft)
      throw error
    }
  }
}
