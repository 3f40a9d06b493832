import Foundation

extension XMLElementNode {
  /// The element as an XML document in UTF-8, laid out as Xcode lays out models: four blanks a level, no text.
  ///
  /// Attributes come in the order in which they were set. Characters that XML 1.0 cannot hold are left out;
  /// `hasUnwritableText` tells whether there are any.
  func document() -> String {
    var output = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    write(to: &output, level: 0)
    output.removeLast()
    return output
  }

  /// The children alone, as the document has them.
  func documentBody() -> String {
    var output = ""
    for child in children { child.write(to: &output, level: 0) }
    return output
  }

  private func write(to output: inout String, level: Int) {
    let indent = String(repeating: "    ", count: level)
    output += "\(indent)<\(name)"
    for name in attributeNames { output += " \(name)=\"\(Self.escaped(attributes[name] ?? ""))\"" }
    guard !children.isEmpty else {
      output += "/>\n"
      return
    }
    output += ">\n"
    for child in children { child.write(to: &output, level: level + 1) }
    output += "\(indent)</\(name)>\n"
  }

  /// An attribute's value; line ends and tabs are numbered, since a reader makes blanks of them.
  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: if isWritable(scalar) { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }

  private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }
}
