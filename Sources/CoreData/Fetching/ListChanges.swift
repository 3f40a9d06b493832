/// How a list differs from what it was, by position: at most one change an object, shifts by others not told.
///
/// Positions obey one arithmetic: take the deleted and the moved rows out at their places before, then put the inserted and
/// the moved ones in at their places after, ascending; what results is the new list (reference/FRC.md 42 and 43).
public struct ListChanges: Hashable, Sendable {
  /// A row that came or went.
  public struct Place: Hashable, Sendable {
    /// Which object.
    public var key: ObjectKey
    /// Where: after the change for a row that came, before it for one that went.
    public var position: Int

    /// A place.
    public init(_ key: ObjectKey, at position: Int) {
      self.key = key
      self.position = position
    }
  }

  /// A row that stays in the list and has a place before and after.
  public struct Step: Hashable, Sendable {
    /// Which object.
    public var key: ObjectKey
    /// Its place before.
    public var from: Int
    /// Its place after.
    public var to: Int

    /// A step.
    public init(_ key: ObjectKey, from: Int, to: Int) {
      self.key = key
      self.from = from
      self.to = to
    }
  }

  /// Rows that went, ascending by their places before.
  public var deletes: [Place]
  /// Rows that came, ascending by their places after.
  public var inserts: [Place]
  /// Rows that changed places among those that stayed, ascending by their places after; such a row was changed, too.
  public var moves: [Step]
  /// Rows that were changed where they are, ascending by their places after.
  public var updates: [Step]

  /// Changes; none unless given.
  public init(deletes: [Place] = [], inserts: [Place] = [], moves: [Step] = [], updates: [Step] = []) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }

  /// Whether nothing happened to the list.
  public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }

  /// How many rows are told of.
  public var count: Int { deletes.count + inserts.count + moves.count + updates.count }
}

/// What a list monitor tells.
public enum ListEvent: Sendable, Equatable {
  /// All keys in order: comes first, once.
  case initial(KeyList)
  /// A later state of the list.
  case update(ListUpdate)
}

/// One step of a monitored list from a state to the next.
public struct ListUpdate: Sendable, Equatable {
  /// What happened in the store, as far as it concerns objects of this list, before or after.
  public var changes: StoreChanges
  /// What that did to the list.
  public var list: ListChanges
  /// The keys of the list as it is now.
  public var keys: KeyList
  /// The rows as they are now of objects that came, moved or were updated, with the monitor's columns; empty when there are
  /// more than `rowLimit` of them, where whoever shows the list reads its window anew.
  public var rows: [ObjectKey: ListRow]

  /// More rows than this are not sent along.
  public static let rowLimit = 500

  /// An update.
  public init(changes: StoreChanges, list: ListChanges, keys: KeyList, rows: [ObjectKey: ListRow]) {
    self.changes = changes
    self.list = list
    self.keys = keys
    self.rows = rows
  }
}
