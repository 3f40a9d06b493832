import CoreData
import Foundation
import TextCanvas

/// A whole value that is being looked at, in one of its forms.
struct ViewerState: Hashable, Sendable {
  /// A line that fits the screen.
  struct Line: Hashable, Sendable {
    var indent = 0
    var label = ""
    var text: String
    var role: Role
  }

  /// The property, and the object it belongs to in words.
  var title: String
  var value: PropertyValue
  var forms: [ValueForm]
  private(set) var form = 0
  /// The first line on screen.
  private(set) var top = 0
  /// The columns that the lines are fitted to.
  private(set) var width: Int
  private var wrapped: [Line] = []

  init(title: String, value: PropertyValue, zone: DateZone, width: Int) {
    (self.title, self.value, self.width) = (title, value, width)
    forms = ValueForm.forms(of: value, zone: zone)
    wrap()
  }

  /// How many bytes stand on a line of the hex form.
  var bytesPerLine: Int { width >= 76 ? 16 : width >= 43 ? 8 : 4 }

  var lineCount: Int {
    if case .bytes(let data)? = content { return (data.count + bytesPerLine - 1) / bytesPerLine }
    return wrapped.count
  }

  private var content: ValueForm.Content? { forms.indices.contains(form) ? forms[form].content : nil }

  /// A line of the form that is shown.
  func line(_ index: Int) -> Line {
    if case .bytes(let data)? = content { return Self.hex(data, line: index, bytes: bytesPerLine) }
    return wrapped[index]
  }

  /// Shows another form, from its first line.
  mutating func show(form index: Int) {
    guard !forms.isEmpty else { return }
    form = (index + forms.count) % forms.count
    top = 0
    wrap()
  }

  /// Fits the lines to other columns; what is at the top stays about there.
  mutating func fit(width: Int, height: Int) {
    if width != self.width {
      let share = lineCount == 0 ? 0 : Double(top) / Double(lineCount)
      self.width = width
      wrap()
      top = Int(share * Double(lineCount))
    }
    scroll(to: top, height: height)
  }

  mutating func scroll(to line: Int, height: Int) { top = max(0, min(line, lineCount - height)) }

  mutating func scroll(_ motion: Motion, height: Int) {
    scroll(to: motion.target(from: top, count: lineCount, height: height), height: height)
  }

  private mutating func wrap() {
    guard case .lines(let lines)? = content else {
      wrapped = []
      return
    }
    wrapped = lines.flatMap { line -> [Line] in
      // Deep trees keep room for what they hold.
      let indent = min(line.indent * 2, max(0, width - 24))
      let label = line.label.isEmpty ? "" : SafeText.visible(line.label) + " "
      let room = max(8, width - indent - CellWidth.width(of: label))
      let texts = TextWrap.lines(SafeText.visible(line.text), width: room)
      return texts.enumerated().map { number, text in
        Line(
          indent: number == 0 ? indent : indent + CellWidth.width(of: label), label: number == 0 ? label : "",
          text: text, role: line.role)
      }
    }
  }

  /// A line such as `00000010  62 70 6c 69 73 74 30 30  bplist00`.
  private static func hex(_ data: Data, line: Int, bytes: Int) -> Line {
    let start = line * bytes
    let part = data.dropFirst(start).prefix(bytes)
    func two(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    var hex = part.map(two).joined(separator: " ")
    hex += String(repeating: " ", count: bytes * 3 - 1 - hex.count)
    let text = String(String.UnicodeScalarView(part.map { (0x20..<0x7F).contains($0) ? Unicode.Scalar($0) : "·" }))
    let offset = String(start, radix: 16)
    return Line(
      label: String(repeating: "0", count: max(0, 8 - offset.count)) + offset + "  ", text: hex + "  " + text,
      role: .text)
  }
}
