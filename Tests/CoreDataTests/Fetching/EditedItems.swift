import Foundation
import TestSupport

@testable import CoreData

/// Rows of `ShapesModel`'s items that are edited at random through a connection of their own, as another program would; each
/// commit tells what it changed, as fully or as poorly as a watcher might.
final class EditedItems {
  struct Row {
    var entity: Int32
    var values: [String: SQLiteValue]
  }
  struct Pair: Hashable { var tag: Int64, item: Int64 }

  /// The attributes and to-one relationships that change, with their columns; `place` orders the items of a box's line.
  private static let columns = [
    "name": "ZNAME", "string": "ZSTRING", "rank": "ZRANK", "boolean": "ZBOOLEAN", "double": "ZDOUBLE", "date": "ZDATE",
    "box": "ZBOX", "lineOf": "ZLINEOF", "place": "Z_FOK_LINEOF",
  ]
  private static let names = ["", "a", "A", "b", "é", "Éa", "日本", "a\u{301}", "á", "zz"]

  let file: TemporaryStore
  private let connection: SQLiteConnection
  var random: SeededGenerator
  private(set) var rows: [Int64: Row] = [:]
  private var tagged: Set<Pair> = []
  private var ranked: [Pair: Int64] = [:]
  private var nextKey: Int64 = 1
  /// The names of boxes, by key, which is the entity's number too.
  private var boxNames: [Int64: SQLiteValue] = [:]

  init(_ model: NSManagedObjectModel, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    file = try TemporaryStore(model: model)
    connection = try SQLiteConnection(path: file.url.path, mode: .readWrite)
    // Both journals that a store can have.
    _ = try connection.rows("PRAGMA journal_mode = \(seed % 2 == 0 ? "WAL" : "DELETE")")
    _ = try connection.rows("PRAGMA synchronous = OFF")
    try connection.execute("INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1)")
    try connection.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 6, 1, 'a'), (2, 6, 1, 'b')")
    _ = try commit(edits: Int.random(in: 0...60, using: &random), inserting: 8)
  }

  func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  func query() -> ListQuery { ListQuery.randomlyFiltered(using: &random) }

  /// Some edits in one transaction, and what they changed.
  func commit(edits: Int, inserting: Int = 3) throws -> StoreChanges {
    let before = (rows: rows, tagged: tagged, ranked: ranked, boxNames: boxNames)
    try connection.immediateTransaction {
      for _ in 0..<edits { try edit(inserting: inserting) }
    }
    return changes(since: before)
  }

  private func edit(inserting: Int) throws {
    let key = rows.keys.sorted().randomElement(using: &random)
    if chance(12) { return try renameBox() }
    switch (Int.random(in: 0..<10, using: &random), key) {
    case (0..<inserting, _), (_, nil): try insert()
    case (inserting, let key?): try delete(key)
    case (9, let key?) where chance(4): try move(key, to: Int32.random(in: 3...5, using: &random))
    case (8..., let key?): try pair(key)
    case (_, let key?):
      let name = Self.columns.keys.sorted().randomElement(using: &random) ?? "name"
      let value = value(of: name)
      rows[key]?.values[name] = value
      try connection.execute(
        "UPDATE ZITEM SET \(Self.columns[name] ?? "") = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", [value, .integer(key)])
    }
  }

  private func renameBox() throws {
    let (box, name) = (Int64.random(in: 1...2, using: &random), value(of: "name"))
    boxNames[box] = name
    try connection.execute("UPDATE ZBOX SET ZNAME = ? WHERE Z_PK = ?", [name, .integer(box)])
  }

  private func insert() throws {
    // A key can be used again.
    let free = (1..<nextKey).filter { rows[$0] == nil }
    let key = chance(3) ? free.randomElement(using: &random) ?? nextKey : nextKey
    nextKey = max(nextKey, key + Int64.random(in: 1...3, using: &random))
    let entity = Int32.random(in: 3...5, using: &random)
    let values = Dictionary(uniqueKeysWithValues: Self.columns.keys.sorted().map { ($0, value(of: $0)) })
    rows[key] = Row(entity: entity, values: values)
    let names = values.keys.sorted()
    try connection.execute(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(names.compactMap { Self.columns[$0] }.joined(separator: ", "))) "
        + "VALUES (?, ?, 1\(String(repeating: ", ?", count: names.count)))",
      [.integer(key), .integer(Int64(entity))] + names.map { values[$0] ?? .null })
  }

  private func delete(_ key: Int64) throws {
    rows[key] = nil
    tagged = tagged.filter { $0.item != key }
    ranked = ranked.filter { $0.key.item != key }
    try connection.execute("DELETE FROM ZITEM WHERE Z_PK = ?", [.integer(key)])
    try connection.execute("DELETE FROM Z_3TAGS WHERE Z_3ITEMS = ?", [.integer(key)])
    try connection.execute("DELETE FROM Z_3RANKED WHERE Z_3RANKEDBY = ?", [.integer(key)])
  }

  private func move(_ key: Int64, to entity: Int32) throws {
    rows[key]?.entity = entity
    try connection.execute("UPDATE ZITEM SET Z_ENT = ? WHERE Z_PK = ?", [.integer(Int64(entity)), .integer(key)])
  }

  /// Puts an item among those of a tag, takes it away, or gives it another place.
  private func pair(_ key: Int64) throws {
    let pair = Pair(tag: Int64.random(in: 1...2, using: &random), item: key)
    let keys: [SQLiteValue] = [.integer(key), .integer(pair.tag)]
    if Bool.random(using: &random) {
      if tagged.remove(pair) != nil {
        try connection.execute("DELETE FROM Z_3TAGS WHERE Z_3ITEMS = ? AND Z_6TAGS = ?", keys)
      } else {
        tagged.insert(pair)
        try connection.execute("INSERT INTO Z_3TAGS (Z_3ITEMS, Z_6TAGS) VALUES (?, ?)", keys)
      }
    } else {
      try connection.execute("DELETE FROM Z_3RANKED WHERE Z_3RANKEDBY = ? AND Z_6RANKED = ?", keys)
      if ranked.removeValue(forKey: pair) == nil || Bool.random(using: &random) {
        let place = Int64.random(in: 2...9, using: &random) * 1_024
        ranked[pair] = place
        try connection.execute(
          "INSERT INTO Z_3RANKED (Z_3RANKEDBY, Z_6RANKED, Z_FOK_3RANKEDBY) VALUES (?, ?, ?)", keys + [.integer(place)])
      }
    }
  }

  private func value(of name: String) -> SQLiteValue {
    if chance(4) { return .null }
    switch name {
    case "name", "string": return .text(Self.names.randomElement(using: &random) ?? "")
    case "rank": return .integer(Int64.random(in: -2...2, using: &random))
    case "boolean": return .integer(Int64.random(in: 0...1, using: &random))
    case "double": return .real(Double(Int.random(in: -3...3, using: &random)) / 4)
    case "date": return .integer(Int64.random(in: 0...3, using: &random) * 86_400)
    case "place": return .integer(Int64.random(in: 2...9, using: &random) * 1_024)
    default: return .integer(Int64.random(in: 1...2, using: &random))
    }
  }

  // MARK: What is told

  private func changes(
    since before: (rows: [Int64: Row], tagged: Set<Pair>, ranked: [Pair: Int64], boxNames: [Int64: SQLiteValue])
  ) -> StoreChanges {
    var changes: [StoreChanges.Change] = []
    var tags: [Int64: [String: StoreChanges.Change.Values]] = [:]
    // Either end of a pair may be told, or both.
    let (tellsItems, tellsTags) =
      [(true, true), (true, false), (false, true)].randomElement(using: &random) ?? (true, true)
    var paired: [Int64: [String: StoreChanges.Change.Values]] = [:]
    let unknown = StoreChanges.Change.Values(old: nil, new: nil)
    for pair in tagged.symmetricDifference(before.tagged) {
      if tellsItems { paired[pair.item, default: [:]]["tags"] = unknown }
      if tellsTags { tags[pair.tag, default: [:]]["items"] = unknown }
    }
    for pair in Set(ranked.keys).union(before.ranked.keys) where ranked[pair] != before.ranked[pair] {
      if tellsItems { paired[pair.item, default: [:]]["ranked"] = unknown }
      if tellsTags { tags[pair.tag, default: [:]]["rankedBy"] = unknown }
    }
    for key in Set(rows.keys).union(before.rows.keys).sorted() {
      let (old, new) = (before.rows[key], rows[key])
      if let old, let new, old.entity == new.entity {
        let values = values(old.values, new.values).merging(paired[key] ?? [:]) { $1 }
        if !values.isEmpty { changes.append(change(.update, old.entity, key, values)) }
        continue
      }
      if let old { changes.append(change(.delete, old.entity, key, values(old.values, [:]))) }
      if let new { changes.append(change(.insert, new.entity, key, values([:], new.values))) }
    }
    for box in boxNames.keys.sorted() where boxNames[box] != before.boxNames[box] {
      let name = StoreChanges.Change.Values(old: nil, new: Self.property("name", boxNames[box] ?? .null))
      changes.append(change(.update, Int32(box), box, ["name": name]))
    }
    for (tag, values) in tags { changes.append(change(.update, 6, tag, values)) }
    return StoreChanges(changes, date: Date(timeIntervalSinceReferenceDate: 0), source: .comparison)
  }

  private func change(
    _ kind: StoreChanges.Change.Kind, _ entity: Int32, _ key: Int64, _ values: [String: StoreChanges.Change.Values]
  ) -> StoreChanges.Change {
    StoreChanges.Change(kind, ObjectKey(entity: entity, primaryKey: key), properties: chance(5) ? nil : values)
  }

  private func values(
    _ old: [String: SQLiteValue], _ new: [String: SQLiteValue]
  ) -> [String: StoreChanges.Change.Values] {
    var values: [String: StoreChanges.Change.Values] = [:]
    for name in Self.columns.keys.sorted() where Self.differ(old[name] ?? .null, new[name] ?? .null) {
      // The place is no property: the relationship that it orders is told.
      if name == "place" {
        values["lineOf"] = values["lineOf"] ?? .init(old: nil, new: nil)
        continue
      }
      values[name] = .init(
        old: chance(6) ? nil : Self.property(name, old[name] ?? .null), new: Self.property(name, new[name] ?? .null))
    }
    return values
  }

  /// Swift takes texts to be equal that are written with other code points; a store does not.
  private static func differ(_ old: SQLiteValue, _ new: SQLiteValue) -> Bool {
    if case (.text(let old), .text(let new)) = (old, new) { return !old.utf8.elementsEqual(new.utf8) }
    return old != new
  }

  private static func property(_ name: String, _ value: SQLiteValue) -> PropertyValue {
    switch value {
    case .null, .test: .null
    case .integer(let value) where name == "date": .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    case .integer(let value) where name == "boolean": .boolean(value != 0)
    case .integer(let value) where name == "box" || name == "lineOf":
      .object(ObjectKey(entity: Int32(value), primaryKey: value))
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let text): .text(text)
    case .blob(let bytes): .data(Data(bytes))
    }
  }
}
