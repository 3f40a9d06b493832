import Foundation

/// How rows are written.
public enum OutputFormat: String, CaseIterable, Sendable {
  case table, json, ndjson, csv, tsv
}

/// One value of an output row: for the JSON formats as JSON, for the others as text.
struct OutputValue {
  private enum Form {
    /// A JSON string is made from the text when it is asked for: text can be long.
    case string
    case json(String)
  }

  private let form: Form
  /// The value as text; `nil` where there is none.
  let text: String?
  /// Whether a table sets it to the right.
  let isNumber: Bool

  /// A value whose JSON is not the string of its text.
  init(json: String, text: String?, isNumber: Bool = false) {
    (form, self.text, self.isNumber) = (.json(json), text, isNumber)
  }

  private init(string text: String) { (form, self.text, isNumber) = (.string, text, false) }

  /// The value as JSON text.
  var json: String {
    switch form {
    case .string: JSONText.quoted(text ?? "")
    case .json(let json): json
    }
  }

  static let null = OutputValue(json: "null", text: nil)

  static func string(_ text: String) -> OutputValue { OutputValue(string: text) }
  static func number(_ text: String) -> OutputValue { OutputValue(json: text, text: text, isNumber: true) }
  static func bool(_ value: Bool) -> OutputValue {
    OutputValue(json: value ? "true" : "false", text: value ? "true" : "false")
  }
  static func data(_ data: Data) -> OutputValue {
    let base64 = data.base64EncodedString()
    return OutputValue(
      json: JSONText.object([("bytes", String(data.count)), ("base64", JSONText.quoted(base64))]), text: base64)
  }
}

/// One row: names and values in the order in which the text formats write them.
typealias OutputRow = [(name: String, value: OutputValue)]
