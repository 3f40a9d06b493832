import Foundation

/// Why bytes from outside could not be read as a property list, an archive, a compressed stream or a model.
///
/// The readers of this folder throw nothing else, whatever the bytes are.
struct ArchiveError: Error, Equatable, CustomStringConvertible, LocalizedError {
  /// One clause without a full stop, such as "the property list is cut short".
  let description: String

  /// The same clause, for `NSError`.
  var errorDescription: String? { description }

  init(_ description: String) {
    self.description = description
  }
}
