import CoreData
import TextCanvas

/// One object as lines of a given width: a head, then every property with its value, wrapped.
struct InspectorLines: Equatable {
  struct Line: Equatable {
    /// The index of the property; `nil` in the head.
    var field: Int?
    /// The property's name, on its first line.
    var label = ""
    /// A mark before the value: `▸` for relationships, that of a note where there is one.
    var mark = ""
    var markRole = Role.accent
    var text = ""
    var role = Role.text
    var isStruck = false
    /// The value as it is stored, where that looks different.
    var raw = ""
  }

  /// What is told of a property beside its value: a mark before it, and lines below it.
  struct Note: Equatable {
    var mark = ""
    var role = Role.staged
    /// The role of the value, where the note changes it.
    var valueRole: Role?
    var isStruck = false
    var lines: [Remark] = []
  }

  /// A line below a value.
  struct Remark: Equatable {
    var text: String
    var role: Role
  }

  var lines: [Line] = []
  /// The columns that names take; 0 where names have lines of their own.
  var labelWidth = 0
  private var starts: [Int] = []

  /// More text than this is not laid out; its length is told instead.
  static let textLimit = 4_000

  /// `notes` are by property.
  init(_ record: RecordDetail, width: Int, formatter: ValueFormatter, notes: [String: Note] = [:]) {
    let names = record.fields.map { SafeText.visible($0.property.name) }
    let widest = names.map { CellWidth.width(of: $0) }.max() ?? 0
    labelWidth = width < 24 ? 0 : min(widest, max(8, width * 2 / 5))
    lines = [Line(text: Self.head(record), role: .dim), Line()]
    for (index, field) in record.fields.enumerated() {
      starts.append(lines.count)
      add(
        field, name: names[index], at: index, width: width, formatter: formatter,
        note: notes[field.property.name])
    }
  }

  /// The first line of a property.
  func start(of field: Int) -> Int { starts.indices.contains(field) ? starts[field] : 0 }

  /// The line after a property's last one.
  func end(of field: Int) -> Int { starts.indices.contains(field + 1) ? starts[field + 1] : lines.count }

  /// The property at a line, or the nearest one in a direction.
  func field(at line: Int, towards step: Int) -> Int? {
    var line = line
    while lines.indices.contains(line) {
      if let field = lines[line].field { return field }
      line += step
    }
    return nil
  }

  private static func head(_ record: RecordDetail) -> String {
    if record.key.isNew { return "\(SafeText.visible(record.entity)), not saved yet" }
    return "\(SafeText.visible(record.entity)) p\(record.key.primaryKey)" + (record.version.map { "  v\($0)" } ?? "")
  }

  private mutating func add(
    _ field: RecordField, name: String, at index: Int, width: Int, formatter: ValueFormatter, note: Note?
  ) {
    let isRelationship = field.property.kind.target != nil
    var (texts, role) = formatter.lines(Self.limited(field.value))
    if case .objects = field.value, let target = field.property.kind.target {
      texts = texts.map { "\($0) \(SafeText.visible(target))" }
    }
    if field.value == .null, isRelationship { role = .null }
    let ownMark = isRelationship ? "▸" : ""
    let mark = note.flatMap { $0.mark.isEmpty ? nil : $0.mark } ?? ownMark
    role = note?.valueRole ?? role
    if labelWidth == 0 { lines.append(Line(field: index, label: name)) }
    let room = max(1, labelWidth == 0 ? width - 4 : width - labelWidth - 5)
    let wrapped = texts.flatMap { TextWrap.lines($0, width: room) }
    for (number, text) in wrapped.enumerated() {
      let isFirst = number == 0
      lines.append(
        Line(
          field: index, label: isFirst && labelWidth > 0 ? name : "", mark: isFirst ? mark : "",
          markRole: mark == ownMark ? .accent : note?.role ?? .accent, text: text, role: role,
          isStruck: note?.isStruck ?? false))
    }
    if case .date(let date) = field.value { addRaw("\(date.timeIntervalSinceReferenceDate)", of: index, room: room) }
    for line in note?.lines ?? [] {
      // What was is a reminder; what is wrong is told whole.
      let texts =
        line.role == .dim ? [CellWidth.fit(line.text, columns: room).text] : TextWrap.lines(line.text, width: room)
      lines += texts.map { Line(field: index, text: $0, role: line.role) }
    }
  }

  /// The value as it is stored: beside what it means where there is room, else below.
  private mutating func addRaw(_ text: String, of field: Int, room: Int) {
    guard let last = lines.last else { return }
    if CellWidth.width(of: last.text) + 2 + text.count <= room {
      lines[lines.count - 1].raw = text
    } else {
      lines.append(Line(field: field, text: CellWidth.fit(text, columns: room).text, role: .dim))
    }
  }

  private static func limited(_ value: CellValue) -> CellValue {
    guard case .text(let text, let length) = value, text.utf8.count > textLimit else { return value }
    return .text(String(text.prefix(textLimit)), length: max(length, text.count))
  }
}
