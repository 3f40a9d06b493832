import CoreData
import Foundation

/// Changes as `watch` and `--dry-run` print them: a line of JSON each (CLI.md).
struct ChangeOutput {
  private let store: ListStoreSummary
  private let entities: [Int32: NSEntityDescription]

  /// The changes of a store.
  init(_ store: ListStoreSummary) {
    self.store = store
    entities = Dictionary(store.entities.map { ($0.number, $0.entity) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of an object; `nil` for a number that the store does not have.
  func entity(of key: ObjectKey) -> NSEntityDescription? { entities[key.entity] }

  /// The URI of an object; a new one has the form of a temporary id.
  func uri(of key: ObjectKey) -> String {
    store.uri(of: key)
  }

  /// The line of a change, without its end.
  ///
  /// `values` is the object as it is after the change, by property in bytewise order; of a deleted object nothing is left.
  /// `related` has the objects of to-many relationships, for those that the change does not tell.
  func line(
    _ change: StoreChanges.Change, date: Date, transaction: StoreChanges.Transaction?, values: OutputRow,
    related: OutputRow = []
  ) -> String {
    var row: [(name: String, json: String)] = [
      ("at", dateJSON(date)), ("type", JSONText.quoted(change.kind.rawValue)),
      ("objectID", JSONText.quoted(uri(of: change.key))),
      ("entity", JSONText.quoted(entity(of: change.key)?.name ?? "")),
      ("changed", changed(change, related + values)),
      ("values", JSONText.object(values.map { ($0.name, $0.value.json) })),
    ]
    if let transaction {
      let who = [("author", transaction.author), ("context", transaction.context)]
      row.append(("transaction", JSONText.object(who.map { ($0, $1.map(JSONText.quoted) ?? "null") })))
    }
    return JSONText.object(row)
  }

  /// `{key: [old, new]}`, or `[new]` where the old value is not known; `null` where it is not known what differs.
  private func changed(_ change: StoreChanges.Change, _ values: OutputRow) -> String {
    guard let properties = change.properties else { return "null" }
    let now = Dictionary(values.map { ($0.name, $0.value.json) }, uniquingKeysWith: { first, _ in first })
    return JSONText.object(
      properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { key, value in
        let old = change.kind == .insert ? "null" : value.old.map { json($0, of: key, in: change.key) }
        let new =
          change.kind == .delete ? "null" : value.new.map { json($0, of: key, in: change.key) } ?? now[key] ?? "null"
        return (key, JSONText.array([old, new].compactMap { $0 }))
      })
  }

  private func json(_ value: PropertyValue, of property: String, in key: ObjectKey) -> String {
    self.value(value, of: property, in: key, showsRelationships: true).json
  }

  /// A value as rows hold it.
  func value(
    _ value: PropertyValue, of property: String, in key: ObjectKey, showsRelationships: Bool = false
  ) -> OutputValue {
    switch value {
    case .null: return .null
    case .integer(let number): return .number(String(number))
    case .boolean(let isTrue): return .bool(isTrue)
    case .real(let number):
      let isFloat = entity(of: key)?.attributesByName[property]?.attributeType == .floatAttributeType
      return .number(isFloat ? JSONText.number(Float(number)) : JSONText.number(number))
    case .decimal(let text), .text(let text), .odd(let text): return .string(text)
    case .date(let date): return OutputValue(json: dateJSON(date), text: ISODate.text(date))
    case .uuid(let uuid): return .string(uuid.uuidString)
    case .data(let data): return .data(data)
    case .object(let target): return .string(uri(of: target))
    case .objects(let targets):
      guard showsRelationships else { return .number(String(targets.count)) }
      var uris = targets.map(uri)
      let isOrdered = entity(of: key)?.relationshipsByName[property]?.isOrdered ?? false
      if !isOrdered { uris.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
      return OutputValue(json: JSONText.array(uris.map(JSONText.quoted)), text: uris.joined(separator: " "))
    }
  }

  private func dateJSON(_ date: Date) -> String {
    ISODate.text(date).map(JSONText.quoted) ?? JSONText.number(date.timeIntervalSinceReferenceDate)
  }
}
