import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Saves into copies of real stores.
///
/// Of every entity with rows an attribute is changed, a relationship, an object is put in
/// and one taken out. After each the rest of the file is what it was, byte for byte.
@Suite struct SavingCorpusTests {
  /// All but those with triggers of Core Data's own, which are not edited.
  private static let stores = (Corpus.found?.stores ?? []).filter { !$0.path.contains("SampleModel2") }

  @Test(.corpus(cases: 43), arguments: stores)
  func `an update, a relationship, an insert and a delete of each entity change their rows and nothing else`(
    _ store: CorpusStore
  ) throws {
    let subject = try CorpusSubject(store)
    var edited = 0
    let entities = subject.saving.store.map.entities.filter { !$0.entity.isAbstract }
    for entity in entities {
      if let key = try subject.firstKey(of: entity) {
        try subject.updateText(of: entity, key)
        for name in entity.entity.relationshipsByName.keys.sorted() { try subject.relate(entity, key, name) }
        edited += 1
      }
      try subject.insert(entity)
    }
    // Last, since whoever is left may lead to what is gone: no delete rule stands in between here.
    for entity in entities {
      if let key = try subject.firstKey(of: entity) { try subject.delete(entity, key) }
    }
    #expect(edited > 0 || subject.isEmpty)
    #expect(try subject.saving.rows("PRAGMA integrity_check") == ["ok"])
  }
}

/// A copy of a real store with what it holds, line by line.
private final class CorpusSubject {
  let saving: SavingStore
  private let shell: SQLiteShell
  private var lines: [String: Int] = [:]
  let isEmpty: Bool

  init(_ store: CorpusStore) throws {
    let file = try TemporaryStore(copying: store.url)
    saving = try SavingStore(file, model: store.hasModelCache ? nil : Self.model(of: store))
    shell = try SQLiteShell(file.url)
    isEmpty = try saving.store.map.entities.allSatisfy { entity in
      try file.rows("SELECT count(*) FROM \(quoted(entity.table))") == ["0"]
    }
    lines = try dump()
  }

  /// The model that explains every column of a store without a cache.
  private static func model(of store: CorpusStore) throws -> NSManagedObjectModel {
    let known = try #require(try ModelCorpus.stores().first { $0.path == store.path })
    return try NSManagedObjectModel(readingFrom: ModelCorpus.url(try #require(known.exactModels.first)))
  }

  /// One line a row, as `sqlite3` writes them out, with how often each occurs.
  private func dump() throws -> [String: Int] {
    try shell.run(".dump").split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
  }

  /// Runs a save and answers the lines that went and came, by table.
  private func change(_ save: () throws -> Void) throws -> (gone: [String: Int], new: [String: Int]) {
    try save()
    let now = try dump()
    func tables(_ some: [String: Int], without others: [String: Int]) -> [String: Int] {
      var found: [String: Int] = [:]
      for (line, count) in some where count > others[line] ?? 0 {
        let words = line.split(separator: " ", maxSplits: 3)
        let table = words.count > 2 && words[0] == "INSERT" ? words[2].prefix { $0 != "(" } : Substring(line)
        found[table.trimmingCharacters(in: ["\""]), default: 0] += count - (others[line] ?? 0)
      }
      return found
    }
    let result = (gone: tables(lines, without: now), new: tables(now, without: lines))
    lines = now
    return result
  }

  private static let history: Set = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"]

  /// The tables of a change but those of history, which must have grown by one transaction exactly when the store has it.
  private func checked(_ change: (gone: [String: Int], new: [String: Int]), changes: Int) -> (
    gone: [String: Int], new: [String: Int]
  ) {
    if saving.store.schema.hasTable("ACHANGE") {
      #expect(change.new["ATRANSACTION"] == 1)
      #expect(change.new["ACHANGE"] == changes)
    }
    return (
      change.gone.filter { !Self.history.contains($0.key) }, change.new.filter { !Self.history.contains($0.key) }
    )
  }

  func firstKey(of entity: EntityMap) throws -> Int64? {
    try rows(
      "SELECT Z_PK FROM \(quoted(entity.table)) WHERE Z_ENT = \(entity.number) AND typeof(Z_PK) = 'integer' LIMIT 1"
    ).first.flatMap { Int64($0) }
  }

  private func rows(_ sql: String) throws -> [String] {
    try shell.run(sql + ";").split(separator: "\n").map(String.init)
  }

  private func number(_ sql: String) throws -> Int64? { try rows(sql).first.flatMap { Int64($0) } }

  private func version(_ entity: EntityMap, _ key: Int64) throws -> Int64? {
    try number("SELECT Z_OPT FROM \(quoted(entity.table)) WHERE Z_PK = \(key)")
  }

  private func text(of entity: EntityMap) -> String? {
    entity.entity.attributesByName.filter { $0.value.attributeType == .stringAttributeType }.keys.sorted()
      .first { entity.column(of: $0) != nil }
  }

  func updateText(of entity: EntityMap, _ key: Int64) throws {
    guard let name = text(of: entity), let column = entity.column(of: name) else { return }
    let before = try version(entity, key) ?? 0
    let text = "changed \(UUID().uuidString)"
    let change = try checked(
      change { try saving.save(updated: [saving.known(entity.name, key, [name: text])]) }, changes: 1)
    #expect(change.gone == [entity.table: 1] && change.new == [entity.table: 1], "\(entity.name).\(name)")
    #expect(try version(entity, key) == before + 1)
    #expect(try rows("SELECT \(quoted(column)) FROM \(quoted(entity.table)) WHERE Z_PK = \(key)") == [text])
  }

  func insert(_ entity: EntityMap) throws {
    let root = try #require(saving.store.map[entity.entity.rootEntity.name ?? ""])
    let counter =
      "SELECT max(Z_MAX, ifnull((SELECT max(Z_PK) FROM \(quoted(root.table))), 0)) FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)"
    let highest = try number(counter) ?? 0
    let values = text(of: entity).map { [$0: "new \(UUID().uuidString)"] } ?? [:]
    let change = try checked(
      change { try saving.save(inserted: [saving.new(entity.name, values)]) }, changes: 1)
    #expect(change.gone.isEmpty && change.new == [entity.table: 1], "\(entity.name)")
    #expect(try number("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)") == highest + 1)
    #expect(try version(entity, highest + 1) == 1)
  }

  func delete(_ entity: EntityMap, _ key: Int64) throws {
    let joined = try entity.properties.values.reduce(into: [String: Int]()) { joined, property in
      guard case .join(let table, let source, let target, _, _) = property else { return }
      let columns = target == "REFLEXIVE" ? [source, target] : [source]
      for column in columns {
        joined[table, default: 0] += Int(
          try number("SELECT count(*) FROM \(quoted(table)) WHERE \(quoted(column)) = \(key)") ?? 0)
      }
    }
    let change = try checked(change { try saving.save(deleted: [saving.known(entity.name, key)]) }, changes: 1)
    let expected = joined.filter { $0.value > 0 }.merging([entity.table: 1]) { $1 }
    #expect(change.gone == expected && change.new.isEmpty, "\(entity.name)")
  }

  // MARK: Relationships

  /// Leads a relationship of an object to another one, or empties it, telling both ends, and looks from both ends.
  func relate(_ entity: EntityMap, _ key: Int64, _ name: String) throws {
    guard let relationship = entity.entity.relationshipsByName[name], entity.properties[name] != nil,
      let destination = relationship.destinationEntity?.name.flatMap({ saving.store.map[$0] })
    else { return }
    let source = try saving.id(entity.name, key)
    let before = try members(name, of: source)
    let candidates = try rows(
      """
      SELECT Z_ENT || '|' || Z_PK FROM \(quoted(destination.table))
      WHERE Z_ENT IN (\(destination.numbers.map(String.init).joined(separator: ","))) ORDER BY Z_PK LIMIT 50
      """
    ).compactMap { row in
      let parts = row.split(separator: "|").compactMap { Int64($0) }
      return parts.count == 2 ? saving.store.objectID(entity: Int32(parts[0]), primaryKey: parts[1]) : nil
    }
    let target = candidates.first { !before.contains($0) && $0 != source }
    var after = before
    if let target { after = relationship.isToMany ? before + [target] : [target] } else { after.removeAll() }
    guard before != after else { return }
    var edit = Edit(saving: saving)
    try edit.set(relationship, of: source, from: before, to: after)
    if let inverse = relationship.inverseRelationship, inverse !== relationship || relationship.isToMany {
      for other in Set(before).symmetricDifference(after) {
        let there = try members(inverse.name, of: other)
        let isNow = after.contains(other)
        var then = there.filter { $0 != source }
        if isNow { then = inverse.isToMany ? then + [source] : [source] }
        try edit.set(inverse, of: other, from: there, to: then)
        // Who had the other end until now, of a to-one one, has it no more.
        for third in there where isNow && !inverse.isToMany && third != source {
          let theirs = try members(name, of: third)
          try edit.set(relationship, of: third, from: theirs, to: theirs.filter { $0 != other })
        }
      }
    }
    let versions = try edit.objects.keys.map { try version($0) }
    let change = try checked(
      change { try saving.save(updated: Array(edit.objects.values)) }, changes: edit.objects.count)
    let place = "\(entity.name).\(name)"
    #expect(try Set(members(name, of: source)) == Set(after), "\(place)")
    if relationship.isOrdered { #expect(try members(name, of: source) == after, "\(place)") }
    for (id, object) in edit.objects {
      for (name, value) in object.toOne { #expect(try members(name, of: id) == (value.map { [$0] } ?? []), "\(place)") }
      for (name, value) in object.toMany { #expect(try Set(members(name, of: id)) == Set(value.objects), "\(place)") }
    }
    #expect(try edit.objects.keys.map { try version($0) } == versions.map { ($0 ?? 0) + 1 }, "\(place)")
    // Rows of the objects told, and of nobody else; join rows as many as pairs came or went.
    let tables = Dictionary(grouping: edit.objects.keys) { saving.store.map[$0.entity.name ?? ""]?.table ?? "" }
    for (table, ids) in tables {
      #expect(change.new[table] == ids.count && change.gone[table] == ids.count, "\(place)")
    }
    if relationship.inverseRelationship != nil {
      #expect(Set(change.new.keys).union(change.gone.keys).subtracting(tables.keys).count <= 1, "\(place)")
    }
  }

  private func version(_ id: NSManagedObjectID) throws -> Int64? {
    try saving.store.map[id.entity.name ?? ""].flatMap { try version($0, id.primaryKey) }
  }

  /// The objects at the other end, as the store reads them.
  private func members(_ name: String, of id: NSManagedObjectID) throws -> [NSManagedObjectID] {
    let relationship = try #require(id.entity.relationshipsByName[name])
    if relationship.isToMany { return try saving.store.objectIDs(atEndOf: relationship, of: id) }
    let entity = try #require(saving.store.map[id.entity.name ?? ""])
    guard case .toOne(let column, let entityColumn, let destination)? = entity.properties[name] else { return [] }
    let number = entityColumn.map { "ifnull(\(quoted($0)), \(destination))" } ?? String(destination)
    let row = try rows(
      "SELECT \(number) || '|' || \(quoted(column)) FROM \(quoted(entity.table)) WHERE Z_PK = \(id.primaryKey) AND \(quoted(column)) IS NOT NULL"
    ).first
    let parts = row?.split(separator: "|").compactMap { Int64($0) } ?? []
    return parts.count == 2
      ? [saving.store.objectID(entity: Int32(parts[0]), primaryKey: parts[1])].compactMap { $0 } : []
  }

  /// The objects of a save by their ids, while relationships are edited.
  private struct Edit {
    let saving: SavingStore
    var objects: [NSManagedObjectID: SavedObject] = [:]

    mutating func set(
      _ relationship: NSRelationshipDescription, of id: NSManagedObjectID, from before: [NSManagedObjectID],
      to after: [NSManagedObjectID]
    ) throws {
      var object = try objects[id] ?? SavedObject(id: id, snapshot: saving.store.row(of: id))
      if relationship.isToMany {
        object.toMany[relationship.name] = ToManyChange(
          objects: after, added: after.filter { !before.contains($0) }, removed: before.filter { !after.contains($0) })
      } else {
        object.toOne[relationship.name] = .some(after.first)
      }
      objects[id] = object
    }
  }
}
