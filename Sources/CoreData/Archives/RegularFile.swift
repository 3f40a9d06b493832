import Foundation
import Glibc

/// Whole files that others made.
///
/// A pipe in a file's place would be waited for without end, a device can be read without end.
package enum RegularFile {
  /// Whether a path leads to a file: no folder, pipe or device.
  package static func exists(at url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// No model is larger; those of Apple's own apps take up to some megabytes.
  static let modelLimit = 64 << 20

  /// The bytes of a file.
  ///
  /// - Throws: An error of the Cocoa domain when there is none, when it is something else than a file, or cannot be read;
  ///   `ArchiveError` when it holds more than `limit` bytes.
  static func bytes(at url: URL, limit: Int = .max, options: Data.ReadingOptions = []) throws -> Data {
    var status = stat()
    guard stat(url.path, &status) == 0 else { throw StoreFile.cocoaError(errno, path: url.path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CocoaError(
        .fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: "it is not a file"])
    }
    guard Int(status.st_size) <= limit else { throw ArchiveError("it is too large: \(status.st_size) bytes") }
    return try Data(contentsOf: url, options: options)
  }
}
