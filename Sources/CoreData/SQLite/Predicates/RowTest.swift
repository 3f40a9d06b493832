import CSQLite
import Foundation

/// A comparison that `cd_holds` asks for each row of a statement, bound to it as a pointer.
final class RowTest: Sendable {
  /// A value that the statement hands over.
  struct Leaf: Sendable {
    /// The variable that stands for it in the comparison.
    let name: String
    /// The first argument that it is read from.
    let argument: Int
    let kind: Kind

    enum Kind: Sendable {
      case attribute(NSAttributeType, holdsAnyClass: Bool)
      /// A row: its primary key and its entity's number. The root is the evaluated object.
      case object(EntityMap, isRoot: Bool)
    }
  }

  private enum Question: Sendable {
    case needle(StringNeedle, PredicateTree.Operator)
    case comparison(PredicateTree.Comparison, [Leaf], SQLiteStore)
  }

  private let question: Question

  /// Looks for a text in one column.
  init(needle: StringNeedle, op: PredicateTree.Operator) { question = .needle(needle, op) }

  /// Asks the evaluator.
  init(comparison: PredicateTree.Comparison, leaves: [Leaf], store: SQLiteStore) {
    question = .comparison(comparison, leaves, store)
  }

  /// Whether the comparison holds for the arguments of one row; nil when a fetch would not know.
  fileprivate func answer(
    _ arguments: UnsafePointer<OpaquePointer?>, _ connection: SQLiteConnection
  ) throws(PredicateError) -> Bool? {
    switch question {
    case .needle(let needle, let op):
      let cell = arguments[0]
      guard sqlite3_value_type(cell) != SQLITE_NULL else { return nil }
      let text = sqlite3_value_text(cell)
      return needle.holds(op, UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(cell))))
    case .comparison(let comparison, let leaves, let store):
      var object = PredicateValue.null
      var variables: [String: PredicateValue] = [:]
      for leaf in leaves {
        let cell = arguments[leaf.argument]
        switch leaf.kind {
        case .attribute(let type, let holdsAnyClass):
          variables[leaf.name] = PredicateValue(cell: cell, type: type, holdsAnyClass: holdsAnyClass)
        case .object(let asked, let isRoot):
          let number = sqlite3_value_int64(arguments[leaf.argument + 1])
          let entity = store.map[Int32(truncatingIfNeeded: number)] ?? asked
          let row = RowObject(entity, key: sqlite3_value_int64(cell), store: store, connection: connection)
          if isRoot { object = .object(row) } else { variables[leaf.name] = .object(row) }
        }
      }
      return try PredicateEvaluator(Captures(), nulls: .fetch)
        .evaluate(.comparison(comparison), in: .init(object: object, iterators: variables))
    }
  }
}

extension RowTest {
  /// What SQLite knows the pointer by.
  static var pointerType: UnsafePointer<CChar> {
    UnsafeRawPointer(typeName.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static let typeName: StaticString = "storebrowser.RowTest"

  /// Registers `cd_holds(test, value, …)`: whether a bound `RowTest` holds for a row.
  ///
  /// The connection outlives its functions, which go with its handle.
  static func register(on handle: OpaquePointer, of connection: SQLiteConnection) {
    sqlite3_create_function_v2(
      handle, "cd_holds", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passUnretained(connection).toOpaque(),
      { context, count, arguments in
        guard count > 0, let arguments, let data = sqlite3_user_data(context),
          let pointer = sqlite3_value_pointer(arguments[0], RowTest.pointerType)
        else { return sqlite3_result_null(context) }
        let test = Unmanaged<RowTest>.fromOpaque(pointer).takeUnretainedValue()
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(data).takeUnretainedValue()
        do throws(PredicateError) {
          switch try test.answer(UnsafePointer(arguments + 1), connection) {
          case true?: sqlite3_result_int(context, 1)
          case false?: sqlite3_result_int(context, 0)
          case nil: sqlite3_result_null(context)
          }
        } catch {
          sqlite3_result_error(context, error.reason, -1)
        }
      }, nil, nil, nil)
  }
}

extension PredicateValue {
  /// The value of an attribute in a cell, as the object's own property has it; nil where the cell holds no such value.
  init(cell: OpaquePointer?, type declared: NSAttributeType, holdsAnyClass: Bool = false) {
    let stored = sqlite3_value_type(cell)
    guard stored != SQLITE_NULL else {
      self = .null
      return
    }
    func text() -> String {
      String(
        decoding: UnsafeBufferPointer(start: sqlite3_value_text(cell), count: Int(sqlite3_value_bytes(cell))),
        as: UTF8.self)
    }
    func bytes() -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: sqlite3_value_blob(cell), count: Int(sqlite3_value_bytes(cell)))
    }
    let type =
      holdsAnyClass
      ? declared.type(ofStored: RowSlab.Tag(sqlite: stored), isZeroOrOne: (0...1).contains(sqlite3_value_int64(cell)))
      : declared
    let constant: Constant? =
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
        .integer(sqlite3_value_int64(cell))
      case .booleanAttributeType: .bool(sqlite3_value_int64(cell) != 0)
      case .doubleAttributeType: .double(sqlite3_value_double(cell))
      case .floatAttributeType: .double(Double(Float(sqlite3_value_double(cell))))
      case .decimalAttributeType:
        stored == SQLITE_INTEGER
          ? .decimal(Decimal(sqlite3_value_int64(cell)))
          : Decimal(string: sqlite3_value_double(cell).description).map(Constant.decimal)
      case .dateAttributeType: .date(Date(timeIntervalSinceReferenceDate: sqlite3_value_double(cell)))
      case .stringAttributeType: .string(text())
      case .URIAttributeType: URL(string: text()).map(Constant.url)
      case .UUIDAttributeType where bytes().count == 16: .uuid(UUID(uuid: bytes().loadUnaligned(as: uuid_t.self)))
      case .UUIDAttributeType: UUID(uuidString: text()).map(Constant.uuid)
      default: .data(Data(bytes()))
      }
    self = constant.map(PredicateValue.constant) ?? .null
  }
}
