import CoreData
import CoreDataKit
import TextCanvas

extension BrowserState {
  /// What an intent does to edits.
  ///
  /// The first that would change something asks to unlock the store, and goes on once that is done.
  mutating func edit(_ intent: EditIntent) -> [Effect] {
    switch intent {
    case .begin, .external, .add, .delete:
      guard editing.lock == .unlocked else { return askToUnlock(then: intent) }
      switch intent {
      case .add: return add()
      case .delete: return delete()
      default: return intent == .external ? compose() : beginEdit()
      }
    case .undo: return perform(.undo)
    case .redo: return perform(.redo)
    case .save: return perform(.save)
    case .discard:
      guard pendingCount > 1 else { return perform(.discard) }
      overlay = .question(.discard)
    case .unlock, .confirm: return confirm()
    case .decline: return decline()
    case .leave(let way): return leave(way)
    case .keep: return keep()
    case .toggleNil:
      guard editor != nil else { return [] }
      editor?.isNil.toggle()
      return recheck()
    case .openLines: editor?.openLines()
    case .choose(let side): changeConflict { $0.choose(side) }
    case .chooseAll(let side): changeConflict { $0.chooseAll(side) }
    case .resolve: return resolve()
    case .chooseNew(let index, let column):
      focus = .list
      if let column { list?.column = column }
      if newObjects.indices.contains(index) { editing.selectedNew = newObjects[index].key }
      return settle()
    }
    return []
  }

  /// What an answer about edits does.
  mutating func take(_ answer: EditAnswer) -> [Effect] {
    switch answer {
    case .unlocked(let outline): return unlocked(outline)
    case .unlockFailed(let problem):
      editing.lock = .locked
      editing.afterUnlock = nil
      editing.operations = []
      tell(problem)
    case .done(let operation, let outcome): return done(operation, outcome)
    case .failed(let operation, let problem):
      editing.quitsWhenDone = false
      tell(problem)
      return next(after: operation)
    case .validated(let target, let value, let problem):
      guard editor?.target == target, editor?.verdict == .checking(value) else { return [] }
      editor?.verdict = problem.map { .invalid(value, $0) } ?? .valid(value)
    case .validationFailed(let target, let value, let problem):
      guard editor?.target == target, editor?.verdict == .checking(value) else { return [] }
      // The edit itself is validated once more.
      editor?.verdict = .valid(value)
      tell(problem)
    case .composed(let target, let text):
      guard editor?.target == target else { return [] }
      editor?.replace(text)
      return recheck()
    case .composeFailed(let target, let problem):
      if editor?.target == target { editor = nil }
      tell(problem)
    case .preview(let keys, let preview):
      guard case .question(.delete(keys, let title, nil)) = overlay else { return [] }
      overlay = .question(.delete(keys, title: title, preview))
    case .previewFailed(let keys, let problem):
      guard case .question(.delete(keys, _, nil)) = overlay else { return [] }
      overlay = nil
      tell(problem)
    }
    return []
  }

  // MARK: Unlocking

  /// What the opening of a store means for edits: some stores open unlocked, and an earlier run may have left edits.
  mutating func openEditing() -> [Effect] {
    guard let outline else { return [] }
    if let recovered = outline.recovered, !recovered.isEmpty {
      if outline.isReadOnly {
        message = Message(
          text: "\(Self.objects(recovered.objects.count)) with unsaved edits wait until the store can be written.",
          kind: .warning)
      } else {
        overlay = .question(.recovery(recovered))
      }
    }
    return editing.opensUnlocked && !outline.isReadOnly ? unlock(then: nil) : []
  }

  private mutating func askToUnlock(then intent: EditIntent) -> [Effect] {
    editing.afterUnlock = intent
    if editing.lock == .locked { overlay = .question(.unlock) }
    return []
  }

  private mutating func unlock(then intent: EditIntent?) -> [Effect] {
    editing.lock = .unlocking
    editing.afterUnlock = intent
    return [.editing(.unlock)]
  }

  private mutating func unlocked(_ outline: StoreOutline) -> [Effect] {
    let waiting = editing.afterUnlock
    editing.afterUnlock = nil
    self.outline?.access = outline.access
    self.outline?.isReadOnly = outline.isReadOnly
    self.outline?.readOnlyReason = outline.readOnlyReason
    guard !outline.isReadOnly else {
      editing.lock = .locked
      editing.operations = []
      message = Message(text: readOnlyReason ?? "", kind: .warning)
      return []
    }
    editing.lock = .unlocked
    message = nil
    let restored: [Effect] = editing.operations.first.map { [.editing(.perform($0))] } ?? []
    guard let waiting else { return restored }
    // The cursor may have moved on meanwhile to where this cannot be done.
    if let reason = cannot(waiting) {
      message = Message(text: reason, kind: .warning)
      return restored
    }
    return restored + edit(waiting)
  }

  // MARK: Operations

  /// Begins an operation, or lets it wait for those before it.
  mutating func perform(_ operation: EditOperation) -> [Effect] {
    editing.operations.append(operation)
    return editing.operations.count == 1 && editing.lock != .unlocking ? [.editing(.perform(operation))] : []
  }

  private mutating func next(after operation: EditOperation) -> [Effect] {
    if editing.operations.first == operation { editing.operations.removeFirst() }
    return editing.operations.first.map { [.editing(.perform($0))] } ?? []
  }

  private mutating func done(_ operation: EditOperation, _ outcome: EditOutcome) -> [Effect] {
    let before = editing.edits
    editing.edits = outcome.state
    let following = next(after: operation)
    return following + take(outcome.result, of: operation, before: before)
  }

  private mutating func take(
    _ result: EditOutcome.Result, of operation: EditOperation, before: EditState
  ) -> [Effect] {
    switch result {
    case .done: return finish(operation, before)
    case .inserted(let key): return inserted(key)
    case .saved(let count, let keys): return saved(before, count: count, keys: keys)
    case .invalid(let lines):
      editing.quitsWhenDone = false
      let done = if case .restore = operation { "Taken up" } else { "Not saved" }
      let count = lines.count == 1 ? "one value cannot be" : "\(lines.count) values cannot be"
      tell(
        Problem(
          summary: "\(done), \(count): \(lines.first ?? "")", detail: lines.joined(separator: "\n")))
      return showFirstInvalid()
    case .conflicts(let conflicts):
      editing.quitsWhenDone = false
      overlay = .conflict(ConflictState(conflicts))
    case .refused(let reason):
      editing.quitsWhenDone = false
      message = Message(text: reason, kind: .warning)
    }
    return []
  }

  /// Tells what was done where that is not plain to see, and goes where it happened.
  private mutating func finish(_ operation: EditOperation, _ before: EditState) -> [Effect] {
    switch operation {
    case .undo: message = before.undoTitle.map { Message(text: "Took back: \($0)") }
    case .redo: message = before.redoTitle.map { Message(text: "Did again: \($0)") }
    case .discard:
      message = Message(
        text: before.isEmpty
          ? "Forgot the edits of the earlier run." : "Forgot the edits of \(Self.objects(before.objects.count)).")
      if editing.quitsWhenDone { return [.quit] }
    case .restore(let state): message = Message(text: "Took up the edits of \(Self.objects(state.objects.count)).")
    case .delete:
      if pendingCount > 0 { message = Message(text: "Deleted once you save; u takes it back.") }
    default: break
    }
    revealField()
    return settle()
  }

  private mutating func saved(_ before: EditState, count: Int, keys: [ObjectKey: ObjectKey]) -> [Effect] {
    message = Message(text: "Saved \(Self.objects(count)).")
    if editing.quitsWhenDone { return [.quit] }
    // What was saved shows at once; that the store has it is learnt a moment later.
    for object in before.objects where object.kind == .update { show(object) }
    if let selected = editing.selectedNew, let key = keys[selected] {
      editing.selectedNew = nil
      editing.wanted = EditingState.Wanted(key: key)
    }
    guard let key = inspector.key, !key.isNew, before[key] != nil else { return settle() }
    return settle() + [.record(key)]
  }

  /// Puts saved values where the list and the inspector keep what they read.
  private mutating func show(_ object: EditState.Object) {
    if let list, let row = list.buffer.rows.firstIndex(where: { $0.key == object.key }) {
      for (index, column) in list.columns.enumerated() {
        guard let mine = object.fields[column.name]?.mine, list.buffer.rows[row].cells.indices.contains(index) else {
          continue
        }
        let value = shown(mine)
        self.list?.buffer.rows[row].cells[index] = value
      }
    }
    if let record = inspector.record, record.key == object.key {
      for (index, field) in record.fields.enumerated() {
        guard let mine = object.fields[field.property.name]?.mine else { continue }
        let value = shown(mine, whole: true)
        inspector.record?.fields[index].value = value
      }
    }
  }

  // MARK: Adding and deleting

  private mutating func add() -> [Effect] {
    guard let entity = list?.query.entity else { return [] }
    return perform(.insert(entity: entity))
  }

  /// Selects a new object and opens the editor of its first attribute.
  private mutating func inserted(_ key: ObjectKey) -> [Effect] {
    editing.selectedNew = key
    guard let object = selectedNewObject else { return [] }
    focus = .list
    let columns = list?.columns ?? []
    let shown = list?.shownColumns ?? []
    let strings = shown.first { columns[$0].property.kind == .string }
    if let first = strings ?? shown.first(where: { columns[$0].property.kind.target == nil }) { list?.column = first }
    message = Message(text: "A new \(object.entity), saved with ^S.")
    let effects = settle() + inspectSelection()
    return effects + (cannot(.begin) == nil ? beginEdit() : [])
  }

  private mutating func delete() -> [Effect] {
    guard let key = selectedKey else { return [] }
    // Nothing of a new object is in the store, and undo brings it back.
    if key.isNew { return perform(.delete([key])) }
    overlay = .question(.delete([key], title: label(of: key), nil))
    return [.editing(.preview([key]))]
  }

  // MARK: Words

  static func objects(_ count: Int) -> String { count == 1 ? "1 object" : "\(ValueFormatter.grouped(count)) objects" }

  /// Why something cannot be done now; `nil` when it can.
  ///
  /// A store that is only locked is no reason: the first command unlocks it.
  func cannot(_ intent: EditIntent) -> String? {
    guard phase == .open else { return "No store is open." }
    if let reason = readOnlyReason { return reason }
    switch intent {
    case .begin: return cannotEdit
    case .external:
      if let reason = cannotEdit { return reason }
      return editTarget?.property.kind == .string ? nil : "Only text is edited in $EDITOR."
    case .add: return cannotAdd
    case .delete:
      guard let key = selectedKey, focus != .sidebar else { return "No object is selected." }
      return editing.edits[key]?.kind == .delete ? "It is deleted once you save; u takes that back." : nil
    case .undo: return editing.edits.undoTitle == nil ? "There is nothing to take back." : nil
    case .redo: return editing.edits.redoTitle == nil ? "There is nothing to do again." : nil
    case .save, .discard: return pendingCount == 0 ? "No edits wait to be saved." : nil
    default: return nil
    }
  }

  private var cannotAdd: String? {
    guard let list, let entity = entity(named: list.query.entity) else { return "There is no list." }
    guard !entity.isAbstract else {
      return "\(entity.name) is abstract: objects are added to an entity below it."
    }
    guard list.query.scope == .all else {
      return "Objects are added in the list of all \(entity.name): choose it among the entities (1)."
    }
    return nil
  }
}
