#if os(Linux)
  import CoreData
  import Foundation

  /// The edits that wait to be saved: all that a screen, a recovery file or a test needs to know of them.
  public struct EditState: Hashable, Sendable, Codable {
    /// A property's value as it was read and as it was edited.
    public struct Field: Hashable, Sendable, Codable {
      /// The value that the edit started from.
      public var base: PropertyValue
      /// The value that will be saved.
      public var mine: PropertyValue
      /// Why it cannot be saved; `nil` when it can.
      public var problem: String?

      /// A field.
      public init(base: PropertyValue, mine: PropertyValue, problem: String? = nil) {
        self.base = base
        self.mine = mine
        self.problem = problem
      }
    }

    /// An object with edits.
    public struct Object: Hashable, Sendable, Codable {
      /// Which object; a new one has a negative primary key until it is saved.
      public var key: ObjectKey
      /// The name of its own entity.
      public var entity: String
      /// What will happen to it.
      public var kind: StoreChanges.Change.Kind
      /// The version that its edits are based on; `nil` for a new object.
      public var version: Int?
      /// The edited properties by name.
      public var fields: [String: Field]
      /// Whether a delete rule took it along, not the person.
      public var isCascade: Bool

      /// An object with edits.
      public init(
        key: ObjectKey, entity: String, kind: StoreChanges.Change.Kind, version: Int? = nil,
        fields: [String: Field] = [:], isCascade: Bool = false
      ) {
        self.key = key
        self.entity = entity
        self.kind = kind
        self.version = version
        self.fields = fields
        self.isCascade = isCascade
      }
    }

    /// The objects with edits, in the order they were first touched.
    public var objects: [Object] = []
    /// What `undo` would take back, in words; `nil` when there is nothing.
    public var undoTitle: String?
    /// What `redo` would do again, in words; `nil` when there is nothing.
    public var redoTitle: String?

    /// No edits.
    public init() {}

    /// Whether nothing waits to be saved.
    public var isEmpty: Bool { objects.isEmpty }

    /// The edits of an object.
    public subscript(key: ObjectKey) -> Object? { objects.first { $0.key == key } }
  }

  /// What a person does to objects; each answers with the new `EditState`.
  public enum EditOperation: Hashable, Sendable {
    /// Gives a property a value.
    case set(ObjectKey, property: String, PropertyValue)
    /// Makes a new object with its defaults.
    case insert(entity: String)
    /// Removes objects, with what the delete rules take along.
    case delete([ObjectKey])
    /// Takes the last operation back.
    case undo
    /// Does the operation again that was taken back.
    case redo
    /// Forgets all edits.
    case discard
    /// Validates and saves.
    case save
    /// Settles conflicts that a save met, for each property of each object; then saves.
    ///
    /// An object that is gone from the store is resolved by the property name "": mine inserts nothing and keeps the edits,
    /// theirs forgets them.
    case resolve([ObjectKey: [String: EditConflict.Side]])
    /// Takes up edits that an earlier run left unsaved.
    case restore(EditState)
  }

  /// What an operation led to.
  public struct EditOutcome: Hashable, Sendable {
    /// What came of it.
    public enum Result: Hashable, Sendable {
      /// It was done.
      case done
      /// A new object was made.
      case inserted(ObjectKey)
      /// Everything was saved: how many objects, and the keys that new objects got, by those they had.
      case saved(count: Int, keys: [ObjectKey: ObjectKey])
      /// Nothing was saved, since some values cannot be; the state's fields say which, the lines say all.
      case invalid([String])
      /// Nothing was saved, since the store holds newer versions.
      case conflicts([EditConflict])
      /// Nothing was done; the reason and what to do, in one line.
      case refused(String)
    }

    /// The edits that wait now.
    public var state: EditState
    /// What came of the operation.
    public var result: Result

    /// An outcome.
    public init(state: EditState, result: Result) {
      self.state = state
      self.result = result
    }
  }

  /// An object whose edits are based on an older version than the store holds.
  public struct EditConflict: Hashable, Sendable {
    /// Whose value is taken.
    public enum Side: String, Hashable, Sendable {
      case mine, theirs
    }

    /// One property, three ways.
    public struct Field: Hashable, Sendable {
      /// The property's name.
      public var property: String
      /// The value that the edit started from.
      public var base: PropertyValue
      /// The edited value.
      public var mine: PropertyValue
      /// The store's value now.
      public var theirs: PropertyValue

      /// A field.
      public init(property: String, base: PropertyValue, mine: PropertyValue, theirs: PropertyValue) {
        self.property = property
        self.base = base
        self.mine = mine
        self.theirs = theirs
      }
    }

    /// Which object.
    public var key: ObjectKey
    /// The name of its own entity.
    public var entity: String
    /// Its display name.
    public var title: String?
    /// Whether the object is gone from the store.
    public var isGone: Bool
    /// The properties that either side changed, by name.
    public var fields: [Field]

    /// A conflict.
    public init(key: ObjectKey, entity: String, title: String?, isGone: Bool, fields: [Field]) {
      self.key = key
      self.entity = entity
      self.title = title
      self.isGone = isGone
      self.fields = fields
    }
  }

  /// What deleting objects would take along.
  public struct DeletePreview: Hashable, Sendable {
    /// The objects of one entity that share a fate.
    public struct Line: Hashable, Sendable {
      /// What happens to the objects.
      public enum Fate: String, Hashable, Sendable {
        /// They were chosen to be deleted.
        case chosen
        /// A cascade rule deletes them as well.
        case cascaded
        /// A relationship of theirs loses the deleted object.
        case nullified
        /// They forbid the delete (rule deny).
        case denying
      }

      /// What happens to the objects.
      public var fate: Fate
      /// The entity's name.
      public var entity: String
      /// The relationship that leads to them, `Entity.relationship`; `nil` for the chosen ones.
      public var relationship: String?
      /// How many they are.
      public var count: Int
      /// The display names of the first few.
      public var examples: [String]

      /// A line.
      public init(fate: Fate, entity: String, relationship: String?, count: Int, examples: [String]) {
        self.fate = fate
        self.entity = entity
        self.relationship = relationship
        self.count = count
        self.examples = examples
      }
    }

    /// The lines: chosen, cascaded, nullified, denying.
    public var lines: [Line]
    /// Whether a deny rule forbids the delete.
    public var isDenied: Bool { lines.contains { $0.fate == .denying } }

    /// A preview.
    public init(lines: [Line]) { self.lines = lines }
  }
#endif
