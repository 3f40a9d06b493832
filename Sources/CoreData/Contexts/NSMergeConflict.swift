import Foundation

/// An object that was changed here and, since it was read, elsewhere.
///
/// Source: Apple, "NSMergeConflict"; reference/CONTEXT.md 48 and 49.
public final class NSMergeConflict: NSObject {
  /// The object of the context that saves.
  public let sourceObject: NSManagedObject
  /// The values that the object was based on, by property; what had no value is `NSNull`.
  public let objectSnapshot: [String: Any]?
  /// The coordinator's values: newer ones that another context over the same stores read or saved, else the object's.
  public let cachedSnapshot: [String: Any]?
  /// The store's values; `nil` when those of the coordinator are the store's, and for a row that is gone.
  public let persistedSnapshot: [String: Any]?
  /// The version of the row now; 0 when it is gone.
  public let newVersionNumber: Int
  /// The version of the row that the object was based on.
  public let oldVersionNumber: Int
  /// The row now; `nil` when it is gone.
  let row: RowReference?
  /// The row that the object was based on.
  let base: RowReference?

  init(_ object: NSManagedObject, row: RowReference?, cached: RowReference?) {
    sourceObject = object
    self.row = row
    base = object.snapshot
    oldVersionNumber = Int(object.version ?? 0)
    newVersionNumber = Int(row?.version ?? 0)
    objectSnapshot = object.snapshot.map(object.storedValues(in:))
    cachedSnapshot = (cached ?? object.snapshot).map(object.storedValues(in:))
    let isKnown = cached?.version != nil && cached?.version == row?.version
    persistedSnapshot = isKnown ? nil : row.map(object.storedValues(in:))
  }

  /// Whether the object's row is gone.
  var isGone: Bool { row == nil }
}

extension NSManagedObject {
  /// The attributes and to-one relationships as a row has them; no value is `NSNull`, an object is its id.
  final func storedValues(in row: RowReference) -> [String: Any] {
    let columns = row.slab.layout.columns(of: entity)
    return Dictionary(
      entity.layout.stored.map { slot in
        (objectClass.properties[slot].name, storedValue(slot, in: row, columns) ?? NSNull())
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of an attribute, or the id of a to-one relationship, as a row has it.
  final func storedValue(_ slot: Int, in row: RowReference, _ columns: [SlabLayout.Column]) -> Any? {
    guard slot < columns.count, columns[slot].value >= 0 else { return nil }
    let cell = StoredValue(slab: row.slab, row: row.index, column: Int(columns[slot].value))
    switch objectClass.kinds[slot] {
    case .attribute(let attribute, let type):
      return cell.object(of: attribute, type: type, in: objectID.persistentStore)
    case .toOne(let relationship):
      guard let key = cell.integer, let store = objectID.objectStore, let target = relationship.destinationEntity else {
        return nil
      }
      let own =
        columns[slot].entity < 0 ? nil : row.slab.integer(row: row.index, column: Int(columns[slot].entity))
      return (own.map(Int32.init(truncatingIfNeeded:)) ?? store.number(of: target))
        .flatMap { store.objectID(entity: $0, primaryKey: key) }
    case .toMany, .other: return nil
    }
  }
}
