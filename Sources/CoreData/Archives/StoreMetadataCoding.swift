import Foundation

/// A store's metadata as it stands in `Z_METADATA.Z_PLIST`: a binary property list with a dictionary at its root.
enum StoreMetadataCoding {
  /// The dictionary; numbers are `NSNumber`, the rest as `PropertyListValue.foundationValue` states.
  ///
  /// - Throws: `ArchiveError` when the bytes are damaged or hold something else.
  static func dictionary(_ bytes: [UInt8]) throws -> [String: Any] {
    guard let dictionary = try BinaryPropertyList(bytes).value().foundationValue as? [String: Any] else {
      throw ArchiveError("the metadata is no dictionary")
    }
    return dictionary
  }

  /// The bytes of a dictionary, sorted by key.
  ///
  /// - Throws: `ArchiveError` when it holds what a property list cannot.
  static func bytes(_ dictionary: [String: Any]) throws -> [UInt8] {
    guard let value = PropertyListValue(dictionary) else {
      throw ArchiveError("the metadata holds a value that is no property list")
    }
    return BinaryPropertyListWriter.bytes(value)
  }
}
