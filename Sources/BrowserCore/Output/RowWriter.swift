import Foundation
import TextCanvas

/// Writes rows in one of the output formats, one after the other; a table is written at the end, when widths are known.
final class RowWriter {
  private let format: OutputFormat
  private let columns: [String]
  private let isTerminal: Bool
  private let write: (String) -> Void
  private var count = 0
  private var table: [[OutputValue]] = []

  /// A writer; `columns` are the columns of the text formats, JSON rows have their own names.
  init(_ format: OutputFormat, columns: [String], isTerminal: Bool, write: @escaping (String) -> Void) {
    self.format = format
    self.columns = columns
    self.isTerminal = isTerminal
    self.write = write
    switch format {
    case .json: write("[")
    case .csv: write(columns.map(Self.csv).joined(separator: ",") + "\r\n")
    case .tsv: write(columns.map(Self.tsv).joined(separator: "\t") + "\n")
    case .table, .ndjson: break
    }
  }

  /// Writes a row.
  func add(_ row: OutputRow) {
    defer { count += 1 }
    switch format {
    case .json: write((count == 0 ? "\n  " : ",\n  ") + json(row))
    case .ndjson: write(json(row) + "\n")
    case .csv: write(cells(row).map { $0.text.map(shown).map(Self.csv) ?? "" }.joined(separator: ",") + "\r\n")
    case .tsv: write(cells(row).map { $0.text.map(Self.tsv).map(shown) ?? "\\N" }.joined(separator: "\t") + "\n")
    case .table: table.append(cells(row))
    }
  }

  /// Ends the output.
  func finish() {
    switch format {
    case .json: write(count == 0 ? "]\n" : "\n]\n")
    case .table: writeTable()
    case .ndjson, .csv, .tsv: break
    }
  }

  private func json(_ row: OutputRow) -> String { JSONText.object(row.map { ($0.name, $0.value.json) }) }

  /// The row's values in the order of the columns; what the row does not have is empty.
  private func cells(_ row: OutputRow) -> [OutputValue] {
    let values = Dictionary(row.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return columns.map { values[$0] ?? .null }
  }

  private func writeTable() {
    let texts = table.map { $0.map { Self.shown($0) } }
    let widths = columns.indices.map { column in
      max(CellWidth.width(of: columns[column]), texts.map { CellWidth.width(of: $0[column]) }.max() ?? 0)
    }
    let numeric = columns.indices.map { column in table.contains { $0[column].isNumber } }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, cell) in cells.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - CellWidth.width(of: cell))
        line += (column == 0 ? "" : "  ") + (numeric[column] ? gap + cell : cell + gap)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    write(line(columns))
    write(line(widths.map { String(repeating: "─", count: $0) }))
    for row in texts { write(line(row)) }
  }

  /// A table's cell: safe to print, and of bounded width.
  private static func shown(_ value: OutputValue) -> String {
    guard let text = value.text else { return "∅" }
    return CellWidth.fit(SafeText.visible(String(text.prefix(400))), columns: 60).text
  }

  /// What a terminal gets can never drive it; a pipe gets the text as it is.
  private func shown(_ text: String) -> String { isTerminal ? SafeText.visible(text) : text }

  private static func tsv(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
  }

  private static func csv(_ text: String) -> String {
    let needsQuotes = text.isEmpty || text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
