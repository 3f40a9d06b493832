import CoreData

/// A class of managed objects that knows its entity, makes requests for it and new objects of it.
///
/// `extension UserMO: ManagedEntity {}` is all that a class has to say.
public protocol ManagedEntity: NSManagedObject {
  /// The entity's name: unless the class says otherwise its own name, without `MO` at the end of a word.
  static var entityName: String { get }
}

extension ManagedEntity {
  /// The name of the class without `MO` at the end of a word: `User` for `UserMO`, `DEMO` for `DEMO`.
  public static var entityName: String {
    let name = String(describing: self)
    guard name.hasSuffix("MO"), let before = name.dropLast(2).last, before.isLowercase || before.isNumber else {
      return name
    }
    return String(name.dropLast(2))
  }

  /// A request for the objects of the entity.
  public static func newFetchRequest() -> NSFetchRequest<Self> { NSFetchRequest<Self>(entityName: entityName) }

  /// A new object in a context, or `nil` when the context's model has no such entity or another class for it.
  public static func insertNew(in context: NSManagedObjectContext) -> Self? {
    guard NSEntityDescription.entity(forEntityName: entityName, in: context) != nil else { return nil }
    let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
    guard let typed = object as? Self else {
      context.delete(object)
      return nil
    }
    return typed
  }
}
