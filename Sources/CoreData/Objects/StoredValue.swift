import Foundation

/// Reading one slot of a row: the value's type is the attribute's, whatever storage class the cell has
/// (reference/FORMAT.md "Values"; reference/ODDITIES.md 13 and 14).
struct StoredValue {
  let slab: RowSlab
  let row: Int
  let column: Int

  var isNull: Bool { slab.tag(row: row, column: column) == .null }
  var integer: Int64? { slab.integer(row: row, column: column) }
  var real: Double? { slab.real(row: row, column: column) }
  var text: String? { slab.text(row: row, column: column) }
  var data: Data? { slab.data(row: row, column: column) }

  /// Sixteen bytes, also where an edit by hand gave them the storage class of text; else a UUID written out.
  var uuid: UUID? {
    let tag = slab.tag(row: row, column: column)
    guard tag == .blob || tag == .text else { return nil }
    return slab.withBytes(row: row, column: column) { bytes in
      bytes.count == 16
        ? UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self))
        : UUID(uuidString: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The decimal that the shortest notation of the stored number says.
  var decimal: NSDecimalNumber? {
    switch slab.tag(row: row, column: column) {
    case .integer: integer.map { NSDecimalNumber(value: $0) }
    case .real: real.map { $0.isFinite ? NSDecimalNumber(string: String($0)) : NSDecimalNumber.notANumber }
    case .text: text.map { NSDecimalNumber(string: $0) }
    default: nil
    }
  }

  /// The value as key-value coding gives it: numbers as `NSNumber`, the others as Foundation's values; `nil` for none, or
  /// where the cell holds nothing that the type can be read from.
  func object(
    of attribute: NSAttributeDescription, type: NSAttributeType, in store: @autoclosure () -> NSPersistentStore?
  ) -> Any? {
    if isNull { return nil }
    let tag = slab.tag(row: row, column: column)
    let type =
      attribute.holdsAnyClass ? type.type(ofStored: tag, isZeroOrOne: (0...1).contains(integer ?? -1)) : type
    switch type {
    case .decimalAttributeType where attribute.holdsAnyClass && decimal == NSDecimalNumber.notANumber:
      return real.map { NSNumber(value: $0) }
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return integer.map { NSNumber(value: $0) }
    case .booleanAttributeType: return integer.map { NSNumber(value: $0 != 0) }
    case .doubleAttributeType: return real.map { NSNumber(value: $0) }
    case .floatAttributeType: return real.map { NSNumber(value: Float($0)) }
    case .decimalAttributeType: return decimal
    case .stringAttributeType: return text
    case .URIAttributeType: return text.flatMap(URL.init(string:))
    case .dateAttributeType: return real.map { Date(timeIntervalSinceReferenceDate: $0) }
    case .UUIDAttributeType: return uuid
    case .binaryDataAttributeType where attribute.allowsExternalBinaryDataStorage:
      return data.flatMap { ExternalData.content(of: $0, in: store()) }
    default: return data
    }
  }
}

/// Binary data that may lie outside the store: a tag byte tells (reference/FORMAT.md, "Binary, external storage allowed").
enum ExternalData {
  /// The content: inline after a 1, or in the file that a 2 and its name point to; `nil` when that file is not there.
  static func content(of stored: Data, in store: NSPersistentStore?) -> Data? {
    if stored.first == 1 { return Data(stored.dropFirst()) }
    guard let name = fileName(in: stored) else { return stored }
    guard let folder = folder(of: store) else { return nil }
    return try? RegularFile.bytes(at: folder.appendingPathComponent(name), options: .mappedIfSafe)
  }

  /// The name of the file that a value points to; `nil` when the value is kept inline.
  static func fileName(in stored: some Collection<UInt8>) -> String? {
    guard stored.count == 38, stored.first == 2 else { return nil }
    return UUID(uuidString: String(decoding: stored.dropFirst().prefix(36), as: UTF8.self))?.uuidString
  }

  /// `.<name>_SUPPORT/_EXTERNAL_DATA` beside the store.
  static func folder(of store: NSPersistentStore?) -> URL? {
    folder(ofStoreAt: (store as? SQLiteStore)?.fileURL ?? store?.url)
  }

  /// The same for a store that need not be open.
  static func folder(ofStoreAt url: URL?) -> URL? {
    guard let url else { return nil }
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }
}
