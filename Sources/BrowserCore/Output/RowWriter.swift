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
    case .csv: write(columns.map(shown).map(Self.csv).joined(separator: ",") + "\r\n")
    case .tsv: write(columns.map(Self.tsv).map(shown).joined(separator: "\t") + "\n")
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
    // Names come from the model, which can come from anywhere.
    let columns = columns.map(SafeText.visible)
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

  // By scalars: a comma with a combining mark is another character, but not to who reads the file.

  private static func tsv(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func csv(_ text: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\n", "\r"]
    guard text.isEmpty || text.unicodeScalars.contains(where: special.contains) else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
