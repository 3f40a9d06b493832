import Foundation

/// A property's whole value as it travels between queues, processes and files: what a change was from and to, what a person
/// typed, what waits to be saved.
///
/// Grid cells hold `CellValue`, which keeps the head of a long value only. Texts are equal when their bytes are, as stores
/// see them.
public enum PropertyValue: Hashable, Sendable, Codable {
  /// No value.
  case null
  /// An integer of any width.
  case integer(Int64)
  /// A boolean.
  case boolean(Bool)
  /// A double or float.
  case real(Double)
  /// A decimal number, in plain notation.
  case decimal(String)
  /// A date.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// A string or URI.
  case text(String)
  /// Binary or transformable data.
  case data(Data)
  /// The object at the end of a to-one relationship.
  case object(ObjectKey)
  /// The objects of a to-many relationship, in order when it has one.
  case objects([ObjectKey])
  /// A value that does not fit its attribute's type, as text.
  case odd(String)
}

extension PropertyValue {
  /// Whether two are the same value, texts byte for byte.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.boolean(let one), .boolean(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.date(let one), .date(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.data(let one), .data(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.objects(let one), .objects(let other)): one == other
    case (.text(let one), .text(let other)), (.decimal(let one), .decimal(let other)), (.odd(let one), .odd(let other)):
      ExactText(one) == ExactText(other)
    default: false
    }
  }

  /// Hashes the value, texts by their bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .object(let key): hasher.combine(key)
    case .objects(let keys): hasher.combine(keys)
    case .text(let text), .decimal(let text), .odd(let text): hasher.combine(ExactText(text))
    }
  }
}
