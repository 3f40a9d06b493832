import Combine
import CoreData
import CoreDataKit

/// What the browser asks of a store, and all it knows of one.
///
/// Every publisher is cold, answers once (or fails) on an arbitrary queue, and stops its query when cancelled.
public protocol BrowserService: Sendable {
  /// Takes a store of a folder for the one that everything is asked of; before `open()`.
  func choose(_ store: StoreSearch.Found)
  /// Opens the store and tells what is in it, without counting anything.
  func open() -> AnyPublisher<StoreOutline, any Error>
  /// A stretch of rows, for the columns given (property names of the query's entity).
  func window(_ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int)
    -> AnyPublisher<ListWindow, any Error>
  /// Every key of the list in order: stage two, which nothing on screen waits for.
  func keys(_ query: ListQuery) -> AnyPublisher<KeyList, any Error>
  /// How many objects an entity has of its own, subentities not counted.
  func count(entity: String) -> AnyPublisher<Int, any Error>
  /// One object whole, or `nil` when it is gone.
  func record(_ key: ObjectKey) -> AnyPublisher<RecordDetail?, any Error>

  /// A property whole, however long it is; `nil` when the object is gone.
  func value(of property: String, at key: ObjectKey) -> AnyPublisher<PropertyValue?, any Error>

  /// A property's value as the command line writes it, or without a property the whole object as JSON, edits that wait to be
  /// saved included; `nil` when the object is gone.
  func text(of property: String?, at key: ObjectKey) -> AnyPublisher<String?, any Error>
  /// The first object of a list after one, or from its start; `nil` when none follows.
  func first(_ query: ListQuery, after key: ObjectKey?) -> AnyPublisher<ObjectKey?, any Error>

  /// Different values of an attribute for a person to choose from, the most frequent first; see `listValues`.
  func values(of attribute: String, entity: String, prefix: String, limit: Int) -> AnyPublisher<[CellValue], any Error>
  /// Keeps a filter, or no longer; answers all that are kept then.
  func change(_ filters: FilterChange) -> AnyPublisher<FilterShelf, any Error>

  /// What happens to the store from now on, first how closely it is followed; goes on until it is cancelled, also when the
  /// store is opened anew.
  func events() -> AnyPublisher<StoreEvent, Never>
  /// A list that is followed: its keys first, then every step to a later state; goes on until it is cancelled.
  ///
  /// When the store is opened anew, to unlock it or since a snapshot was outdated, a step tells what changed meanwhile, or
  /// the keys come again.
  func monitor(_ query: ListQuery, columns: [String]) -> AnyPublisher<ListEvent, any Error>

  /// Opens the store for writing; the outline tells what holds from then on.
  func unlock() -> AnyPublisher<StoreOutline, any Error>
  /// Does something to the edits that wait to be saved.
  func edit(_ operation: EditOperation) -> AnyPublisher<EditOutcome, any Error>
  /// Why a value cannot be saved as a property of an object, in one line; `nil` when it can.
  func problem(with value: PropertyValue, of property: String, in key: ObjectKey) -> AnyPublisher<String?, any Error>
  /// What deleting objects would take along.
  func deletePreview(_ keys: [ObjectKey]) -> AnyPublisher<DeletePreview, any Error>
}

/// How the bytes on screen relate to the file.
public enum StoreAccess: Hashable, Sendable {
  /// Read in place; what others commit can be seen.
  case inPlace
  /// Read in place, as the file was when it was opened.
  case snapshot
  /// A private copy is read, since reading the original would change bytes beside it.
  case copy
}

/// What a store holds, as the first screen needs it.
public struct StoreOutline: Hashable, Sendable {
  /// The file's name.
  public var name: String
  /// Where the model came from, in words: `model: cached in store`.
  public var modelSource: String
  /// How the file is read.
  public var access: StoreAccess
  /// Whether editing can never be unlocked.
  public var isReadOnly: Bool
  /// Why that is so, in one line; `nil` when it is not, or the reason is plain.
  public var readOnlyReason: String?
  /// The entities, parents before their subentities, otherwise in alphabetical order ignoring case.
  public var entities: [EntityOutline]
  /// The first entity that has rows.
  public var firstWithRows: String?
  /// What the opener wants to tell: lines a person should know, such as columns that do not fit the model.
  public var remarks: [String]
  /// Edits that an earlier run left unsaved.
  public var recovered: EditState?
  /// The store's identifier, which URIs of its objects begin with.
  public var identifier = ""
  /// Whether the file is a plain database, no Core Data store.
  public var isPlain = false
  /// The model, by which filters are read.
  public var model: NSManagedObjectModel?
  /// The model's fetch-request templates.
  package var fetches: [ModelFetch] = []
  /// The filters that are kept for the store.
  public var shelf = FilterShelf()

  /// An outline.
  public init(
    name: String, modelSource: String, access: StoreAccess, isReadOnly: Bool, entities: [EntityOutline],
    firstWithRows: String?, remarks: [String] = []
  ) {
    self.name = name
    self.modelSource = modelSource
    self.access = access
    self.isReadOnly = isReadOnly
    self.entities = entities
    self.firstWithRows = firstWithRows
    self.remarks = remarks
  }
}

/// An entity, as the sidebar and the list's header need it.
public struct EntityOutline: Hashable, Sendable {
  /// The entity's name in the model.
  public var name: String
  /// Its number in this store (`Z_ENT`).
  public var number: Int32
  /// How deep it lies under its root entity.
  public var depth: Int
  /// Whether it can have no objects of its own.
  public var isAbstract: Bool
  /// Its properties, inherited ones included, in the order a list shows them at first.
  public var properties: [PropertyOutline]

  /// An outline.
  public init(name: String, number: Int32, depth: Int, isAbstract: Bool, properties: [PropertyOutline]) {
    self.name = name
    self.number = number
    self.depth = depth
    self.isAbstract = isAbstract
    self.properties = properties
  }
}

/// A property, as a column header and the inspector need it.
public struct PropertyOutline: Hashable, Sendable {
  /// What a property holds.
  public enum Kind: Hashable, Sendable {
    case string, integer, real, decimal, boolean, date, uuid, uri, binary, transformable
    /// A value of any kind, as a column of a plain database without a type holds.
    case any
    case toOne(entity: String)
    case toMany(entity: String, ordered: Bool)
  }

  /// The property's name.
  public var name: String
  /// What it holds.
  public var kind: Kind
  /// Whether a list can be sorted by it.
  public var isSortable: Bool
  /// Why it cannot be edited, in words; `nil` where it can.
  public var whyReadOnly: String?

  /// An outline.
  public init(name: String, kind: Kind, isSortable: Bool) {
    self.name = name
    self.kind = kind
    self.isSortable = isSortable
  }
}

/// One object whole, as the inspector shows it.
public struct RecordDetail: Hashable, Sendable {
  /// The object's identity.
  public var key: ObjectKey
  /// The name of its own entity.
  public var entity: String
  /// The URI, `x-coredata://…`.
  public var uri: String
  /// The row's version counter (`Z_OPT`).
  public var version: Int?
  /// The display name: the first of name, title, label, the first string attribute; `nil` when there is none.
  public var title: String?
  /// Every property with its value, in the entity's order.
  public var fields: [RecordField]

  /// A detail.
  public init(key: ObjectKey, entity: String, uri: String, version: Int?, title: String?, fields: [RecordField]) {
    self.key = key
    self.entity = entity
    self.uri = uri
    self.version = version
    self.title = title
    self.fields = fields
  }
}

/// One property of an object.
public struct RecordField: Hashable, Sendable {
  /// The property.
  public var property: PropertyOutline
  /// Its value; strings come whole up to 64 KiB here.
  public var value: CellValue

  /// A field.
  public init(property: PropertyOutline, value: CellValue) {
    self.property = property
    self.value = value
  }
}
