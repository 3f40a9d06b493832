import Foundation

/// An expression of a predicate as SQL, with what its values are.
struct SQLTerm {
  /// What can be compared with what: SQLite would compare anything, by rules of its own.
  enum Kind: Hashable {
    /// Whole, floating and decimal numbers, and booleans.
    case number
    case date, text, url, uuid
    /// Bytes that lie in the column as they are.
    case data
    /// An object, by its primary key in the table of its tree.
    case object(table: String)
  }

  var sql: SQLFragment
  var kind: Kind
  /// What a cell holds, for reading it back as the value of a predicate.
  var type: NSAttributeType
  /// Whether the numbers are whole ones always.
  var isWhole = false
  /// Whether the cell can hold a value of another storage class than the type says.
  var holdsAnyClass = false
  /// The entity of an object.
  var entity: EntityMap?
  /// The entity's number in the same row, for an object whose entity can be one of several.
  var entityNumber: SQLFragment?

  /// An attribute's column; `nil` where the cell is not the value: data that may lie in a file, and archives.
  init?(_ attribute: NSAttributeDescription, column: SQLFragment) {
    sql = column
    type = attribute.attributeType
    holdsAnyClass = attribute.holdsAnyClass
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      (kind, isWhole) = (.number, true)
    case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: kind = .number
    case .dateAttributeType: kind = .date
    case .stringAttributeType:
      kind = .text
      // A plain table can compare otherwise, without regard to case.
      if holdsAnyClass { sql = "\(column) COLLATE BINARY" }
    case .URIAttributeType: kind = .url
    case .UUIDAttributeType: kind = .uuid
    case .binaryDataAttributeType where !attribute.allowsExternalBinaryDataStorage: kind = .data
    default: return nil
    }
  }

  /// An object.
  init(object sql: SQLFragment, entity: EntityMap, entityNumber: SQLFragment?) {
    self.sql = sql
    kind = .object(table: entity.table)
    type = .objectIDAttributeType
    self.entity = entity
    self.entityNumber = entityNumber
  }

  /// A computed number.
  init(number sql: SQLFragment, isWhole: Bool) {
    self.sql = sql
    kind = .number
    type = isWhole ? .integer64AttributeType : .doubleAttributeType
    self.isWhole = isWhole
  }

  /// The same kind of value, computed otherwise.
  func replacing(_ sql: SQLFragment) -> SQLTerm {
    var term = self
    term.sql = sql
    return term
  }

  /// A constant; `nil` for one that SQLite cannot hold exactly, or that is no single value.
  init?(_ constant: Constant) {
    switch constant {
    case .bool(let value): self.init(bound: .integer(value ? 1 : 0), .number, .booleanAttributeType, isWhole: true)
    case .integer(let value): self.init(bound: .integer(value), .number, .integer64AttributeType, isWhole: true)
    case .double(let value):
      if value.isNaN { return nil }
      self.init(bound: .real(value), .number, .doubleAttributeType)
    case .decimal(let value):
      let text = value.description
      if let whole = Int64(text) {
        self.init(bound: .integer(whole), .number, .decimalAttributeType)
      } else if let real = Double(text), Decimal(string: real.description) == value {
        self.init(bound: .real(real), .number, .decimalAttributeType)
      } else {
        return nil
      }
    case .string(let value): self.init(bound: .text(value), .text, .stringAttributeType)
    case .url(let value): self.init(bound: .text(value.absoluteString), .url, .URIAttributeType)
    case .date(let value):
      self.init(bound: .real(value.timeIntervalSinceReferenceDate), .date, .dateAttributeType)
    case .uuid(let value):
      self.init(bound: .blob(withUnsafeBytes(of: value.uuid) { Array($0) }), .uuid, .UUIDAttributeType)
    case .data(let value): self.init(bound: .blob([UInt8](value)), .data, .binaryDataAttributeType)
    case .null, .identity, .collection, .dictionary, .captured: return nil
    }
  }

  private init(bound value: SQLiteValue, _ kind: Kind, _ type: NSAttributeType, isWhole: Bool = false) {
    sql = "\(bound: value)"
    self.kind = kind
    self.type = type
    self.isWhole = isWhole
  }
}
