import CSQLite
import Foundation

extension ListColumns {
  /// What is read of a value of any storage class: the head of a text or blob, else the value, and a text's or blob's length.
  static func anyClass(_ value: String, depth: Depth) -> [String] {
    [
      """
      CASE typeof(\(value)) WHEN 'text' THEN substr(\(value), 1, \(depth.textLimit))
      WHEN 'blob' THEN substr(\(value), 1, \(max(depth.blobHead, 1))) ELSE \(value) END
      """,
      "length(\(value))",
    ]
  }

  /// The cell of a value of any storage class; one that is not of the column's type is shown as what it is.
  func anyClass(_ type: NSAttributeType, at column: Int32, of statement: SQLiteStatement) -> CellValue {
    let length = Int(statement.integer(at: column + 1))
    switch statement.type(at: column) {
    case SQLITE_INTEGER:
      let number = statement.integer(at: column)
      switch type.type(ofStored: .integer, isZeroOrOne: (0...1).contains(number)) {
      case .booleanAttributeType: return .boolean(number != 0)
      case .decimalAttributeType: return .decimal(String(number))
      case .doubleAttributeType: return .real(Double(number))
      default: return .integer(number)
      }
    case SQLITE_FLOAT:
      let number = statement.real(at: column)
      return type == .decimalAttributeType && number.isFinite ? .decimal(plainDecimal(number)) : .real(number)
    case SQLITE_TEXT: return .text(statement.text(at: column) ?? "", length: length)
    case SQLITE_BLOB:
      return .bytes(head: statement.withBlob(at: column) { Array($0.prefix(depth.blobHead)) }, count: length)
    default: return .null
    }
  }
}
