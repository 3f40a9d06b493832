/// The identity of one object inside one store, small enough to keep by the million and safe to hand across queues.
///
/// An `NSManagedObjectID` can be made from it, but costs an allocation; lists of keys do not.
public struct ObjectKey: Hashable, Sendable, Codable {
  /// The number of the object's own entity (`Z_ENT`), which can be a subentity of the one asked for.
  public var entity: Int32
  /// The primary key (`Z_PK`), unique in the table of the entity's root.
  public var primaryKey: Int64

  /// A key from an entity number and a primary key.
  public init(entity: Int32, primaryKey: Int64) {
    self.entity = entity
    self.primaryKey = primaryKey
  }
}

/// One sort key of a list: a property, or a key path over to-one relationships, and a direction.
public struct ListSortKey: Hashable, Sendable {
  /// The property's name in the model.
  public var key: String
  /// Whether smaller values come first; missing values count as the smallest.
  public var ascending: Bool

  /// The listed object's own property that the key begins with.
  var root: String { key.split(separator: ".", maxSplits: 1).first.map(String.init) ?? key }

  /// A sort key.
  public init(_ key: String, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
}

/// Which objects a list shows and in which order: a value that the browser keeps and the store understands.
public struct ListQuery: Hashable, Sendable {
  /// What narrows the objects of the entity.
  public enum Scope: Hashable, Sendable {
    /// Every object of the entity and its subentities.
    case all
    /// The objects at the other end of a relationship of one object.
    case related(to: ObjectKey, relationship: String)
  }

  /// The entity's name; objects of its subentities are included.
  public var entity: String
  /// What narrows the objects.
  public var scope: Scope
  /// Text that must occur in some string attribute, case and diacritics ignored; `nil` asks for no text.
  public var text: String?
  /// What the objects must fulfil, by the rules of a fetch; `nil` asks for nothing.
  package var filter: PredicateTree?
  /// The order; ties, and a list without sort keys, come by entity number and primary key, ascending.
  public var sort: [ListSortKey]

  /// A query.
  public init(entity: String, scope: Scope = .all, text: String? = nil, sort: [ListSortKey] = []) {
    self.entity = entity
    self.scope = scope
    self.text = text
    self.sort = sort
  }

  /// The query with a filter.
  package func filtered(by filter: PredicateTree?) -> ListQuery {
    var query = self
    query.filter = filter
    return query
  }
}
