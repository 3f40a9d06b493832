import Foundation

/// All that one save writes to one store, in one transaction.
///
/// Inverses are maintained and delete rules applied before: a store writes what it is told and decides nothing.
struct SaveRequest {
  /// New objects, in the order they were inserted.
  var inserted: [SavedObject] = []
  /// Changed objects.
  var updated: [SavedObject] = []
  /// Objects to remove.
  var deleted: [SavedObject] = []
  /// Objects that are not written, whose rows must still be their snapshots.
  var checked: [SavedObject] = []
  /// Data of more bytes than this goes to a file beside the store, where the attribute allows it.
  var inlineLimit = ExternalDataWriter.inlineLimit
  /// Who saves, for persistent history.
  var author: String?
  /// The name of the context that is saved, for persistent history.
  var contextName: String?
}

/// One object of a save: which it is, what it was based on, and the properties to write.
struct SavedObject {
  /// A temporary id for a new object.
  var id: NSManagedObjectID
  /// The row that the changes are based on; `nil` for a new object, and to write whatever is there.
  ///
  /// A store row that differs from it is a conflict: in its version or, where plain SQL may have written, in its values
  /// (reference/SQLITE.md 9).
  var snapshot: RowReference?
  /// Attributes to write, as key-value coding keeps them; `nil` inside takes the value away.
  var attributes: [String: Any?] = [:]
  /// To-one relationships to write.
  var toOne: [String: NSManagedObjectID?] = [:]
  /// To-many relationships that changed.
  var toMany: [String: ToManyChange] = [:]
}

/// How a to-many relationship changed.
struct ToManyChange {
  /// The objects now, in order; of a relationship without order only those that were added.
  var objects: [NSManagedObjectID]
  /// Those that were not there before.
  var added: [NSManagedObjectID]
  /// Those that are no longer there.
  var removed: [NSManagedObjectID]
}

/// What a save did.
struct SaveResult {
  /// The permanent ids of the inserted objects, in their order.
  var ids: [NSManagedObjectID]
}

/// Thrown by a store when rows are not what the changes were based on; nothing was written.
struct SaveConflicts: Error {
  /// One object and the row that the store has for it now; `nil` when it is gone.
  struct Conflict {
    var id: NSManagedObjectID
    var persisted: RowReference?
  }
  var conflicts: [Conflict]
}
