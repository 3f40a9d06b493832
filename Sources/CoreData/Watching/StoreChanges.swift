import Foundation

/// What changed in a store between two observed states: net changes, by object.
///
/// It comes from a save or from the watcher; `ListChanges` points into it. Nobody else compares states.
public struct StoreChanges: Hashable, Sendable {
  /// One object that is new, other than it was, or gone.
  public struct Change: Hashable, Sendable {
    /// What happened to the object.
    public enum Kind: String, Hashable, Sendable, Codable {
      case insert, update, delete
    }

    /// A property's value before and after; `nil` where it is not known, as for values beyond 64 KiB.
    public struct Values: Hashable, Sendable {
      /// The value before; `nil` where it is not known, and for a new object.
      public var old: PropertyValue?
      /// The value after; `nil` where it is not known, and for one that is gone.
      public var new: PropertyValue?

      /// A value before and after.
      public init(old: PropertyValue?, new: PropertyValue?) {
        self.old = old
        self.new = new
      }
    }

    /// Which object.
    public var key: ObjectKey
    /// What happened to it.
    public var kind: Kind
    /// The properties that differ, by name: of a new object all that have a value; `nil` when it is not known which differ.
    public var properties: [String: Values]?
    /// Whether this process made the change, by an edit of the person who looks on.
    public var isOwn = false

    /// A change.
    public init(_ kind: Kind, _ key: ObjectKey, properties: [String: Values]? = nil, isOwn: Bool = false) {
      self.kind = kind
      self.key = key
      self.properties = properties
      self.isOwn = isOwn
    }
  }

  /// Who made a transaction, as persistent history tells it.
  public struct Transaction: Hashable, Sendable {
    /// The transaction's author.
    public var author: String?
    /// The name of the context that was saved.
    public var context: String?

    /// A transaction.
    public init(author: String? = nil, context: String? = nil) {
      self.author = author
      self.context = context
    }
  }

  /// Where the changes were learnt from.
  public enum Source: String, Hashable, Sendable {
    /// A save of this process.
    case save
    /// Persistent history: every transaction is told.
    case history
    /// The pages of the write-ahead log.
    case pages
    /// All rows compared.
    case comparison
  }

  /// The objects, ascending by entity number and primary key, each once.
  public var changes: [Change]
  /// When they were noticed.
  public var date: Date
  /// Who made them, where history tells.
  public var transaction: Transaction?
  /// Where they were learnt from.
  public var source: Source
  /// Whether everything that changed is named.
  ///
  /// Where it is not, objects changed before they were known well enough to tell which: whoever shows objects reads them
  /// anew. This happens to commits in the first moments after a large store was opened.
  public var isComplete = true

  /// Changes; they are put in order.
  public init(_ changes: [Change], date: Date, transaction: Transaction? = nil, source: Source) {
    self.changes = changes.sorted { ($0.key.entity, $0.key.primaryKey) < ($1.key.entity, $1.key.primaryKey) }
    self.date = date
    self.transaction = transaction
    self.source = source
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { changes.isEmpty }
}

/// How closely an open store is followed.
public enum StoreLiveness: Hashable, Sendable {
  /// Commits are noticed as they happen.
  case live
  /// The store is looked at every few seconds, since notices cannot be trusted; the reason in words.
  case polling(reason: String)
  /// The file is read as it was when it was opened, and looked at for something newer.
  case snapshot
  /// A private copy is read.
  case copy
  /// What is open is no longer the store; the reason in words: `file replaced`, `file deleted`, `schema changed`.
  case disconnected(reason: String)

  /// The path names another file now.
  public static let fileReplaced = StoreLiveness.disconnected(reason: "file replaced")
  /// The path names no file any more.
  public static let fileDeleted = StoreLiveness.disconnected(reason: "file deleted")
  /// Tables are no longer those that the store was opened with.
  public static let schemaChanged = StoreLiveness.disconnected(reason: "schema changed")
  /// The store is made for another model than the one it was opened with, as after a migration.
  public static let modelChanged = StoreLiveness.disconnected(reason: "model changed")
  /// Something newer lies there than the snapshot or the copy that is read, or the store is written in another way than
  /// when it was opened: opened anew it can be followed.
  public static let outdated = StoreLiveness.disconnected(reason: "newer version")

  /// The store cannot be read any more.
  static func unreadable(_ error: any Error) -> StoreLiveness {
    .disconnected(reason: "unreadable: \((error as NSError).localizedDescription)")
  }
}

/// What a watcher tells.
public enum StoreEvent: Hashable, Sendable {
  /// Objects changed.
  case changes(StoreChanges)
  /// The store is followed in another way from now on, or not at all.
  case liveness(StoreLiveness)
}
