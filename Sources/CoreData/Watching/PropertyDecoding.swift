import Foundation

extension WatchedTable.Reader {
  /// The columns that the property is read from.
  var columns: [Int] {
    switch self {
    case .attribute(_, let column, _, _): [column]
    case .toOne(let column, let entityColumn, _): [column] + (entityColumn.map { [$0] } ?? [])
    case .reference(let columns): columns
    }
  }

  /// The property's value in a row; nil where it is not known, or too long to travel.
  func value(in row: [RecordValue?]) -> PropertyValue? {
    switch self {
    case .attribute(let type, let column, let isExternal, let holdsAnyClass):
      return row[column].flatMap { value in
        value.value(of: holdsAnyClass ? value.type(in: type) : type, isExternal: isExternal)
      }
    case .reference(let columns): return columns.contains { row[$0] == .null } ? .null : nil
    case .toOne(let column, let entityColumn, let destination):
      guard let key = row[column] else { return nil }
      guard case .integer(let primaryKey) = key else { return key == .null ? .null : .odd(key.text) }
      let number = entityColumn.flatMap { row[$0]?.integer }.flatMap(Int32.init(exactly:))
      return .object(ObjectKey(entity: number ?? destination, primaryKey: primaryKey))
    }
  }
}

extension RecordValue {
  /// The longest value that travels with a change, in bytes.
  static let longest = 65_536

  /// The type that a value is read by in a column that may hold any class of value.
  func type(in declared: NSAttributeType) -> NSAttributeType {
    switch self {
    case .null: declared
    case .integer(let number): declared.type(ofStored: .integer, isZeroOrOne: (0...1).contains(number))
    case .real: declared.type(ofStored: .real, isZeroOrOne: false)
    case .text: .stringAttributeType
    case .blob: .binaryDataAttributeType
    }
  }

  /// The value as an attribute of that type has it (reference/FORMAT.md "Values"); nil where it is too long, or lies in a
  /// file of its own.
  func value(of type: NSAttributeType, isExternal: Bool) -> PropertyValue? {
    switch self {
    case .null: return .null
    case .text(let bytes) where bytes.count > Self.longest, .blob(let bytes) where bytes.count > Self.longest:
      return nil
    case .integer(let number): return Self.value(of: number, type: type)
    case .real(let number): return Self.value(of: number, type: type)
    case .text(let bytes): return Self.value(ofText: bytes, type: type)
    case .blob(let bytes): return Self.value(ofBlob: bytes, type: type, isExternal: isExternal)
    }
  }

  private static func value(of number: Int64, type: NSAttributeType) -> PropertyValue {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer(number)
    case .booleanAttributeType: .boolean(number != 0)
    case .decimalAttributeType: .decimal(String(number))
    case .doubleAttributeType, .floatAttributeType: .real(Double(number))
    case .dateAttributeType: .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    default: .odd(String(number))
    }
  }

  private static func value(of number: Double, type: NSAttributeType) -> PropertyValue {
    switch type {
    case .decimalAttributeType: .decimal(plainDecimal(number))
    case .doubleAttributeType, .floatAttributeType: .real(number)
    case .dateAttributeType: .date(Date(timeIntervalSinceReferenceDate: number))
    default: .odd(String(number))
    }
  }

  private static func value(ofText bytes: [UInt8], type: NSAttributeType) -> PropertyValue {
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    case .stringAttributeType, .URIAttributeType: return .text(text)
    case .UUIDAttributeType: return uuid(bytes).map(PropertyValue.uuid) ?? .odd(text)
    default: return .odd(text)
    }
  }

  private static func value(ofBlob bytes: [UInt8], type: NSAttributeType, isExternal: Bool) -> PropertyValue? {
    switch type {
    case .UUIDAttributeType: return uuid(bytes).map(PropertyValue.uuid) ?? .data(Data(bytes))
    case .binaryDataAttributeType where isExternal:
      if ExternalData.fileName(in: bytes) != nil { return nil }
      return .data(Data(bytes.first == 1 ? bytes[1...] : bytes[...]))
    default: return .data(Data(bytes))
    }
  }

  /// Sixteen bytes, also where an edit by hand gave them the storage class of text.
  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return UUID(uuidString: String(decoding: bytes, as: UTF8.self)) }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }

  /// The value written out.
  fileprivate var text: String {
    switch self {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}
