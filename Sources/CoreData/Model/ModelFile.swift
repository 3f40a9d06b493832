import Foundation

/// Finds out what kind of model a file holds and reads it.
///
/// Known are keyed archives (`.mom`, an inflated `Z_MODELCACHE`, the `elements` of Xcode 3) and the XML of an
/// `.xcdatamodel`. A file is told by its content; its name says nothing.
enum ModelFile {
  /// Fills an empty model from a file or folder; of several versions the current one.
  ///
  /// - Throws: A Cocoa error that names the file: no such file or corrupt file.
  static func read(_ url: URL, into model: NSManagedObjectModel) throws {
    try named(url) { try read(file: ModelVersions(at: url).current.file, into: model) }
  }

  /// Fills an empty model from the bytes of a file.
  ///
  /// - Throws: `ArchiveError` when they hold no model, or a damaged one.
  static func read(_ data: Data, into model: NSManagedObjectModel) throws {
    guard data.starts(with: BinaryPropertyList.magic) else {
      if data.starts(with: optimisedMagic) { throw ArchiveError.optimised }
      return try ModelXMLReader(data).read(into: model)
    }
    let archive = try KeyedArchive(data)
    if let root = archive.root, Xcode3ModelReader.isModel(root) {
      try Xcode3ModelReader(root: root).read(into: model)
    } else {
      var reader = try ModelArchiveReader(archive)
      try reader.read(into: model)
    }
  }

  /// Runs the reading of what lies at a place and makes errors name it.
  ///
  /// - Throws: A Cocoa error.
  static func named<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ArchiveError {
      throw CocoaError(
        .fileReadCorruptFile,
        userInfo: [
          NSLocalizedDescriptionKey: "The model “\(url.lastPathComponent)” could not be read: \(error).",
          NSFilePathErrorKey: url.path,
        ])
    }
  }

  /// Reads one file; beside an optimised file lies the `.mom` of the same version.
  static func read(file: URL, into model: NSManagedObjectModel) throws {
    var data = try RegularFile.bytes(at: file, limit: RegularFile.modelLimit)
    let compiled = file.deletingPathExtension().appendingPathExtension("mom")
    if data.starts(with: optimisedMagic), FileManager.default.fileExists(atPath: compiled.path) {
      data = try RegularFile.bytes(at: compiled, limit: RegularFile.modelLimit)
    }
    try read(data, into: model)
  }

  private static let optimisedMagic = Array("momv2$".utf8)
}

extension NSManagedObjectModel {
  /// The model at a place; nil when it cannot be read.
  ///
  /// Reads `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel` and what they hold; of several versions the current one.
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
