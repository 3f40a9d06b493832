import CoreData
import Foundation

/// A value of the program's own that is kept as a managed object.
public protocol CoreDataMappable {
  /// The class of the objects that values are kept as.
  associatedtype ManagedObjectType: NSManagedObject

  /// Puts the value into a context: as a new object, or into the one that it has there already.
  ///
  /// Answers the object, or `nil` when it cannot be kept.
  @discardableResult func store(in context: NSManagedObjectContext) -> ManagedObjectType?

  /// The value that an object holds, or `nil` when something is missing.
  init?(managedObject: ManagedObjectType)
}

/// A value that can be told from others by an id, which is an attribute of its object.
public protocol IdentifiableCoreDataMappable: CoreDataMappable {
  /// The type of the id: usually `String`, `UUID` or an integer.
  associatedtype IDType: CustomStringConvertible

  /// The id.
  var id: IDType { get }
  /// The attribute that holds the id; `id` unless the type says otherwise.
  static var idKeyPath: String { get }
  /// An id as the attribute keeps it.
  ///
  /// A string that reads as a UUID is taken for one, any other id as it is; a type whose attribute is a string says
  /// otherwise.
  static func storedID(_ id: IDType) -> Any
}

extension IdentifiableCoreDataMappable {
  /// The attribute `id`.
  public static var idKeyPath: String { "id" }

  /// A UUID where the id is or reads as one, else the id as it is.
  public static func storedID(_ id: IDType) -> Any {
    (id as? String).flatMap { UUID(uuidString: $0) } ?? id
  }
}
