import Foundation

/// What one event of a context has changed, as far as it takes to undo it.
///
/// Filled while objects change; relationships are in it at both ends, so that taking it back keeps them in step.
struct UndoStep {
  /// What a slot held: an attribute's value, the object of a to-one relationship, or the objects of a to-many one.
  enum Content {
    case value(Any?)
    case objects([NSManagedObject])
  }
  /// What the slots that were set held before, by object.
  private(set) var before: [NSManagedObject: [Int: Content]] = [:]
  private(set) var inserted: [NSManagedObject] = []
  /// The objects that were deleted, with all that they held.
  private(set) var deleted: [(object: NSManagedObject, contents: [Int: Content])] = []

  var isEmpty: Bool { before.isEmpty && inserted.isEmpty && deleted.isEmpty }

  /// A slot is about to be set.
  mutating func willChange(_ object: NSManagedObject, slot: Int) {
    guard before[object]?[slot] == nil else { return }
    before[object, default: [:]][slot] = object.undoContent(slot)
  }

  /// An object was inserted.
  mutating func insert(_ object: NSManagedObject) {
    if let place = deleted.firstIndex(where: { $0.object === object }) {
      deleted.remove(at: place)
    } else {
      inserted.append(object)
    }
  }

  /// An object is to be deleted.
  mutating func delete(_ object: NSManagedObject) {
    if let place = inserted.firstIndex(where: { $0 === object }) {
      inserted.remove(at: place)
      before[object] = nil
      return
    }
    let slots = object.objectClass.kinds.indices
    deleted.append((object, Dictionary(uniqueKeysWithValues: slots.map { ($0, object.undoContent($0)) })))
  }
}

extension NSManagedObject {
  fileprivate final func undoContent(_ slot: Int) -> UndoStep.Content {
    switch objectClass.kinds[slot] {
    case .toMany(let relationship): .objects(relatedObjects(slot, relationship))
    case .toOne(let relationship): .value(relatedObject(slot, relationship))
    case .attribute, .other: .value(value(inSlot: slot))
    }
  }

  /// Gives slots what they held; the other ends of relationships are somebody else's matter.
  fileprivate final func restore(_ contents: [Int: UndoStep.Content]) {
    if needsRow { willAccessValue(forKey: nil) }
    for (slot, content) in contents.sorted(by: { $0.key < $1.key }) {
      managedObjectContext?.willNote(self, slot: slot)
      switch content {
      case .value(let value): setPrimitive(value, slot: slot)
      case .objects(let objects): setPrimitive(objects, slot: slot)
      }
      managedObjectContext?.note(self, slot: slot)
    }
  }
}

extension NSManagedObjectContext {
  /// What takes the context's changes back; `nil`, as it is unless set, keeps nothing for that.
  ///
  /// The changes of one event are one step; a step is registered when pending changes are processed. Source: Apple,
  /// "undoManager"; reference/CONTEXT.md 84.
  public var undoManager: UndoManager? {
    get { undoing.manager }
    set {
      undoing = UndoState(newValue, for: self)
      event.undo = UndoStep()
    }
  }

  /// Takes back the changes since the last event ended, or those of the last event; without an undo manager nothing happens.
  public func undo() {
    assertQueue()
    processPendingChanges()
    undoing.manager?.undo()
  }

  /// Does again what was undone last; without an undo manager nothing happens.
  public func redo() {
    assertQueue()
    processPendingChanges()
    undoing.manager?.redo()
  }

  /// Whether changes are noted so that they can be undone.
  var notesUndo: Bool { undoing.manager != nil && processesChanges }

  /// A slot is about to be set by something else than a setter: as the other end of a relationship, or by an undo.
  func willNote(_ object: NSManagedObject, slot: Int) {
    if notesUndo { event.undo.willChange(object, slot: slot) }
  }

  /// Hands what the event has changed to the undo manager.
  func registerUndo() {
    let step = event.undo
    event.undo = UndoStep()
    guard !step.isEmpty, let manager = undoing.manager, manager.isUndoRegistrationEnabled else { return }
    undoing.isRegistering = true
    manager.registerUndo(withTarget: self) { $0.takeBack(step) }
    undoing.isRegistering = false
  }

  /// Forgets all steps: what they lead back to is gone.
  func forgetUndo() {
    event.undo = UndoStep()
    undoing.manager?.removeAllActions(withTarget: self)
  }

  /// Takes a step back, as a step of its own.
  private func takeBack(_ step: UndoStep) {
    processPendingChanges()
    var events: [(NSManagedObject, NSSnapshotEventType)] = []
    for (object, contents) in step.deleted {
      revive(object, contents)
      events.append((object, .undoDeletion))
    }
    for (object, contents) in step.before where object.managedObjectContext === self {
      object.restore(contents)
      if !step.inserted.contains(object), !step.deleted.contains(where: { $0.object === object }) {
        events.append((object, .undoUpdate))
      }
    }
    for object in step.inserted where object.managedObjectContext === self && !object.isDeleted {
      events.append((object, .undoInsertion))
      end(object)
    }
    for (object, event) in events { object.awake(fromSnapshotEvents: event) }
    changed()
    processPendingChanges()
  }

  /// Brings an object back that was deleted; one whose deletion was saved becomes a new one with its old values.
  private func revive(_ object: NSManagedObject, _ contents: [Int: UndoStep.Content]) {
    if object.managedObjectContext === self {
      unpropagated.removeAll { $0 === object }
      vanished.removeAll { $0 === object }
      object.state.remove(.deleted)
      pending.insert(object)
      object.state.insert(pending.kind(of: object) == .inserted ? .inserted : .updated)
      if notesUndo { event.undo.insert(object) }
      return
    }
    guard object.managedObjectContext == nil else { return }
    object.becomeNew(in: self)
    pending.insert(object)
    registered.add(object, for: object.objectID, in: ObjectIdentifier(self))
    if notesUndo { event.undo.insert(object) }
    object.restore(contents)
  }

  /// Deletes an object whose relationships are taken back by the same step.
  private func end(_ object: NSManagedObject) {
    if notesUndo { event.undo.delete(object) }
    if object.isInserted { vanished.append(object) }
    object.state.subtract([.inserted, .updated])
    object.state.insert(.deleted)
    pending.delete(object)
  }
}

/// A context's undo manager, and who tells the context that it is about to be used.
struct UndoState {
  let manager: UndoManager?
  var isRegistering = false
  private let checkpoint: Observation?

  init() { (manager, checkpoint) = (nil, nil) }

  init(_ manager: UndoManager?, for context: NSManagedObjectContext) {
    self.manager = manager
    checkpoint = manager.map { manager in
      Observation(of: .NSUndoManagerCheckpoint, from: manager) { [weak context] in
        guard let context, context.queue.isCurrent, !context.undoing.isRegistering else { return }
        if !context.pending.isTold { context.processPendingChanges() }
      }
    }
  }
}

/// An observer that is removed with this object.
final class Observation {
  private let token: any NSObjectProtocol

  init(of name: Notification.Name, from object: AnyObject, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in body() }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
