import CoreData
import TextCanvas

/// A value as it is shown: harmless text on one line, what it means, and where it stands in its column.
struct FormattedValue: Equatable {
  var text: String
  var role: Role
  var alignment: TextCanvas.Alignment = .leading
  /// Whether it goes away once edits are saved.
  var isStruck = false
}

/// Turns values into text.
///
/// Everything that comes from a store goes through here and through `SafeText`.
struct ValueFormatter: Equatable, Sendable {
  var zone: DateZone
  var unicode = true

  /// A value as a grid shows it: short, numbers whole.
  func cell(_ value: CellValue) -> FormattedValue {
    switch value {
    case .null: FormattedValue(text: unicode ? "∅" : "nil", role: .null)
    case .integer(let number): FormattedValue(text: String(number), role: .number, alignment: .trailing)
    case .boolean(let isTrue): boolean(isTrue)
    case .real(let number): FormattedValue(text: Self.real(number), role: .number, alignment: .trailing)
    case .decimal(let text): FormattedValue(text: SafeText.visible(text), role: .number, alignment: .trailing)
    case .date(let date): self.date(date, full: false)
    case .uuid(let uuid): FormattedValue(text: uuidHead(uuid) + ellipsis, role: .dim)
    case .text(let head, let length): text(head, length: length)
    case .bytes(let head, let count): FormattedValue(text: Self.bytes(head, count: count), role: .dim)
    case .object(let key, let title): object(key, title: title)
    case .objects(let count): objects(count)
    case .odd(let text): FormattedValue(text: (unicode ? "⚠ " : "! ") + SafeText.visible(text), role: .warning)
    }
  }

  /// A value as the inspector shows it: in full, a line of text for each line of the value.
  func lines(_ value: CellValue) -> (lines: [String], role: Role) {
    switch value {
    case .date(let date): return ([self.date(date, full: true).text], .date)
    case .uuid(let uuid): return ([uuid.uuidString], .text)
    case .boolean(let isTrue): return ([boolean(isTrue).text + (isTrue ? " true" : " false")], .text)
    case .text(let head, let length) where length > 0:
      var lines = head.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        .map { SafeText.visible(String($0)) }
      let missing = length - head.count
      if missing > 0 { lines.append("\(ellipsis) \(Self.grouped(missing)) more characters") }
      return (lines, .string)
    default:
      let short = cell(value)
      return ([short.text], short.role)
    }
  }

  /// Digits in groups of three: `12,345`.
  static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// `17 bytes`, `4.2 KB`, `41 KB`: two figures below ten, whole numbers above, in powers of a thousand.
  static func size(_ count: Int) -> String {
    if count < 1_000 { return count == 1 ? "1 byte" : "\(count) bytes" }
    var value = Double(count)
    var unit = 0
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }

  private var ellipsis: String { unicode ? "…" : "..." }

  private func boolean(_ isTrue: Bool) -> FormattedValue {
    if unicode { return FormattedValue(text: isTrue ? "✓" : "·", role: isTrue ? .text : .dim, alignment: .center) }
    return FormattedValue(text: isTrue ? "yes" : "no", role: isTrue ? .text : .dim, alignment: .center)
  }

  /// Whole numbers lose their `.0`; the rest is the shortest text that reads back as the number.
  private static func real(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func date(_ date: Date, full: Bool) -> FormattedValue {
    guard let time = CivilTime(date, in: zone) else {
      return cell(.odd(String(date.timeIntervalSinceReferenceDate)))
    }
    return FormattedValue(text: full ? time.full : time.minutes, role: .date)
  }

  private func uuidHead(_ uuid: UUID) -> String {
    let bytes = uuid.uuid
    return [bytes.0, bytes.1, bytes.2, bytes.3].reduce(into: "") { text, byte in
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
  }

  private func text(_ head: String, length: Int) -> FormattedValue {
    if head.isEmpty && length == 0 { return FormattedValue(text: "\"\"", role: .dim) }
    let visible = SafeText.visible(head)
    return FormattedValue(text: head.count < length ? visible + ellipsis : visible, role: .string)
  }

  private func object(_ key: ObjectKey, title: String?) -> FormattedValue {
    guard let title, !title.isEmpty else { return FormattedValue(text: "p\(key.primaryKey)", role: .link) }
    return FormattedValue(text: SafeText.visible(title), role: .link)
  }

  private func objects(_ count: Int?) -> FormattedValue {
    guard let count else { return FormattedValue(text: ellipsis, role: .link, alignment: .trailing) }
    return FormattedValue(text: Self.grouped(count), role: count == 0 ? .dim : .link, alignment: .trailing)
  }

  private static func bytes(_ head: [UInt8], count: Int) -> String {
    let kind = kinds.first { head.starts(with: $0.signature) }?.name
    return size(count) + (kind.map { " " + $0 } ?? "")
  }

  /// What data often is, told by how it begins.
  private static let kinds: [(signature: [UInt8], name: String)] = [
    (Array("bplist0".utf8), "bplist"), ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
    (Array("GIF8".utf8), "GIF"), (Array("%PDF".utf8), "PDF"), ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 3, 4], "zip"),
    (Array("<?xml".utf8), "XML"), (Array("SQLite format 3".utf8), "SQLite"),
  ]
}

extension PropertyOutline.Kind {
  /// Where values of this kind stand in their column.
  var alignment: TextCanvas.Alignment {
    switch self {
    case .integer, .real, .decimal, .toMany: .trailing
    case .boolean: .center
    default: .leading
    }
  }

  /// Whether a value of this kind may be shortened to fit its column.
  var canBeCut: Bool {
    switch self {
    case .string, .uri, .binary, .transformable, .toOne, .any: true
    case .integer, .real, .decimal, .boolean, .date, .uuid, .toMany: false
    }
  }

  /// The kind in words: `String`, `Date`, `to many Tag`.
  var words: String {
    switch self {
    case .string: "String"
    case .integer: "Integer"
    case .real: "Double"
    case .decimal: "Decimal"
    case .boolean: "Boolean"
    case .date: "Date"
    case .uuid: "UUID"
    case .uri: "URI"
    case .binary: "Binary Data"
    case .transformable: "Transformable"
    case .any: "any type"
    case .toOne(let entity): "to one \(SafeText.visible(entity))"
    case .toMany(let entity, let ordered): (ordered ? "ordered, to many " : "to many ") + SafeText.visible(entity)
    }
  }
}
