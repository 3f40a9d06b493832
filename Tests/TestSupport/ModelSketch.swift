import CoreData
import Foundation

/// Models for tests, made in a few lines.
public enum ModelSketch {
  /// One end of a relationship.
  public enum End: Sendable {
    case one, many, ordered
  }

  /// An attribute.
  public static func attribute(
    _ name: String, _ type: NSAttributeType, external: Bool = false, default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.allowsExternalBinaryDataStorage = external
    attribute.defaultValue = value
    return attribute
  }

  /// An entity with the children given; `className` is the class of its objects.
  public static func entity(
    _ name: String, _ properties: [NSPropertyDescription] = [], className: String? = nil,
    children: [NSEntityDescription] = []
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    if let className { entity.managedObjectClassName = className }
    entity.properties = properties
    entity.subentities = children
    return entity
  }

  /// A relationship, with its inverse where one is named; `back` of the same name and entity is its own inverse.
  public static func relate(
    _ source: NSEntityDescription, _ name: String, _ end: End = .one, to target: NSEntityDescription,
    inverse back: String? = nil, _ backEnd: End = .one
  ) {
    let forth = relationship(name, end, to: target)
    if let back, back == name, source === target {
      add(forth, to: source)
      forth.inverseRelationship = forth
      return
    }
    add(forth, to: source)
    guard let back else { return }
    let inverse = relationship(back, backEnd, to: source)
    add(inverse, to: target)
    forth.inverseRelationship = inverse
    inverse.inverseRelationship = forth
  }

  /// A model of the entities, which include their children.
  public static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func relationship(_ name: String, _ end: End, to target: NSEntityDescription)
    -> NSRelationshipDescription
  {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = target
    relationship.minCount = 0
    relationship.maxCount = end == .one ? 1 : 0
    relationship.isOrdered = end == .ordered
    return relationship
  }

  private static func add(_ relationship: NSRelationshipDescription, to entity: NSEntityDescription) {
    let inherited = Set((entity.superentity?.properties ?? []).map(ObjectIdentifier.init))
    entity.properties = entity.properties.filter { !inherited.contains(ObjectIdentifier($0)) } + [relationship]
  }
}

extension TemporaryStore {
  /// A store of a model, made and filled by the engine itself.
  public convenience init(
    model: NSManagedObjectModel, named name: String = "Test.sqlite",
    filling fill: (NSManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: name)
    try Self.make(model, at: url, fill)
    try self.init(copying: url)
    withExtendedLifetime(folder) {}
  }

  /// The connections are closed when this returns.
  private static func make(
    _ model: NSManagedObjectModel, at url: URL, _ fill: (NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      try fill(context)
      try context.save()
    }
    try coordinator.remove(store)
  }

  /// A context over the store on a queue of its own, with a coordinator of its own.
  public func context(of model: NSManagedObjectModel, isReadOnly: Bool = true) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The rows that the `sqlite3` program finds, columns separated by `|`.
  public func rows(_ sql: String) throws -> [String] {
    try write(sql).split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
