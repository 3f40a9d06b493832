/// Writing JSON by hand: key order and the exact text of numbers are part of the contract (CLI.md).
enum JSONText {
  /// A string with quotes and escapes; control characters never reach a terminal as they are.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// An object; the entries are written in the order given.
  static func object(_ entries: [(name: String, json: String)]) -> String {
    "{" + entries.map { quoted($0.name) + ": " + $0.json }.joined(separator: ", ") + "}"
  }

  static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

  /// The shortest text that reads back as the same number; what JSON has no number for is a string.
  static func number(_ value: Double) -> String { special(value) ?? plain("\(value)") }
  static func number(_ value: Float) -> String { special(Double(value)) ?? plain("\(value)") }

  private static func special(_ value: Double) -> String? {
    if value.isNaN { return "\"nan\"" }
    if value.isInfinite { return value < 0 ? "\"-inf\"" : "\"inf\"" }
    return nil
  }

  private static func plain(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
}
