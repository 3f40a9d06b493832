import Foundation

// Attributes of plain databases hold values of any storage class (`NSAttributeDescription.holdsAnyClass`).

extension NSAttributeType {
  /// The type that a value is read by where the column may hold any: its own, or what the storage class says.
  ///
  /// A boolean that is neither 0 nor 1 is a number; so is a whole number in a column of texts or data.
  func type(ofStored tag: RowSlab.Tag, isZeroOrOne: @autoclosure () -> Bool) -> NSAttributeType {
    switch (tag, self) {
    case (.null, _): self
    case (.integer, .booleanAttributeType) where isZeroOrOne(): .booleanAttributeType
    case (.integer, .decimalAttributeType), (.integer, .doubleAttributeType): self
    case (.integer, _): .integer64AttributeType
    case (.real, .decimalAttributeType): self
    case (.real, _): .doubleAttributeType
    case (.text, _): .stringAttributeType
    case (.blob, _): .binaryDataAttributeType
    }
  }
}

extension NSNumber {
  /// Whether the number was made from a floating one.
  var isFloating: Bool {
    let code = UInt8(bitPattern: objCType.pointee)
    return code == UInt8(ascii: "d") || code == UInt8(ascii: "f")
  }

  /// The number with what the type of a plain column says of it, as it is shown: a decimal number, true or false, a floating
  /// or a whole one.
  package func propertyValue(as type: NSAttributeType) -> PropertyValue {
    if let decimal = self as? NSDecimalNumber { return .decimal(decimal.description(withLocale: nil)) }
    if isFloating || type == .doubleAttributeType { return .real(doubleValue) }
    if type == .booleanAttributeType, (0...1).contains(int64Value) { return .boolean(boolValue) }
    return .integer(int64Value)
  }
}

extension PropertyValue {
  /// The value of an attribute that holds any class of value.
  init(ofAnyClass value: Any, type: NSAttributeType) {
    self =
      switch value {
      case let number as NSNumber: number.propertyValue(as: type)
      case let text as String: .text(text)
      case let data as Data: .data(data)
      default: .odd(String(describing: value))
      }
  }

  /// The value as key-value coding takes it for an attribute that holds any class of value; `nil` for one that no column holds.
  var valueOfAnyClass: Any? {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .boolean(let isTrue): NSNumber(value: isTrue)
    case .real(let number): NSNumber(value: number)
    case .decimal(let text): NSDecimalNumber(string: text)
    case .text(let text), .odd(let text): text
    case .data(let data): data
    case .date(let date): ISO8601DateFormatter().string(from: date)
    case .uuid(let uuid): uuid.uuidString
    case .null, .object, .objects: nil
    }
  }
}
