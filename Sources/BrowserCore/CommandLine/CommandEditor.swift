import CoreData
import CoreDataKit
import Foundation

/// The edits of one command, step by step; whatever cannot be done is thrown as the command's one error line.
struct CommandEditor {
  let store: CommandStore
  let session: EditSession

  /// The object that a URI means: its key and its own entity.
  func object(_ uri: String) throws -> (key: ObjectKey, entity: NSEntityDescription) {
    try store.object(uri) { object -> (key: ObjectKey, entity: NSEntityDescription) in
      guard let key = object.objectKey else { throw CocoaError(.featureUnsupported) }
      return (key, object.entity)
    }
  }

  /// Makes an object of an entity.
  func insert(_ entity: NSEntityDescription) throws -> ObjectKey {
    let name = entity.name ?? ""
    guard !entity.isAbstract else {
      let choices = entity.selfAndSubentities.filter { !$0.isAbstract }.compactMap(\.name)
      throw UsageError("\(name) is abstract", "insert one of " + choices.joined(separator: ", "))
    }
    guard case .inserted(let key) = try perform(.insert(entity: name)) else {
      throw CommandFailure("no object of \(name) was made", "try again")
    }
    return key
  }

  /// Gives an object's properties what the assignments say.
  func assign(_ assignments: [Assignment], to key: ObjectKey, _ entity: NSEntityDescription, uri: String?) throws {
    let reader = AssignmentReader(
      entity: entity,
      objects: { relationship in try uri.map { try objects(of: $0, relationship) } ?? [] },
      object: { uri, relationship in
        let (target, found) = try object(uri)
        guard let destination = relationship.destinationEntity, found.isKindOf(entity: destination) else {
          let wanted = relationship.destinationEntity?.name ?? "?"
          throw CommandFailure(
            "\(relationship.name) leads to \(wanted), not to \(found.name ?? "?")", "nothing was changed", .data)
        }
        return target
      })
    for (property, value) in try reader.values(assignments) { try perform(.set(key, property: property, value)) }
  }

  /// The objects of a to-many relationship, in order when it has one.
  private func objects(of uri: String, _ relationship: String) throws -> [ObjectKey] {
    try store.object(uri) { object -> [ObjectKey] in
      let value = object.value(forKey: relationship)
      let objects = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
      return objects.compactMap { ($0 as? NSManagedObject)?.objectKey }
    }
  }

  /// Does one thing, or throws why it cannot be done.
  @discardableResult func perform(_ operation: EditOperation) throws -> EditOutcome.Result {
    let outcome = try store.answer(session.perform(operation))
    switch outcome.result {
    case .done, .inserted, .saved: return outcome.result
    case .refused(let reason): throw CommandFailure(reason, "nothing was changed")
    case .invalid(let reasons): throw CommandFailure(reasons.joined(separator: "; "), "nothing was saved")
    case .conflicts(let conflicts):
      let names = conflicts.map { $0.entity + " p\($0.key.primaryKey)" }.joined(separator: ", ")
      throw CommandFailure("another program changed \(names) meanwhile", "look at it, then give the command again")
    }
  }

  /// Saves; the keys of new objects by those they had.
  func save() throws -> [ObjectKey: ObjectKey] {
    if case .saved(_, let keys) = try perform(.save) { return keys }
    return [:]
  }

  /// The lines that `watch` would print of a save; nothing is written.
  func dryRun() throws -> [String] {
    let changes = try store.answer(session.dryRun())
    let writer = ChangeOutput(try store.answer(store.repository.summary()))
    return try changes.changes.map { change in
      writer.line(
        change, date: changes.date, transaction: changes.transaction, values: try values(after: change, writer))
    }
  }

  /// An object as the change would leave it.
  private func values(after change: StoreChanges.Change, _ writer: ChangeOutput) throws -> OutputRow {
    guard change.kind != .delete, let entity = writer.entity(of: change.key) else { return [] }
    var row: OutputRow
    if change.kind == .insert {
      row = entity.listedPropertyNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map { ($0, entity.relationshipsByName[$0]?.isToMany == true ? .number("0") : .null) }
    } else {
      row = try store.object(writer.uri(of: change.key)) { ObjectOutput().properties(of: $0) }
    }
    for (name, value) in change.properties ?? [:] {
      guard let new = value.new, let index = row.firstIndex(where: { $0.name == name }) else { continue }
      row[index].value = writer.value(new, of: name, in: change.key)
    }
    return row
  }
}
