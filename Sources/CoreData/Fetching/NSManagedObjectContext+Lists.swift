import Foundation

/// Reading long lists without making objects: what a list on screen needs. These are ours, Apple has no such methods.
/// Like every use of a context they run on its queue; each throws `CocoaError.userCancelled` once `cancellation` is used.
extension NSManagedObjectContext {
  /// What the store is, without reading a row.
  public func listStoreSummary() throws -> ListStoreSummary {
    let store = try listStore()
    let access: ListStoreSummary.Access =
      switch store.ladder?.access {
      case .snapshot: .snapshot
      case .copy: .copy
      case .live, nil: .inPlace
      }
    return ListStoreSummary(
      identifier: store.identifier, access: access,
      entities: store.map.entities.map { .init(entity: $0.entity, number: $0.number, table: $0.table) },
      remarks: store.remarks, isPlain: store.plain != nil, editRefusal: try store.editRefusal(),
      plainURI: { [weak store] key in
        guard let id = store?.objectID(entity: key.entity, primaryKey: key.primaryKey) else { return nil }
        return id.uriRepresentation().absoluteString
      })
  }

  /// A stretch of a list's rows: `limit` at most, with a cell for each of the columns, which are names of stored properties.
  public func listWindow(
    _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int, cancellation: FetchCancellation? = nil
  ) throws -> ListWindow {
    try listStore().window(try resolved(query), columns: columns, at: place, limit: limit, cancellation: cancellation)
  }

  /// The keys of a list's objects, in order: all, or `limit` of them after the first `offset`.
  public func listKeys(
    _ query: ListQuery, offset: Int = 0, limit: Int? = nil, cancellation: FetchCancellation? = nil
  ) throws -> KeyList {
    try listStore().keys(try resolved(query), offset: offset, limit: limit, cancellation: cancellation)
  }

  /// What keeps a list in step with the store from now on, and what tells its changes; rows come with the columns named.
  ///
  /// Reads the keys, unless `keys` has those that were read before.
  public func listTracker(
    _ query: ListQuery, columns: [String], keys: KeyList? = nil, cancellation: FetchCancellation? = nil
  ) throws -> ListTracker {
    let (store, query) = (try listStore(), try resolved(query))
    let keys = try keys ?? store.keys(query, cancellation: cancellation)
    return ListTracker(query, columns: columns, keys: keys, store: store)
  }

  /// The objects of some keys of one list, their rows read, in the order of the keys; those that are gone are left out.
  public func listObjects(_ keys: [ObjectKey]) throws -> [NSManagedObject] {
    try listStore().objectIDs(for: keys).map(object(with:))
  }

  /// The object that a URI means, its row read, as an object of its own entity; `nil` when there is none.
  ///
  /// A URI may name an ancestor of the object's entity.
  public func listObject(at uri: URL) throws -> NSManagedObject? {
    let store = try listStore()
    guard let id = persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri), id.persistentStore === store,
      let number = store.number(of: id.entity)
    else { return nil }
    return try listObjects([ObjectKey(entity: number, primaryKey: id.primaryKey)])
      .first { $0.entity.isKindOf(entity: id.entity) }
  }

  /// How many objects an entity has of its own, subentities not counted.
  public func listCount(ofEntity name: String, cancellation: FetchCancellation? = nil) throws -> Int {
    try listStore().count(ofEntity: name, cancellation: cancellation)
  }

  /// How many objects a list has.
  public func listCount(_ query: ListQuery, cancellation: FetchCancellation? = nil) throws -> Int {
    try listStore().count(try resolved(query), cancellation: cancellation)
  }

  /// The first of the entities that has an object of its own.
  public func firstEntityWithObjects(_ names: [String]) throws -> String? {
    try listStore().firstEntityWithRows(names)
  }

  /// An object read for a close look: every property of its own entity in the order of `listedPropertyNames`, long texts up
  /// to 65,536 characters; `nil` when the object is gone.
  public func listRecord(_ key: ObjectKey, cancellation: FetchCancellation? = nil) throws -> ListRecord? {
    let store = try listStore()
    guard let found = try store.record(key, cancellation: cancellation),
      let entity = store.map[found.row.key.entity]
    else { return nil }
    return ListRecord(
      row: found.row, entity: entity.entity, names: found.names, version: found.version, titleKey: entity.titleKey,
      uri: store.ids.id(table: entity.table, entity: entity, primaryKey: key.primaryKey, store: store)
        .uriRepresentation().absoluteString)
  }

  /// The id of the object with a key, in the store that lists are read from.
  public func objectID(for key: ObjectKey) throws -> NSManagedObjectID? {
    try listStore().objectID(entity: key.entity, primaryKey: key.primaryKey)
  }

  /// The query with the ids of the objects that its filter names by URI.
  private func resolved(_ query: ListQuery) throws -> ListQuery {
    guard let filter = query.filter else { return query }
    return query.filtered(
      by: try filter.replacingReferences { uri in
        guard let id = persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else {
          throw NSError.coreData(NSCoreDataError, "\(uri.absoluteString) is no object of this store")
        }
        return id
      })
  }

  func listStore() throws -> SQLiteStore {
    guard let store = persistentStoreCoordinator?.persistentStores.lazy.compactMap({ $0 as? SQLiteStore }).first else {
      throw NSError.coreData(NSPersistentStoreOperationError, "no store is open that lists can be read from")
    }
    return store
  }
}

/// What a store is and which entities it has.
public struct ListStoreSummary: Sendable {
  /// How what is read relates to the file.
  public enum Access: Sendable {
    /// Read in place; others' commits can be seen.
    case inPlace
    /// Read in place, as the file was when it was opened.
    case snapshot
    /// A private copy is read, since reading the original would change bytes beside it.
    case copy
  }
  /// An entity that the store has.
  public struct Entity: Sendable {
    /// The entity.
    public let entity: NSEntityDescription
    /// Its number, `Z_ENT`.
    public let number: Int32
    /// The table of its tree.
    public let table: String
  }

  /// `Z_UUID`, which URIs of objects begin with.
  public let identifier: String
  /// How the file is read.
  public let access: Access
  /// The entities by ascending number.
  public let entities: [Entity]
  /// Where the tables do not fit the model, one line each.
  public let remarks: [String]
  /// Whether the file is a plain database, no Core Data store.
  public let isPlain: Bool
  /// Why nothing of the store can be changed, in one line; `nil` where it can.
  public let editRefusal: String?
  /// The URI of a row of a plain database.
  let plainURI: @Sendable (ObjectKey) -> String?

  /// The URI of an object; a new one has the form of a temporary id.
  public func uri(of key: ObjectKey) -> String {
    let name = entities.first { $0.number == key.entity }?.entity.name ?? ""
    if key.primaryKey < 0 { return "\(isPlain ? PlainURI.scheme : "x-coredata"):///\(name)/t\(-key.primaryKey)" }
    if isPlain { return plainURI(key) ?? "" }
    return "x-coredata://\(identifier)/\(name)/p\(key.primaryKey)"
  }
}

/// One object as `listRecord` reads it.
public struct ListRecord: Sendable {
  /// The object's key and its cells.
  public let row: ListRow
  /// The object's own entity.
  public let entity: NSEntityDescription
  /// The properties that the cells belong to.
  public let names: [String]
  /// The row's version counter, `Z_OPT`.
  public let version: Int?
  /// The property whose value names the object for people.
  public let titleKey: String?
  /// The URI, `x-coredata://STORE/Entity/p42`.
  public let uri: String
}

extension NSEntityDescription {
  /// The names of the properties that a store keeps, in the order a list shows them at first: attributes, the one that names
  /// an object before the others, then to-one, then to-many relationships, each alphabetically.
  public var listedPropertyNames: [String] {
    let attributes = layout.storedAttributes
    let title = titleKey
    let first = attributes.filter { $0.name == title }.map(\.name)
    return first + attributes.map(\.name).filter { $0 != title } + layout.toOneRelationships.map(\.name)
      + layout.toManyRelationships.map(\.name)
  }

  /// The attribute whose value names an object for people: name, title, label, or the first string attribute.
  public var titleKey: String? {
    let strings = layout.storedAttributes.filter { $0.attributeType == .stringAttributeType }.map(\.name)
    return ["name", "title", "label"].first(where: strings.contains) ?? strings.first
  }
}
