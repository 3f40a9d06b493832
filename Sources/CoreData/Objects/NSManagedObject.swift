import Foundation
import Synchronization

/// What a fetch can give: managed objects, ids, dictionaries, numbers.
///
/// Source: Apple, "NSFetchRequestResult".
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// An object of an entity, living in one context.
///
/// Source: Apple, "NSManagedObject"; reference/CONTEXT.md 1–16.
///
/// An object is its id, the row it was read from (a fault has none yet), and what was changed since. Values are decoded
/// when they are read. Not `Sendable`: use it on its context's queue and pass its `objectID` elsewhere.
open class NSManagedObject: NSObject, NSFetchRequestResult {
  /// Which object it is; a new object's id becomes permanent when it is saved.
  public internal(set) final var objectID: NSManagedObjectID
  /// The context it lives in; `nil` once the context is gone or the object was deleted and saved.
  public internal(set) final weak var managedObjectContext: NSManagedObjectContext?
  /// The entity.
  public final let entity: NSEntityDescription
  /// Whether it was inserted and not yet saved.
  public internal(set) final var isInserted = false
  /// Whether it will be deleted by the next save, or was deleted by the last.
  public internal(set) final var isDeleted = false

  /// What the object shares with all of its class and entity.
  final let objectClass: ManagedObjectClass
  /// The row that was read, and which of its cells belongs to which slot.
  private final var row: RowReference?
  private final var columns: [SlabLayout.Column] = []
  /// Changed values by slot; `nil` inside means that the value was taken away.
  private final var changes: [Int: Any?] = [:]

  /// An object of an entity that takes its place in a context as newly inserted; `nil` leaves it outside any context.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.entity = entity
    objectID = NSManagedObjectID(temporaryFor: entity)
    managedObjectContext = context
    objectClass = entity.objectClass(Self.self)
    super.init()
    objectClass.prepare(self)
    for (slot, kind) in objectClass.kinds.enumerated() {
      if case .attribute(let attribute, _) = kind, let value = attribute.defaultValue { change(slot, to: value) }
    }
    if let context { context.insertNew(self) }
  }

  /// The object of a row, as a fault.
  ///
  /// Contexts make objects this way; programs ask a context for `object(with:)`.
  public required init(id: NSManagedObjectID, in context: NSManagedObjectContext) {
    entity = id.entity
    objectID = id
    managedObjectContext = context
    objectClass = id.entity.objectClass(Self.self)
    super.init()
    objectClass.prepare(self)
  }

  /// Whether the object's values were not read yet.
  ///
  /// Asking does not read them.
  public final var isFault: Bool { row == nil && !isInserted && changes.isEmpty }

  /// Whether values were set since the object was fetched or saved.
  public final var hasChanges: Bool { isInserted || !changes.isEmpty }

  // MARK: Key-value coding

  /// The value of a property, reading the row when the object is a fault.
  ///
  /// Attributes come as `NSNumber`, `NSDecimalNumber`, `String`, `Date`, `Data`, `UUID`, `URL`; transformable attributes as
  /// the stored `Data`; a to-one relationship as the object; a to-many one as `NSSet` or `NSOrderedSet`. A name that is no
  /// property stops the program, where Apple raises `NSUnknownKeyException`.
  open func value(forKey key: String) -> Any? {
    willAccessValue(forKey: key)
    defer { didAccessValue(forKey: key) }
    return primitiveValue(forKey: key)
  }

  /// Sets the value of a property and tells the context that the object changed.
  open func setValue(_ value: Any?, forKey key: String) {
    willChangeValue(forKey: key)
    setPrimitiveValue(value, forKey: key)
    didChangeValue(forKey: key)
  }

  /// The value of a property without reading the row of a fault.
  public final func primitiveValue(forKey key: String) -> Any? { value(inSlot: slot(forKey: key)) }

  /// Sets a value without telling anybody.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    change(slot(forKey: key), to: value)
  }

  /// Must precede direct access to a primitive value: reads the row of a fault.
  ///
  /// `nil` reads it for any property.
  open func willAccessValue(forKey key: String?) {
    if isFault { fulfill() }
  }

  /// Follows direct access to a primitive value.
  open func didAccessValue(forKey key: String?) {}

  /// Must precede setting a primitive value.
  open func willChangeValue(forKey key: String) {
    if isFault { fulfill() }
  }

  /// Follows setting a primitive value.
  open func didChangeValue(forKey key: String) {
    managedObjectContext?.objectDidChange(self)
  }

  /// The values set since the object was fetched or saved, by property; a value taken away is `NSNull`.
  open func changedValues() -> [String: Any] {
    let properties = objectClass.properties
    return Dictionary(uniqueKeysWithValues: changes.map { (properties[$0].name, $1 ?? NSNull()) })
  }

  // MARK: Validation

  /// Whether the object may be saved as a new one; called by a save.
  ///
  /// Every property is checked with `validateValue(_:forKey:)`, by name. Throws the one error there is, or for several one
  /// with the code 1560 that holds them under `NSDetailedErrorsKey` (reference/CONTEXT.md 40). Overrides call super first
  /// and then check what concerns several properties.
  open func validateForInsert() throws { try validateProperties() }

  /// Whether the object may be saved with its changes; called by a save.
  ///
  /// Throws as `validateForInsert()` does.
  open func validateForUpdate() throws { try validateProperties() }

  /// Whether the object may be deleted; called by a save.
  ///
  /// Throws 1600 when a relationship with the rule deny leads to an object that is not deleted as well
  /// (reference/CONTEXT.md 19); several as `validateForInsert()` does.
  open func validateForDelete() throws { try validateDeniedDeletes() }

  /// Whether a value may be saved as the value of a property; it need not be the one that the object has.
  ///
  /// Overriding this is how a class checks a property by itself (Apple's also looks for methods named `validate<Key>:error:`,
  /// which takes the Objective-C runtime). An override may put another value in place of the given one. Throws an error of
  /// the Cocoa domain (reference/CONTEXT.md 42) with the object, key, value and predicate under the `NSValidation…ErrorKey`s.
  /// A name that is no property stops the program.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try validate(value, of: objectClass.properties[slot(forKey: key)])
  }

  // MARK: Slots

  final func slot(forKey key: String) -> Int {
    guard let slot = objectClass.slot(named: key) else {
      preconditionFailure(
        "[<\(Self.self)> valueForUndefinedKey:]: the entity \(entity.name ?? "?") is not key value coding-compliant "
          + "for the key \"\(key)\".")
    }
    return slot
  }

  /// The cell of a stored property in the row that was read; `nil` when it was changed since, or the row has no such cell.
  @inline(__always)
  final func stored(_ slot: Int) -> StoredValue? {
    guard let row, slot < columns.count, columns[slot].value >= 0 else { return nil }
    return StoredValue(slab: row.slab, row: row.index, column: Int(columns[slot].value))
  }

  /// The word of a slot's cell in an object without changes, when the cell is of the storage class that is expected.
  ///
  /// `nil` means that the long way has to be taken. Nothing here is retained or called.
  @inline(__always)
  final func unchangedWord(_ slot: Int, _ tag: RowSlab.Tag) -> UInt64? {
    guard changes.isEmpty, let row, slot < columns.count else { return nil }
    let column = Int(columns[slot].value)
    guard column >= 0, row.slab.tag(row: row.index, column: column) == tag else { return nil }
    return row.slab.word(row: row.index, column: column)
  }

  private final func change(_ slot: Int, to value: Any?) {
    // Taken out to be changed: no access to the property lasts while other code runs, so reading it needs no check.
    var all = changes
    changes = [:]
    all[slot] = .some(value)
    changes = all
  }

  /// The changed value of a slot: `.none` when it was not changed.
  @inline(__always)
  final func changed(_ slot: Int) -> Any?? { changes.isEmpty ? .none : changes[slot] }

  final func value(inSlot slot: Int) -> Any? {
    if let changed = changed(slot) { return changed }
    switch objectClass.kinds[slot] {
    case .attribute(let attribute, let type):
      return stored(slot)?.object(of: attribute, type: type, in: objectID.persistentStore)
    case .toMany(let relationship):
      let objects = objects(atEndOf: relationship)
      let result: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
      return result
    case .toOne(let relationship): return object(atEndOf: relationship, slot: slot)
    case .other: return nil
    }
  }

  private final func object(atEndOf relationship: NSRelationshipDescription, slot: Int) -> NSManagedObject? {
    guard let row, let key = stored(slot)?.integer, let store = objectID.objectStore,
      let context = managedObjectContext, let destination = relationship.destinationEntity
    else { return nil }
    var number = store.number(of: destination)
    if columns[slot].entity >= 0, let own = row.slab.integer(row: row.index, column: Int(columns[slot].entity)) {
      number = Int32(truncatingIfNeeded: own)
    }
    return number.flatMap { store.objectID(entity: $0, primaryKey: key) }.map(context.object(with:))
  }

  private final func objects(atEndOf relationship: NSRelationshipDescription) -> [NSManagedObject] {
    guard !objectID.isTemporaryID, let store = objectID.objectStore, let context = managedObjectContext else {
      return []
    }
    do {
      return try store.objectIDs(atEndOf: relationship, of: objectID).map(context.object(with:))
    } catch {
      context.report(error)
      return []
    }
  }

  /// The version of the row that was read (`Z_OPT`).
  final var version: Int64? { row.flatMap { $0.slab.integer(row: $0.index, column: 0) } }

  // MARK: Faulting

  /// Takes the row cached on the id, or reads it.
  private final func fulfill() {
    if let cached = objectID.slot.withLock({ $0.row }) { return take(cached) }
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
    self.row = row
    columns = row.slab.layout.columns(of: entity)
    awakeFromFetch()
  }

  /// Ends the object's being new: its values are what was written.
  final func didInsert(as id: NSManagedObjectID) {
    objectID = id
    isInserted = false
    row = nil
    changes = [:]
  }

  /// Called when the object has been inserted, once in its life, defaults in place.
  open func awakeFromInsert() {}
  /// Called each time the values of a fault have been read.
  open func awakeFromFetch() {}

  /// The class, entity and id; reads no values.
  open override var description: String {
    "<\(type(of: self))> (entity: \(entity.name ?? "?"); id: \(objectID.uriRepresentation().absoluteString))"
  }
}
