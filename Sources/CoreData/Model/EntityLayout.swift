import Foundation

/// The slots of an entity's objects: which property stands where.
///
/// First attributes and to-one relationships of the store, then to-many relationships, then transient properties, then
/// fetched properties; within each group sorted by name, byte by byte. Inherited properties are included, so an
/// entity's slots say nothing about those of its subentities.
struct EntityLayout: Sendable {
  /// All properties in slot order.
  let properties: [NSPropertyDescription]
  /// The slots that a row of the store fills by itself: attributes and to-one relationships.
  let stored: Range<Int>
  /// The slots of to-many relationships.
  let toMany: Range<Int>
  /// The slots of transient attributes and relationships.
  let transient: Range<Int>
  /// The slots of fetched properties.
  let fetched: Range<Int>
  /// The attributes among `stored`, in slot order.
  let storedAttributes: [NSAttributeDescription]
  /// The to-one relationships among `stored`, in slot order.
  let toOneRelationships: [NSRelationshipDescription]
  /// The stored to-many relationships, in slot order.
  let toManyRelationships: [NSRelationshipDescription]
  private let slots: [String: Int]

  init(properties unordered: [NSPropertyDescription]) {
    var groups: [[NSPropertyDescription]] = [[], [], [], []]
    for property in unordered { groups[Self.group(of: property)].append(property) }
    for index in groups.indices { groups[index].sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
    var ranges: [Range<Int>] = []
    for group in groups {
      let start = ranges.last?.upperBound ?? 0
      ranges.append(start..<(start + group.count))
    }
    properties = groups.flatMap { $0 }
    stored = ranges[0]
    toMany = ranges[1]
    transient = ranges[2]
    fetched = ranges[3]
    storedAttributes = groups[0].compactMap { $0 as? NSAttributeDescription }
    toOneRelationships = groups[0].compactMap { $0 as? NSRelationshipDescription }
    toManyRelationships = groups[1].compactMap { $0 as? NSRelationshipDescription }
    slots = Dictionary(properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The slot of a property, nil when the entity has none of that name.
  func slot(named name: String) -> Int? { slots[name] }

  private static func group(of property: NSPropertyDescription) -> Int {
    if property is NSFetchedPropertyDescription || property is NSExpressionDescription { return 3 }
    if property.isTransient { return 2 }
    if let relationship = property as? NSRelationshipDescription, relationship.isToMany { return 1 }
    return 0
  }
}
