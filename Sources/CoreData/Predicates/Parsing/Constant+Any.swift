extension Constant {
  /// The constant that an argument means.
  ///
  /// A value of a type unknown here goes to `captures`.
  package init(_ value: Any?, captures: inout Captures) {
    guard let value = unwrapped(value) else {
      self = .null
      return
    }
    if let scalar = Constant(scalar: value) {
      self = scalar
    } else if let elements = collectionElements(of: value) {
      self = .collection(elements.map { Constant($0, captures: &captures) })
    } else if let entries = dictionaryEntries(of: value) {
      self = .dictionary(entries.mapValues { Constant($0, captures: &captures) })
    } else {
      self = .captured(captures.hold(value, text: String(describing: value)))
    }
  }

  /// The constant for one value; nil for a collection and for a type unknown here.
  init?(scalar value: Any) {
    let constant =
      type(of: value) is AnyClass ? Self.fromReference(value as AnyObject) : Self.fromValue(value)
    guard let constant else { return nil }
    self = constant
  }

  private static func fromValue(_ value: Any) -> Constant? {
    switch value {
    case let value as String: .string(value)
    case let value as Int: .integer(Int64(value))
    case let value as Double: .double(value)
    case let value as Bool: .bool(value)
    case let value as Date: .date(value)
    case let value as UUID: .uuid(value)
    case let value as Data: .data(value)
    case let value as Decimal: .decimal(value)
    case let value as URL: .url(value)
    case let value as Constant: value
    case let value as any BinaryInteger: Int64(exactly: value).map(Constant.integer) ?? wide(value)
    case let value as Float: .double(Double(value))
    case let value as Substring: .string(String(value))
    case let value as Character: .string(String(value))
    default: nil
    }
  }

  /// An integer beyond 64 signed bits.
  private static func wide(_ value: any BinaryInteger) -> Constant {
    Decimal(string: "\(value)").map(Constant.decimal) ?? .double(Double(value))
  }

  private static func fromReference(_ value: AnyObject) -> Constant? {
    switch value {
    case let value as any PredicateObject: .identity(value.predicateIdentity)
    case let value as any PredicateIdentifying: .identity(PredicateIdentity(value))
    case let value as NSString: .string(String(describing: value))
    case let value as NSDecimalNumber: .decimal(value.decimalValue)
    case let value as NSNumber: fromNumber(value)
    case let value as NSDate: .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as NSUUID: UUID(uuidString: value.uuidString).map(Constant.uuid)
    case let value as NSData: .data(Data(referencing: value))
    case let value as NSURL: URL(string: value.absoluteString).map(Constant.url)
    case is NSNull: .null
    default: nil
    }
  }

  private static func fromNumber(_ value: NSNumber) -> Constant {
    switch UInt8(bitPattern: value.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): .double(value.doubleValue)
    case UInt8(ascii: "Q") where value.uint64Value > Int64.max: .decimal(Decimal(value.uint64Value))
    default: .integer(value.int64Value)
    }
  }
}

/// Sees through optionals, however many.
private protocol Wrapping {
  var content: Any? { get }
}

extension Optional: Wrapping {
  fileprivate var content: Any? { self.map { $0 as Any } }
}

/// The value itself; nil for an empty optional, also when wrapped in `Any` or in another optional.
func unwrapped(_ value: Any?) -> Any? {
  var value = value
  while let inner = value, let wrapping = inner as? any Wrapping {
    value = wrapping.content
  }
  if let hashable = value, type(of: hashable) == AnyHashable.self { return (hashable as? AnyHashable)?.base }
  return value
}

/// The elements of an array, a set or another collection; nil for anything else.
func collectionElements(of value: Any) -> [Any]? {
  switch value {
  case let array as [Any]: array
  case let array as NSArray: array.map { $0 }
  case let set as NSSet: set.allObjects
  case let set as NSOrderedSet: set.array
  case is any PredicateMapping, is Data, is String: nil
  case let collection as any Collection: collection.map { $0 as Any }
  default: nil
  }
}

/// The entries of a dictionary with string keys; nil for anything else.
func dictionaryEntries(of value: Any) -> [String: Any]? {
  if let entries = value as? [String: Any] { return entries }
  guard let dictionary = value as? NSDictionary else { return nil }
  var entries: [String: Any] = [:]
  for (key, value) in dictionary {
    if let key = key as? String { entries[key] = value }
  }
  return entries
}

/// Tells a dictionary, whatever its types, from other collections.
private protocol PredicateMapping {}

extension Dictionary: PredicateMapping {}
