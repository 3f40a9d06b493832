import CoreData
import Foundation
import TextCanvas

/// A way to look at a value: as text, JSON, a tree, or bytes.
struct ValueForm: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case lines([ViewerLine])
    case bytes(Data)
  }

  var title: String
  var content: Content

  /// Texts and trees are shown as far as this many characters or lines; bytes are shown to the end.
  static let mostCharacters = 1_000_000

  /// The forms that a value has, the one that shows most of its meaning first.
  static func forms(of value: PropertyValue, zone: DateZone) -> [ValueForm] {
    switch value {
    case .text(let text), .odd(let text): text.isEmpty ? [plain("∅ an empty string", .dim)] : forms(of: text)
    case .data(let data): data.isEmpty ? [plain("no bytes", .dim)] : forms(of: data)
    case .date(let date): [ValueForm(title: "date", content: .lines(lines(of: date, zone: zone)))]
    case .null: [plain("nil: there is no value", .null)]
    case .integer(let number):
      [
        ValueForm(
          title: "number",
          content: .lines([
            ViewerLine(text: "\(number)", role: .number),
            ViewerLine(label: "hexadecimal", text: "0x" + String(UInt64(bitPattern: number), radix: 16), role: .number),
          ]))
      ]
    case .real(let number): [plain("\(number)", .number)]
    case .boolean(let value): [plain(value ? "yes" : "no", .number)]
    case .decimal(let text): [plain(text, .number)]
    case .uuid(let uuid): [plain(uuid.uuidString, .string)]
    case .object, .objects: []
    }
  }

  private static func plain(_ text: String, _ role: Role) -> ValueForm {
    ValueForm(title: "value", content: .lines([ViewerLine(text: text, role: role)]))
  }

  private static func forms(of text: String) -> [ValueForm] {
    let json = JSONLayout.lines(of: text).map { ValueForm(title: "JSON", content: .lines($0)) }
    return [json, ValueForm(title: "text", content: .lines(lines(of: text)))].compactMap { $0 }
      + [ValueForm(title: "hex", content: .bytes(Data(text.utf8)))]
  }

  private static func forms(of data: Data) -> [ValueForm] {
    var forms: [ValueForm] = []
    if let outline = DataOutline(data) {
      forms.append(
        ValueForm(
          title: outline.kind == .keyedArchive ? "keyed archive" : "property list", content: .lines(lines(of: outline)))
      )
    }
    // Bytes that are text are read as one.
    if !data.contains(0), let text = String(data: data, encoding: .utf8) {
      let shown = Self.forms(of: text)
      forms += shown.dropLast()
    }
    return forms + [ValueForm(title: "hex", content: .bytes(data))]
  }

  private static func lines(of text: String) -> [ViewerLine] {
    let shown = text.prefix(mostCharacters)
    var lines = shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      ViewerLine(text: String($0), role: .string)
    }
    if shown.endIndex < text.endIndex { lines.append(ViewerLine(text: "… the rest is in the hex form", role: .dim)) }
    return lines
  }

  private static func lines(of outline: DataOutline) -> [ViewerLine] {
    var lines = outline.lines.map { line in
      let role: Role =
        switch line.role {
        case .container: .header
        case .text: .string
        case .number: .number
        case .date: .date
        case .data, .reference: .dim
        case .null: .null
        }
      return ViewerLine(indent: line.depth, label: line.label, text: line.value, role: role)
    }
    if outline.isCut { lines.append(ViewerLine(text: "… there is more", role: .dim)) }
    return lines
  }

  /// A date in the chosen zone, in UTC, and as it is stored.
  private static func lines(of date: Date, zone: DateZone) -> [ViewerLine] {
    let clocks: [(String, DateZone)] = zone == .utc ? [("UTC", .utc)] : [(zone.name, zone), ("UTC", .utc)]
    return clocks.map { name, zone in
      ViewerLine(label: name, text: CivilTime(date, in: zone)?.full ?? "outside of the calendar", role: .date)
    } + [
      ViewerLine(label: "stored", text: "\(date.timeIntervalSinceReferenceDate) seconds since 2001", role: .number)
    ]
  }
}
