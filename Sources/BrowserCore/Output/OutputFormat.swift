/// How rows are written.
public enum OutputFormat: String, CaseIterable, Sendable {
  case table, json, ndjson, csv, tsv
}

/// One value of an output row: for the JSON formats as JSON, for the others as text.
struct OutputValue {
  /// The value as JSON text.
  var json: String
  /// The value as text; `nil` where there is none.
  var text: String?
  /// Whether a table sets it to the right.
  var isNumber = false

  static let null = OutputValue(json: "null", text: nil)

  static func string(_ text: String) -> OutputValue { OutputValue(json: JSONText.quoted(text), text: text) }
  static func number(_ text: String) -> OutputValue { OutputValue(json: text, text: text, isNumber: true) }
  static func bool(_ value: Bool) -> OutputValue {
    OutputValue(json: value ? "true" : "false", text: value ? "true" : "false")
  }
}

/// One row: names and values in the order in which the text formats write them.
typealias OutputRow = [(name: String, value: OutputValue)]
