import Foundation
import TextCanvas

/// Lays a JSON text out with a line for each value, without touching what is in it: keys keep their order, numbers their
/// digits.
enum JSONLayout {
  /// The lines of an object or array; nil for a text that is no JSON, or a single plain value.
  static func lines(of text: String) -> [ViewerLine]? {
    let start = text.drop { $0.isWhitespace }
    guard start.first == "{" || start.first == "[",
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    else { return nil }
    var writer = Writer()
    for byte in text.utf8 { writer.take(byte) }
    writer.endLine()
    return writer.lines
  }

  private struct Writer {
    var lines: [ViewerLine] = []
    private var current: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    mutating func take(_ byte: UInt8) {
      if isInString {
        current.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        return
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
        current.append(byte)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        current.append(byte)
        endLine()
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        endLine()
        depth -= 1
        // What holds nothing stays on its line.
        let opening = byte == UInt8(ascii: "}") ? "{" : "["
        if let last = lines.last, last.indent == depth, last.text.hasSuffix(opening) {
          lines.removeLast()
          current = Array(last.text.utf8)
        }
        current.append(byte)
      case UInt8(ascii: ","):
        current.append(byte)
        endLine()
      case UInt8(ascii: ":"): current += Array(": ".utf8)
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      default: current.append(byte)
      }
    }

    mutating func endLine() {
      guard !current.isEmpty else { return }
      lines.append(ViewerLine(indent: depth, text: String(decoding: current, as: UTF8.self), role: .string))
      current = []
    }
  }
}
