/// Writing JSON by hand: key order and the exact text of numbers are part of the contract (CLI.md).
enum JSONText {
  /// A string with quotes and escapes.
  ///
  /// What could drive a terminal or hide on it, control characters and marks of direction among it, is escaped; JSON reads
  /// it back as it was.
  static func quoted(_ text: String) -> String {
    // Most texts need no look at their scalars; long ones are searched as bytes.
    guard text.utf8.contains(where: mayNeedEscape) else { return "\"" + text + "\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isHidden(scalar): for unit in scalar.utf16 { result += escaped(unit) }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a byte can begin a scalar that is escaped.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7f, 0xc2, 0xd8, 0xe2, 0xef, 0xf3: true
    default: false
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200b, 0x200e...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff,
      0xe0000...0xe007f:
      true
    default: false
    }
  }

  private static func escaped(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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
