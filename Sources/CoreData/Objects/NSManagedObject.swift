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
  /// What it is to its context.
  final var state: ObjectState = []

  /// What the object shares with all of its class and entity.
  final let objectClass: ManagedObjectClass
  /// The row that was read, and which of its cells belongs to which slot.
  private final var row: RowReference?
  private final var columns: [SlabLayout.Column] = []
  /// Changed values by slot; `nil` inside means that the value was taken away; a to-many relationship is a
  /// `RelationshipEdit`.
  private final var changes: [Int: Any?] = [:]

  /// An object of an entity that takes its place in a context as newly inserted; `nil` leaves it outside any context.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.entity = entity
    objectID = NSManagedObjectID(temporaryFor: entity)
    managedObjectContext = context
    objectClass = entity.objectClass(Self.self)
    state = .new
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

  /// Sets the value of a property; the other end of a relationship follows, and the context takes notice.
  open func setValue(_ value: Any?, forKey key: String) {
    willChangeValue(forKey: key)
    setPrimitiveValue(value, forKey: key)
    didChangeValue(forKey: key)
  }

  /// Must precede direct access to a primitive value: reads the row of a fault.
  ///
  /// `nil` reads it for any property.
  open func willAccessValue(forKey key: String?) {
    if LaunchArguments.checksQueues.load(ordering: .relaxed) { managedObjectContext?.requireQueue() }
    if needsRow { fulfill() }
  }

  /// Follows direct access to a primitive value.
  open func didAccessValue(forKey key: String?) {}

  /// Must precede setting a primitive value.
  open func willChangeValue(forKey key: String) {
    if LaunchArguments.checksQueues.load(ordering: .relaxed) { managedObjectContext?.requireQueue() }
    if needsRow { fulfill() }
    if let slot = objectClass.slot(named: key) { managedObjectContext?.willChange(self, slot: slot) }
  }

  /// Follows setting a primitive value: the object counts as changed, and the other end of a relationship follows.
  open func didChangeValue(forKey key: String) {
    if let slot = objectClass.slot(named: key) { managedObjectContext?.didChange(self, slot: slot) }
  }

  /// The persistent values set since the object was fetched or saved, by property; a value taken away is `NSNull`
  /// (reference/CONTEXT.md 11).
  open func changedValues() -> [String: Any] { valuesOfChanges(in: changedSlots) }

  /// Of `changedValues`, those set since the context last posted that its objects changed.
  open func changedValuesForCurrentEvent() -> [String: Any] {
    valuesOfChanges(in: changedSlots.filter(managedObjectContext?.slotsChangedInEvent(self).contains ?? { _ in false }))
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

  // MARK: Life cycle

  /// Called when the object has been inserted, once in its life, defaults in place.
  open func awakeFromInsert() {}
  /// Called each time the values of a fault have been read; what is set here is no change.
  open func awakeFromFetch() {}
  /// Called when values were put back by something else than setters.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called before the object is saved; values may be changed, after which it is called again until none is.
  open func willSave() {}
  /// Called when the object has been saved, or deleted.
  open func didSave() {}
  /// Called when the object is about to be deleted, its relationships still in place.
  open func prepareForDeletion() {}
  /// Called before the object becomes a fault.
  open func willTurnIntoFault() {}
  /// Called when the object has become a fault.
  open func didTurnIntoFault() {}

  /// The class, entity and id; reads no values.
  open override var description: String {
    "<\(type(of: self))> (entity: \(entity.name ?? "?"); id: \(objectID.uriRepresentation().absoluteString))"
  }
}

// MARK: - Row and changes

extension NSManagedObject {
  /// Whether a row must be read before there are values.
  @inline(__always)
  final var needsRow: Bool { row == nil && state.isDisjoint(with: [.new, .inaccessible]) }

  /// The row that was read.
  final var snapshot: RowReference? { row }

  /// The version of the row that was read (`Z_OPT`).
  final var version: Int64? { row?.version }

  /// The cell of a stored property in the row that was read; `nil` when it was changed since, or the row has no such cell.
  @inline(__always)
  final func stored(_ slot: Int) -> StoredValue? {
    guard let row, slot < columns.count, columns[slot].value >= 0 else { return nil }
    return StoredValue(slab: row.slab, row: row.index, column: Int(columns[slot].value))
  }

  /// The number of the entity that a to-one relationship's key belongs to, where the row tells.
  final func storedEntity(_ slot: Int) -> Int32? {
    guard let row, slot < columns.count, columns[slot].entity >= 0 else { return nil }
    return row.slab.integer(row: row.index, column: Int(columns[slot].entity)).map(Int32.init(truncatingIfNeeded:))
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

  /// The changed value of a slot: `.none` when it was not changed.
  @inline(__always)
  final func changed(_ slot: Int) -> Any?? { changes.isEmpty ? .none : changes[slot] }

  final func change(_ slot: Int, to value: Any?) {
    // Taken out to be changed: no access to the property lasts while other code runs, so reading it needs no check.
    var all = changes
    changes = [:]
    all[slot] = .some(value)
    changes = all
  }

  /// Gives slots the row's values back.
  final func dropChanges(where isDropped: (Int) -> Bool) {
    let all = changes
    changes = all.filter { !isDropped($0.key) }
  }

  /// The slots that were changed.
  final var allChangedSlots: [Int] { changes.isEmpty ? [] : Array(changes.keys) }

  /// Gives the object a row, or none, under the changes.
  final func setRow(_ new: RowReference?) {
    row = new
    columns = new?.slab.layout.columns(of: entity) ?? []
  }
}
