import CoreData
import CoreDataKit
import Foundation

/// The commands that change a store: set, insert, delete.
///
/// The edits are made on a background context, checked by the model, and saved in one transaction; with `--dry-run` the store
/// is opened for reading alone and the changes are printed.
struct EditCommands {
  private let invocation: Invocation
  private let isTerminal: Bool
  private let output: (String) -> Void
  private var isDryRun: Bool { invocation.options["dry-run"] != nil }

  init(_ invocation: Invocation, isTerminal: Bool, output: @escaping (String) -> Void) {
    (self.invocation, self.isTerminal, self.output) = (invocation, isTerminal, output)
  }

  func run() throws {
    // Words are looked at before the store is.
    let words = invocation.command == "delete" ? [] : invocation.operands.dropFirst(2)
    let assignments = try words.map { try Assignment($0) }
    let store = try CommandStore(invocation, isReadOnly: isDryRun)
    defer { store.close() }
    // Also what only looks like an edit is refused where the edit would be.
    if let reason = try store.answer(store.repository.summary()).editRefusal {
      throw CommandFailure(reason, "nothing was changed", .data)
    }
    let editor = CommandEditor(store: store, session: EditSession(stack: store.stack))
    switch invocation.command {
    case "set":
      let uri = invocation.operands[1]
      let (key, entity) = try editor.object(uri)
      try editor.assign(assignments, to: key, entity, uri: uri)
      _ = try finish(editor)
    case "insert":
      let entity = try store.entity(named: invocation.operands[1])
      let key = try editor.insert(entity)
      try editor.assign(assignments, to: key, entity, uri: nil)
      if let keys = try finish(editor) { try tell(keys[key] ?? key, store) }
    default:
      try editor.perform(.delete(try invocation.operands.dropFirst().map { try editor.object($0).key }))
      _ = try finish(editor)
    }
  }

  /// Saves and answers the keys of new objects, or prints what would change.
  private func finish(_ editor: CommandEditor) throws -> [ObjectKey: ObjectKey]? {
    guard isDryRun else { return try editor.save() }
    for line in try editor.dryRun() { output(line + "\n") }
    return nil
  }

  /// The new object's URI, or the object where a format is asked for.
  private func tell(_ key: ObjectKey, _ store: CommandStore) throws {
    let uri = ChangeOutput(try store.answer(store.repository.summary())).uri(of: key)
    guard invocation.options["format"] != nil else { return output(uri + "\n") }
    var show = invocation
    show.command = "show"
    show.operands = [invocation.operands[0], uri]
    try StoreCommands(show, isTerminal: isTerminal, output: output).run()
  }
}
