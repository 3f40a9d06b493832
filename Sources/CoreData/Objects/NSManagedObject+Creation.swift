import Foundation

extension NSManagedObject {
  /// A new object of the entity whose class this is, in a context.
  ///
  /// The entity is looked for in the model of the context; exactly one must have the class (reference/CONTEXT.md 15).
  public convenience init(context: NSManagedObjectContext) {
    let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
    let fitting = entities.filter { $0.objectClass.type == Self.self }
    guard fitting.count == 1 else {
      preconditionFailure(
        "\(Self.self) must be the class of exactly one entity of the context's model, not \(fitting.count)")
    }
    self.init(entity: fitting[0], insertInto: context)
  }
}

extension NSEntityDescription {
  /// A new object of the entity with a name, in a context.
  ///
  /// Source: Apple, "insertNewObject(forEntityName:into:)".
  ///
  /// A name that the model does not have stops the program, as on Apple.
  public class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: name, in: context) else {
      preconditionFailure("+entityForName: could not locate an entity named '\(name)' in this model.")
    }
    return entity.objectClass.type.init(entity: entity, insertInto: context)
  }

  /// The entity with a name in a context's model.
  public class func entity(forEntityName name: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
  }
}

extension NSManagedObject {
  /// The text that the store holds for an attribute, character for character: a URI as it was written, a decimal number
  /// in plain notation.
  ///
  /// `nil` when there is none, or the value was changed. Ours; Apple has no such method.
  public final func storedText(forKey key: String) -> String? {
    willAccessValue(forKey: key)
    let slot = slot(forKey: key)
    guard changed(slot) == nil, let cell = stored(slot), !cell.isNull else { return nil }
    if cell.slab.tag(row: cell.row, column: cell.column) == .real { return cell.real.map(plainDecimal) }
    return cell.text
  }
}
