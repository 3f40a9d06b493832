import Foundation

/// A property's whole value as it travels between queues, processes and files: what a change was from and to, what a person
/// typed, what waits to be saved.
///
/// Grid cells hold `CellValue`, which keeps the head of a long value only.
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
