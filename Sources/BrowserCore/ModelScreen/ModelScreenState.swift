import CoreData
import TextCanvas

/// The model on screen: its entities, and one of them with its properties.
struct ModelScreenState: Equatable, Sendable {
  /// Which of the two sides has the keys.
  enum Side: Hashable, Sendable { case entities, properties }

  var side = Side.entities
  /// The entity that is shown, an index into `ModelEntities`.
  var entity = 0
  /// The first entity on screen.
  var top = 0
  /// The selected property.
  var property = 0
  /// The first line of properties on screen.
  var line = 0
  /// Entities that relationships were followed from, and their properties.
  var trail: [Place] = []

  struct Place: Hashable, Sendable {
    var entity: Int
    var property: Int
  }
}

/// What a person can want on the screen of the model.
enum ModelIntent: Hashable, Sendable {
  case choose(Int)
  case chooseProperty(Int)
  /// To the other side.
  case side(ModelScreenState.Side?)
  /// The list of the entity, or the entity that a relationship leads to.
  case follow
  case back
  /// Copies the entity in words.
  case copy
}

/// The entities of a model, parents before their subentities, otherwise in alphabetical order ignoring case.
struct ModelEntities {
  var all: [(entity: NSEntityDescription, depth: Int)] = []

  init(_ model: NSManagedObjectModel?) {
    add(model?.entities.filter { $0.superentity == nil } ?? [], depth: 0)
  }

  private mutating func add(_ entities: [NSEntityDescription], depth: Int) {
    for entity in entities.sorted(by: { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }) {
      all.append((entity, depth))
      add(entity.subentities, depth: depth + 1)
    }
  }

  func index(of name: String) -> Int? { all.firstIndex { $0.entity.name == name } }
}

/// An entity as lines of a given width: a head, then a property after the other, then the rest.
struct ModelLines {
  struct Line {
    /// The index of the property; `nil` in the head and below.
    var property: Int?
    var pieces: [Piece]
  }

  var lines: [Line] = []
  let text: EntityText

  init(_ entity: NSEntityDescription, width: Int) {
    text = EntityText(entity)
    let width = max(1, width)
    lines = TextWrap.lines(SafeText.visible(text.head), width: width).map {
      Line(pieces: [Piece($0, Style(.header, [.bold]))])
    }
    lines.append(Line(pieces: []))
    let names = text.rows.map { SafeText.visible($0.name) }
    let types = text.rows.map { SafeText.visible($0.type) }
    let nameWidth = min(names.map { CellWidth.width(of: $0) }.max() ?? 0, max(8, width / 3))
    let typeWidth = min(types.map { CellWidth.width(of: $0) }.max() ?? 0, max(6, width / 3))
    for (index, row) in text.rows.enumerated() {
      add(row, names[index], types[index], at: index, nameWidth, typeWidth, width)
    }
    if text.rows.isEmpty { lines.append(Line(pieces: [Piece("no properties of its own", Style(.dim))])) }
    if !text.rest.isEmpty || entity.superentity != nil { lines.append(Line(pieces: [])) }
    for rest in text.rest + Self.inherited(by: entity) {
      lines += TextWrap.lines(SafeText.visible(rest), width: width).map { Line(pieces: [Piece($0, Style(.dim))]) }
    }
  }

  /// What the entities above have, the nearest first.
  private static func inherited(by entity: NSEntityDescription) -> [String] {
    sequence(first: entity) { $0.superentity }.dropFirst().compactMap { parent in
      let names = parent.ownProperties.map(\.name)
      return names.isEmpty ? nil : "from \(parent.name ?? ""): " + names.joined(separator: ", ")
    }
  }

  /// Name and type on a line; notes beside them where there is room, else below.
  private mutating func add(
    _ row: EntityText.Row, _ name: String, _ type: String, at index: Int, _ nameWidth: Int, _ typeWidth: Int,
    _ width: Int
  ) {
    let head = [
      Piece(Self.padded(name, nameWidth), Style(.text)), Piece("  "),
      Piece(Self.padded(type, typeWidth), Style(row.target == nil ? .number : .link)),
    ]
    let room = width - nameWidth - typeWidth - 4
    let notes =
      row.notes.isEmpty ? [] : TextWrap.lines(SafeText.visible(row.notes), width: room >= 16 ? room : max(1, width - 4))
    if room >= 16 {
      lines.append(Line(property: index, pieces: head + notes.prefix(1).map { Piece("  " + $0, Style(.dim)) }))
      let indent = String(repeating: " ", count: nameWidth + typeWidth + 4)
      lines += notes.dropFirst().map { Line(property: index, pieces: [Piece(indent + $0, Style(.dim))]) }
    } else {
      lines.append(Line(property: index, pieces: head))
      lines += notes.map { Line(property: index, pieces: [Piece("    " + $0, Style(.dim))]) }
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let fitted = CellWidth.fit(text, columns: width).text
    return fitted + String(repeating: " ", count: max(0, width - CellWidth.width(of: fitted)))
  }

  /// The lines of a property.
  func range(of property: Int) -> Range<Int> {
    let first = lines.firstIndex { $0.property == property } ?? 0
    let last = lines.lastIndex { $0.property == property } ?? 0
    return first..<last + 1
  }
}
