import CoreData
import Foundation

/// Where a stack's database lies and which model it has.
public struct CoreDataConfiguration: Sendable {
  /// The model.
  public var managedObjectModel: NSManagedObjectModel
  /// The database file.
  public var databaseURL: URL
  /// Whether the database is only read, and not a byte of it or beside it changes.
  public var isReadOnly: Bool
  /// How many seconds a locked file is waited for; `nil` for the framework's own choice.
  public var timeout: Int?

  /// A database at a URL.
  public init(databaseURL: URL, managedObjectModel: NSManagedObjectModel, isReadOnly: Bool = false, timeout: Int? = nil)
  {
    self.databaseURL = databaseURL
    self.managedObjectModel = managedObjectModel
    self.isReadOnly = isReadOnly
    self.timeout = timeout
  }
}
