import Foundation

/// A `.momd` folder: the compiled versions of a model and `VersionInfo.plist`, which knows their hashes.
struct CompiledModelVersions {
  let folder: URL
  /// The names of the versions whose file is there, without extension, sorted.
  let names: [String]
  /// The version that new stores are made with, as the plist names it.
  let currentName: String?
  /// Entity hashes by version name, as the plist states them.
  let hashes: [String: [String: Data]]
  /// Checksums by version name; absent before 2023.
  let checksums: [String: String]

  /// Opens a folder; nil when it holds neither a compiled model nor the plist.
  ///
  /// - Throws: `ArchiveError` when the plist is there and cannot be read.
  init?(folder: URL, names: [String]) throws {
    let models = names.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(".mom".count)) }
    let hasInfo = names.contains("VersionInfo.plist")
    guard hasInfo || !models.isEmpty else { return nil }
    self.folder = folder
    self.names = models.sorted()
    var info: [String: Any] = [:]
    if hasInfo {
      let data = try RegularFile.bytes(
        at: folder.appendingPathComponent("VersionInfo.plist"), limit: RegularFile.modelLimit)
      let plist = try? PropertyListValue.read(data).foundationValue
      guard let plist = plist as? [String: Any] else { throw ArchiveError("VersionInfo.plist is damaged") }
      info = plist
    }
    currentName = info["NSManagedObjectModel_CurrentVersionName"] as? String
    hashes = info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
    checksums = info["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
  }

  /// The file of a version.
  func url(of name: String) -> URL { folder.appendingPathComponent(name + ".mom") }

  /// The version that new stores are made with; without a plist the only or first one.
  ///
  /// Nil when no version's file is there.
  var current: String? {
    if let currentName, names.contains(currentName) { return currentName }
    return names.first
  }
}
