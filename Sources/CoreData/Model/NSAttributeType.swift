import Foundation

/// The kinds of attributes, with the numbers that models and version hashes use (reference: MODELCACHE, codes).
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  /// No type; only for transient attributes.
  case undefinedAttributeType = 0
  /// 16-bit integer.
  case integer16AttributeType = 100
  /// 32-bit integer.
  case integer32AttributeType = 200
  /// 64-bit integer.
  case integer64AttributeType = 300
  /// `NSDecimalNumber`.
  case decimalAttributeType = 400
  /// Double.
  case doubleAttributeType = 500
  /// Float.
  case floatAttributeType = 600
  /// String.
  case stringAttributeType = 700
  /// Boolean.
  case booleanAttributeType = 800
  /// Date.
  case dateAttributeType = 900
  /// Data, possibly stored beside the store.
  case binaryDataAttributeType = 1000
  /// UUID.
  case UUIDAttributeType = 1100
  /// URL.
  case URIAttributeType = 1200
  /// Any object, through a value transformer.
  case transformableAttributeType = 1800
  /// An object id; only in results of requests, never stored.
  case objectIDAttributeType = 2000
  /// A group of attributes under one name.
  case compositeAttributeType = 2100

  /// The class of values, as archives name it; nil where the type leaves it open.
  var valueClassName: String? {
    switch self {
    case .undefinedAttributeType, .transformableAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "NSDictionary"
    }
  }
}

extension NSAttributeDescription {
  /// The newer spelling of `NSAttributeType`; converts by raw value.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The number that models and version hashes use.
    public var rawValue: UInt

    /// The type with a number.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    private init(_ type: NSAttributeType) {
      rawValue = type.rawValue
    }

    /// No type; only for transient attributes.
    public static let undefined = AttributeType(.undefinedAttributeType)
    /// 16-bit integer.
    public static let integer16 = AttributeType(.integer16AttributeType)
    /// 32-bit integer.
    public static let integer32 = AttributeType(.integer32AttributeType)
    /// 64-bit integer.
    public static let integer64 = AttributeType(.integer64AttributeType)
    /// `NSDecimalNumber`.
    public static let decimal = AttributeType(.decimalAttributeType)
    /// Double.
    public static let double = AttributeType(.doubleAttributeType)
    /// Float.
    public static let float = AttributeType(.floatAttributeType)
    /// String.
    public static let string = AttributeType(.stringAttributeType)
    /// Boolean.
    public static let boolean = AttributeType(.booleanAttributeType)
    /// Date.
    public static let date = AttributeType(.dateAttributeType)
    /// Data.
    public static let binaryData = AttributeType(.binaryDataAttributeType)
    /// UUID.
    public static let uuid = AttributeType(.UUIDAttributeType)
    /// URL.
    public static let uri = AttributeType(.URIAttributeType)
    /// Any object, through a value transformer.
    public static let transformable = AttributeType(.transformableAttributeType)
    /// An object id.
    public static let objectID = AttributeType(.objectIDAttributeType)
    /// A group of attributes under one name.
    public static let composite = AttributeType(.compositeAttributeType)
  }
}
