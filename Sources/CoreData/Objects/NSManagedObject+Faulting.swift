import Foundation

extension NSManagedObject {
  /// Whether the object's values were not read yet.
  ///
  /// Asking does not read them.
  public final var isFault: Bool { needsRow && !state.contains(.unread) }

  /// 0 for an object whose values may be read and set, else the state its class says that it is in.
  ///
  /// Always 0 here: classes that say otherwise have a property of their own.
  public final var faultingState: Int { 0 }

  /// Takes the row cached on the id, or reads it.
  final func fulfill() {
    managedObjectContext?.dropStaleRow(of: objectID)
    if objectID.cachedRow == nil { managedObjectContext?.readPage(of: objectID) }
    if let cached = objectID.cachedRow { return take(cached) }
    guard let store = objectID.objectStore, let context = managedObjectContext else { return }
    do {
      guard let row = try store.row(of: objectID) else { return context.couldNotFulfill(self) }
      take(row)
    } catch {
      context.report(error)
    }
  }

  /// Gives the object the values of a row.
  final func take(_ row: RowReference) {
    setRow(row)
    // Its values were here before it was saved: for the program it never was a fault.
    if state.remove(.unread) != nil { return }
    guard let context = managedObjectContext else { return awakeFromFetch() }
    context.withoutChangeProcessing { awakeFromFetch() }
  }

  /// Gives up all values, to be read again when somebody asks.
  final func turnIntoFault() {
    guard !isFault else { return dropChanges { _ in true } }
    willTurnIntoFault()
    dropChanges { _ in true }
    setRow(nil)
    state.remove(.unread)
    didTurnIntoFault()
  }

  /// Puts the object on a newer row, its changes over it; to-many relationships are read anew.
  final func rebase(on row: RowReference?) {
    forgetCommittedSets()
    if let row { setRow(row) }
  }

  /// Has to-many relationships that were changed be read anew.
  final func forgetCommittedSets() {
    for slot in allChangedSlots { (changed(slot) as? RelationshipEdit)?.forgetBase() }
  }

  /// Gives up what was set to the value that the row has: a newer row's value is taken then.
  final func dropChangesWithoutEffect() {
    let persistent = entity.layout.persistent
    dropChanges { slot in
      persistent.contains(slot) && !(changed(slot) is RelationshipEdit) && !isChangedInEffect(slot)
    }
  }

  /// Ends the object's being changed: its values are what was written.
  ///
  /// Transient values stay.
  final func didCommit() {
    state.remove(.new)
    endChanges()
    let row = objectID.cachedRow
    setRow(row)
    if row == nil { state.insert(.unread) }
  }

  /// Ends the object's waiting to be saved: its values are those of its row again.
  ///
  /// Transient values stay.
  final func endChanges() {
    state.subtract([.inserted, .updated])
    let transient = entity.layout.transient
    dropChanges { !transient.contains($0) }
  }

  /// Makes an object whose deletion was saved a new one without values, in the context that it belonged to.
  final func becomeNew(in context: NSManagedObjectContext) {
    dropChanges { _ in true }
    setRow(nil)
    objectID = NSManagedObjectID(temporaryFor: entity)
    state = [.new, .inserted]
    managedObjectContext = context
  }

  /// Ends the object's belonging to a context: the values that are here stay.
  final func leaveContext() {
    if needsRow { state.insert(.inaccessible) }
    managedObjectContext = nil
  }
}
