/// A value met while a predicate is evaluated.
package enum PredicateValue {
  case constant(Constant)
  case object(any PredicateObject)
  /// An array, or a set: order counts only for the former when lists are compared.
  case list([PredicateValue], isOrdered: Bool)
  case dictionary([String: Any])
  /// A value of a type that predicates do not know; its properties can be read.
  case other(Any)

  package static var null: PredicateValue { .constant(.null) }
  package static func bool(_ value: Bool) -> PredicateValue { .constant(.bool(value)) }
  package static func integer(_ value: Int64) -> PredicateValue { .constant(.integer(value)) }
  package static func string(_ value: String) -> PredicateValue { .constant(.string(value)) }

  /// What a plain value means to a predicate.
  package init(_ value: Any?) {
    guard let value else {
      self = .null
      return
    }
    // Objects are what predicates meet most, managed ones first: a class is told sooner than a protocol.
    if let object = value as? NSManagedObject {
      self = .object(object)
      return
    }
    if type(of: value) is AnyClass, let object = value as? any PredicateObject {
      self = .object(object)
      return
    }
    switch value {
    case let value as PredicateValue: self = value
    case let value as String: self = .constant(.string(value))
    case let value as [String: Any]: self = .dictionary(value)
    default:
      guard let value = unwrapped(value) else {
        self = .null
        return
      }
      if let object = value as? any PredicateObject {
        self = .object(object)
      } else if let constant = Constant(scalar: value) {
        self = .constant(constant)
      } else if let elements = collectionElements(of: value) {
        self = .list(elements.map { PredicateValue($0) }, isOrdered: !Self.isSet(value))
      } else if let entries = dictionaryEntries(of: value) {
        self = .dictionary(entries)
      } else {
        self = .other(value)
      }
    }
  }

  private static func isSet(_ value: Any) -> Bool {
    value is NSSet || value is any SetAlgebra
  }

  package var isNull: Bool {
    if case .constant(.null) = self { true } else { false }
  }

  /// Nil; or not-a-number, which SQLite stores as NULL and a fetch therefore takes for no value.
  var isMissing: Bool {
    switch self {
    case .constant(.null): true
    case .constant(.double(let number)): number.isNaN
    case .constant(.decimal(let number)): number.isNaN
    default: false
    }
  }

  /// Whether it is a collection of nothing.
  var isEmpty: Bool {
    switch self {
    case .list(let elements, _): elements.isEmpty
    case .constant(.collection(let constants)): constants.isEmpty
    default: false
    }
  }

  /// The elements of a list or of a constant collection.
  package var elements: [PredicateValue]? {
    switch self {
    case .list(let elements, _): elements
    case .constant(.collection(let constants)): constants.map(PredicateValue.constant)
    default: nil
    }
  }

  /// The value as Swift knows it; an object's id for an id.
  package func anyValue(_ captures: Captures) -> Any? {
    switch self {
    case .constant(let constant): constant.anyValue(captures)
    case .object(let object): object
    case .list(let elements, _): elements.map { $0.anyValue(captures) ?? NSNull() }
    case .dictionary(let entries): entries
    case .other(let value): value
    }
  }

  /// The value in an error's text.
  package var text: String {
    switch self {
    case .constant(let constant): constant.format()
    case .object(let object): object.predicateIdentity.id.predicateIdentityText
    case .list(let elements, _): "{" + elements.map(\.text).joined(separator: ", ") + "}"
    case .dictionary(let entries): String(describing: entries)
    case .other(let value): String(describing: value)
    }
  }
}

extension Constant {
  /// The constant as Swift knows it.
  package func anyValue(_ captures: Captures) -> Any? {
    switch self {
    case .null: nil
    case .bool(let value): value
    case .integer(let value): Int(value)
    case .double(let value): value
    case .decimal(let value): value
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .identity(let value): value.id
    case .collection(let elements): elements.map { $0.anyValue(captures) ?? NSNull() }
    case .dictionary(let entries): entries.mapValues { $0.anyValue(captures) ?? NSNull() }
    case .captured(let id): captures.values[id]
    }
  }

  /// The number as a floating one; nil for no number.
  package var doubleValue: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    default: nil
    }
  }
}
