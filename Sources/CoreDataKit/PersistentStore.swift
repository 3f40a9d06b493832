import Combine
import CoreData

/// Work on a writing context; what it returns is handed on after the save.
public typealias DBOperation<Result> = (NSManagedObjectContext) throws -> Result

/// A store of managed objects behind publishers, so that repositories can be tested against a stand-in.
///
/// Every publisher is cold: each subscriber gets its own work, and but for monitors one answer and a completion. Fetches run
/// on the main queue's context, updates on a background context that is saved afterwards; answers arrive on the main queue.
public protocol PersistentStore: Sendable {
  /// How many objects a request finds.
  func count(_ fetchRequest: NSFetchRequest<some Any>) -> AnyPublisher<Int, any Error>
  /// What `map` makes of the objects a request finds, in their order; objects that it maps to `nil` are left out.
  func fetch<T, V>(_ fetchRequest: NSFetchRequest<T>, map: @escaping (T) throws -> V?) -> AnyPublisher<[V], any Error>
  /// Changes objects on a background context and saves; an error leaves the store as it was.
  func update<Result>(_ operation: @escaping DBOperation<Result>) -> AnyPublisher<Result, any Error>
  /// What `map` makes of the objects a request finds, now and after every change.
  func monitor<T, V>(
    _ fetchRequest: NSFetchRequest<T>, map: @escaping (T) throws -> V?
  ) -> AnyPublisher<([V], DataChange), any Error>
}
