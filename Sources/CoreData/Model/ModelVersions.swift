import Foundation

/// The versions of a model that lie at a place.
///
/// A place is a file, or a folder: `.momd`, `.xcdatamodeld`, `.xcdatamodel`, or any folder that holds the same as one of
/// these. Files are told by their content, folders by what they hold, never by their names.
struct ModelVersions {
  /// One version.
  struct Version: Sendable {
    /// The version's name, without extension.
    let name: String
    /// The file that holds it.
    let file: URL
    /// The entity hashes that `VersionInfo.plist` records for it; nil where nothing is recorded.
    let recordedHashes: [String: Data]?
  }

  /// The versions, the current one first, the others by name; never empty.
  let all: [Version]
  /// Whether the place is a folder that can hold several.
  let isBundle: Bool

  /// The version that new stores are made with.
  var current: Version { all[0] }

  /// Looks what lies at a place.
  ///
  /// - Throws: `CocoaError.fileReadNoSuchFile`, or `ArchiveError` when it holds no model.
  init(at url: URL) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
    isBundle = isFolder.boolValue && !Self.isSource(url)
    guard isFolder.boolValue else {
      all = [Version(name: Self.stem(url), file: url, recordedHashes: nil)]
      return
    }
    all = try Self.versions(inFolder: url)
    if all.isEmpty { throw ArchiveError("the folder holds no model") }
  }

  private static func versions(inFolder url: URL) throws -> [Version] {
    if let file = source(in: url) { return [Version(name: stem(url), file: file, recordedHashes: nil)] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    if let compiled = try CompiledModelVersions(folder: url, names: names), let current = compiled.current {
      return order(compiled.names, current: current).map { name in
        Version(name: name, file: compiled.url(of: name), recordedHashes: compiled.hashes[name])
      }
    }
    if names.contains(where: { $0.hasSuffix(".omo") }) { throw ArchiveError.optimised }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    return order(versions, current: currentSource(in: url) ?? "").compactMap { name in
      let folder = url.appendingPathComponent(name)
      return source(in: folder).map { Version(name: stem(folder), file: $0, recordedHashes: nil) }
    }
  }

  private static func order(_ names: [String], current: String) -> [String] {
    names.filter { $0 == current } + names.filter { $0 != current }
  }

  /// The name that `.xccurrentversion` states.
  private static func currentSource(in folder: URL) -> String? {
    guard
      let data = try? RegularFile.bytes(
        at: folder.appendingPathComponent(".xccurrentversion"), limit: RegularFile.modelLimit),
      let plist = try? PropertyListValue.read(data).foundationValue as? [String: Any]
    else { return nil }
    return plist["_XCCurrentVersionName"] as? String
  }

  /// The file of an `.xcdatamodel`: `contents` of Xcode 4 and later, else `elements` of Xcode 3.
  private static func source(in folder: URL) -> URL? {
    ["contents", "elements"].map { folder.appendingPathComponent($0) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  private static func isSource(_ url: URL) -> Bool { source(in: url) != nil }

  private static func stem(_ url: URL) -> String { url.deletingPathExtension().lastPathComponent }
}

extension ArchiveError {
  /// An `.omo` file, or a folder of nothing else.
  static let optimised = ArchiveError(
    "it is in the optimised .omo form, which only Apple's framework reads; pass the .mom or .xcdatamodeld of the model")
}
