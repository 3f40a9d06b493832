import Foundation
import Glibc

/// The files of a save's large data (reference/FORMAT.md, "Binary, external storage allowed").
///
/// A new file is whole on the disk before the transaction that names it commits; an old one goes after the commit. A failure
/// in between can leave a file that nothing names, never a name without its file.
final class ExternalDataWriter {
  /// Data of more bytes than this lies in a file of its own.
  ///
  /// The format does not say where the framework draws the line; readers take either.
  static let inlineLimit = 128 * 1_024

  private let store: NSPersistentStore
  private let limit: Int
  private var written: [URL] = []
  private var replaced: [URL] = []

  init(store: NSPersistentStore, limit: Int = ExternalDataWriter.inlineLimit) {
    (self.store, self.limit) = (store, limit)
  }

  /// A value as its column holds it; data that is too large for the column is written to a file.
  func stored(
    _ value: Any?, of attribute: NSAttributeDescription, replacing row: RowReference?, in entity: NSEntityDescription
  ) throws -> SQLiteValue {
    guard attribute.allowsExternalBinaryDataStorage else {
      return try value.map { try SQLiteValue($0, for: attribute) } ?? .null
    }
    if let row { replace(attribute, of: row, in: entity) }
    guard let data = value as? Data, data.count > limit else {
      return try value.map { try SQLiteValue($0, for: attribute) } ?? .null
    }
    return .blob([2] + Array(try write(data).utf8) + [0])
  }

  /// Notes the files of a row that will be gone.
  func remove(_ row: RowReference, of entity: NSEntityDescription) {
    for attribute in entity.layout.storedAttributes where attribute.allowsExternalBinaryDataStorage {
      replace(attribute, of: row, in: entity)
    }
  }

  private func replace(_ attribute: NSAttributeDescription, of row: RowReference, in entity: NSEntityDescription) {
    let columns = row.slab.layout.columns(of: entity)
    guard let slot = entity.layout.slot(named: attribute.name), slot < columns.count, columns[slot].value >= 0,
      let data = row.slab.data(row: row.index, column: Int(columns[slot].value)),
      let name = ExternalData.fileName(in: data), let folder = ExternalData.folder(of: store)
    else { return }
    replaced.append(folder.appendingPathComponent(name))
  }

  private func write(_ data: Data) throws -> String {
    guard let folder = ExternalData.folder(of: store) else {
      throw NSError.coreData(NSPersistentStoreSaveError, "the store has no place for large data")
    }
    let name = UUID().uuidString
    let url = folder.appendingPathComponent(name)
    do {
      if !FileManager.default.fileExists(atPath: folder.path) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for level in [
          folder.deletingLastPathComponent(), folder.deletingLastPathComponent().deletingLastPathComponent(),
        ] {
          try Self.synchronize(level)
        }
      }
      written.append(url)
      try data.write(to: url, options: .withoutOverwriting)
      try Self.synchronize(url)
    } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      throw NSError(
        domain: NSCocoaErrorDomain, code: error.code,
        userInfo: [
          NSLocalizedDescriptionKey: "large data could not be written: nothing was saved",
          NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error,
        ])
    }
    return name
  }

  /// Makes sure that the new files are on the disk, names and all.
  func finish() throws {
    if !written.isEmpty, let folder = ExternalData.folder(of: store) { try Self.synchronize(folder) }
  }

  /// The save is in the store: what it replaced can go.
  func didCommit() {
    for file in replaced { try? FileManager.default.removeItem(at: file) }
  }

  /// The save is not in the store: what it wrote can go.
  func didRollBack() {
    for file in written { try? FileManager.default.removeItem(at: file) }
  }

  /// Waits until the bytes of a file, or the names in a folder, are on the disk.
  private static func synchronize(_ url: URL) throws {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(url) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(url) }
  }

  private static func failure(_ url: URL) -> CocoaError {
    let code: CocoaError.Code = errno == ENOSPC ? .fileWriteOutOfSpace : .fileWriteUnknown
    return CocoaError(
      code, userInfo: [NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: String(cString: strerror(errno))])
  }
}
