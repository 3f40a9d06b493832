import Foundation

/// Tells of every statement that runs, as Core Data does with `-com.apple.CoreData.SQLDebug` (reference/CONTEXT.md 110).
///
/// 1 tells the statements and how long they took, 2 the bound values and how many rows there were, 3 the rows' values, 4 how
/// SQLite goes about it.
struct SQLDebug: Sendable {
  let level: Int
  let print: @Sendable (String) -> Void

  /// What the program was launched with; `nil` when it was not asked for.
  static let launched: SQLDebug? =
    LaunchArguments.sqlDebugLevel > 0
    ? SQLDebug(level: LaunchArguments.sqlDebugLevel) { FileHandle.standardError.write(Data(($0 + "\n").utf8)) } : nil

  /// Runs a statement, telling of it before and after; `explain` gives the lines of the plan.
  func running<Result>(
    _ sql: String, _ statement: SQLiteStatement, explain: () throws -> [String], _ body: () throws -> Result
  ) throws -> Result {
    print("CoreData: sql: \(sql)")
    if level >= 4, !sql.hasPrefix("PRAGMA") {
      for line in (try? explain()) ?? [] { print("CoreData: details: EXPLAIN \(line)") }
    }
    statement.debug = self
    statement.rowCount = 0
    let start = ContinuousClock.now
    defer {
      statement.debug = nil
      let seconds = String(format: "%.4f", (ContinuousClock.now - start) / .seconds(1))
      print("CoreData: annotation: sql connection fetch time: \(seconds)s")
      if level >= 2 {
        print("CoreData: annotation: total fetch execution time: \(seconds)s for \(statement.rowCount) rows.")
      }
    }
    return try body()
  }

  /// A value was bound; parameters count from 1, and from 0 in the text.
  func bound(_ value: SQLiteValue, at index: Int32) {
    if level >= 2 { print("CoreData: details: SQLite bind[\(index - 1)] = \(value.debugText)") }
  }

  /// A row was found.
  func found(_ statement: SQLiteStatement) {
    statement.rowCount += 1
    guard level >= 3 else { return }
    let values = (0..<statement.columnCount).map { statement.value(at: $0).debugText }
    print("CoreData: details: row \(statement.rowCount): \(values.joined(separator: ", "))")
  }
}

extension SQLiteValue {
  fileprivate var debugText: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .blob(let bytes): "(\(bytes.count) bytes)"
    case .test: "(a test)"
    }
  }
}
