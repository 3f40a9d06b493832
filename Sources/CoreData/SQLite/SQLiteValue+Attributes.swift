import Foundation

extension SQLiteValue {
  /// A value as the column of an attribute holds it (reference/FORMAT.md "Values").
  init(_ value: Any, for attribute: NSAttributeDescription) throws {
    if attribute.holdsAnyClass, let plain = SQLiteValue(ofAnyClass: value) {
      self = plain
      return
    }
    switch (attribute.attributeType, value) {
    case (_, is NSNull): self = .null
    case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
      (.integer64AttributeType, let number as NSNumber):
      self = .integer(number.int64Value)
    case (.booleanAttributeType, let number as NSNumber): self = .integer(number.boolValue ? 1 : 0)
    case (.decimalAttributeType, let number as NSDecimalNumber): self = .real(Double(number.stringValue) ?? .nan)
    case (.decimalAttributeType, let number as NSNumber), (.doubleAttributeType, let number as NSNumber):
      self = .real(number.doubleValue)
    case (.floatAttributeType, let number as NSNumber): self = .real(Double(number.floatValue))
    case (.stringAttributeType, let text as String): self = .text(text)
    case (.URIAttributeType, let url as URL): self = .text(url.absoluteString)
    case (.dateAttributeType, let date as Date): self = .real(date.timeIntervalSinceReferenceDate)
    case (.UUIDAttributeType, let uuid as UUID): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.binaryDataAttributeType, let data as Data), (.transformableAttributeType, let data as Data):
      self = .blob((attribute.allowsExternalBinaryDataStorage ? [1] : []) + data)
    default:
      throw NSError.coreData(
        NSCoreDataError,
        "Unacceptable type of value for attribute: property = \"\(attribute.name)\"; given type = \(type(of: value)).")
    }
  }

  /// A value of an attribute that holds any class of value, as what it is; `nil` for one that no column holds.
  private init?(ofAnyClass value: Any) {
    switch value {
    case let decimal as NSDecimalNumber:
      let text = decimal.stringValue
      self = Int64(text).map(SQLiteValue.integer) ?? .real(Double(text) ?? .nan)
    case let number as NSNumber: self = number.isFloating ? .real(number.doubleValue) : .integer(number.int64Value)
    case let text as String: self = .text(text)
    case let data as Data: self = .blob([UInt8](data))
    default: return nil
    }
  }
}
