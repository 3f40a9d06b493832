import Foundation

/// Finds out what kind of model lies at a place and reads it.
///
/// Known are `.xcdatamodeld`, `.xcdatamodel` and its `contents`, `.momd` and `.mom`; files are told by their content,
/// folders by what they hold.
enum ModelFile {
  /// Fills an empty model from a file or folder.
  ///
  /// - Throws: A Cocoa error that names the file: no such file, corrupt file, or an unsupported kind.
  static func read(_ url: URL, into model: NSManagedObjectModel) throws {
    do {
      let file = try modelFile(at: url)
      let data = try Data(contentsOf: file)
      let bytes = [UInt8](data)
      if bytes.starts(with: BinaryPropertyList.magic) {
        var reader = try ModelArchiveReader(bytes)
        try reader.read(into: model)
      } else if bytes.starts(with: Array("momv2$".utf8)) {
        throw ArchiveError("it is an optimised .omo file; the .mom beside it can be read")
      } else {
        try ModelXMLReader(data).read(into: model)
      }
    } catch let error as ArchiveError {
      throw CocoaError(
        .fileReadCorruptFile,
        userInfo: [
          NSLocalizedDescriptionKey: "The model “\(url.lastPathComponent)” could not be read: \(error).",
          NSFilePathErrorKey: url.path,
        ])
    }
  }

  /// Descends from a folder to the file that holds the model.
  private static func modelFile(at url: URL) throws -> URL {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
    guard isFolder.boolValue else { return url }
    let contents = url.appendingPathComponent("contents")
    if FileManager.default.fileExists(atPath: contents.path) { return contents }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    if names.contains("elements") { throw ArchiveError("models of Xcode 3 are not supported") }
    if let compiled = try CompiledModelVersions(folder: url, names: names)?.current { return compiled }
    if let current = try currentVersion(in: url, names: names) { return try modelFile(at: current) }
    throw ArchiveError("the folder holds no model")
  }

  /// The version that `.xccurrentversion` names, else the only one, else the first by name.
  private static func currentVersion(in folder: URL, names: [String]) throws -> URL? {
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    let marker = folder.appendingPathComponent(".xccurrentversion")
    if let data = try? Data(contentsOf: marker),
      let plist = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let name = plist["_XCCurrentVersionName"] as? String, versions.contains(name)
    {
      return folder.appendingPathComponent(name)
    }
    return versions.first.map { folder.appendingPathComponent($0) }
  }
}

extension NSManagedObjectModel {
  /// The model at a place; nil when it cannot be read.
  ///
  /// Reads `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel` and `contents`; of several versions the current one.
  public convenience init?(contentsOf url: URL) {
    self.init()
    guard (try? ModelFile.read(url, into: self)) != nil else { return nil }
  }

  /// The model at a place.
  ///
  /// Reads what `init(contentsOf:)` reads, and says what is wrong.
  ///
  /// - Throws: A Cocoa error that names the file: no such file or corrupt file.
  public convenience init(readingFrom url: URL) throws {
    self.init()
    try ModelFile.read(url, into: self)
  }
}
