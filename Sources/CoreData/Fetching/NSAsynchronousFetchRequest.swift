import Foundation
import Synchronization

/// What executing a request gave.
///
/// Source: Apple, "NSPersistentStoreResult".
open class NSPersistentStoreResult: NSObject {}

/// What a request that runs by itself gives.
///
/// Source: Apple, "NSPersistentStoreAsynchronousResult".
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that executes the request.
  public let managedObjectContext: NSManagedObjectContext
  /// How far the request has come.
  public let progress: Progress
  /// Why there is no result; `nil` until it has failed.
  public internal(set) var operationError: (any Error)?
  private let cancelled = Mutex(false)

  init(in context: NSManagedObjectContext) {
    managedObjectContext = context
    progress = Progress(totalUnitCount: 1)
  }

  /// Has a request that has not begun yet not be executed; may be called anywhere.
  open func cancel() {
    cancelled.withLock { $0 = true }
    progress.cancel()
  }

  var isCancelled: Bool { cancelled.withLock { $0 } }
}

/// What a fetch found.
///
/// Source: Apple, "NSAsynchronousFetchResult".
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request that was executed.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// What it found; `nil` until then, and when it failed.
  public internal(set) var finalResult: [ResultType]?

  init(_ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(in: context)
  }
}

/// A fetch that is executed on its context's queue while the caller goes on.
///
/// Source: Apple, "NSAsynchronousFetchRequest"; reference/CONTEXT.md 35. Objects that wait to be saved are seen as by any
/// other fetch.
public final class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// What is called with the result, on the context's queue.
  public typealias CompletionBlock = (NSAsynchronousFetchResult<ResultType>) -> Void

  /// The fetch.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// What is called with the result, on the context's queue.
  public let completionBlock: CompletionBlock?
  /// How many results are expected, for the progress; 0 for an unknown number.
  public var estimatedResultCount = 0

  /// A fetch to be executed by a context.
  public init(fetchRequest request: NSFetchRequest<ResultType>, completionBlock block: CompletionBlock? = nil) {
    fetchRequest = request
    completionBlock = block
    super.init()
  }

  /// A request of nothing in particular.
  public required convenience init() { self.init(fetchRequest: NSFetchRequest()) }
}

/// A request that a context can execute, whatever its type of results.
private protocol ExecutableRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSFetchRequest: ExecutableRequest {
  fileprivate func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self, in: context)
    result.finalResult = try context.fetch(self)
    return result
  }
}

extension NSAsynchronousFetchRequest: ExecutableRequest {
  fileprivate func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(fetchRequest, in: context)
    result.progress.totalUnitCount = Int64(max(1, estimatedResultCount))
    let run = FetchRun(request: self, result: result)
    context.perform { run.finish() }
    return result
  }
}

/// An asynchronous fetch on its way to its context's queue.
///
/// Sendable is unchecked: whoever executed the request hands it over, and from then on only the context's queue touches the
/// request and the result, but for cancelling, which is behind a lock.
private struct FetchRun<ResultType>: @unchecked Sendable {
  let request: NSAsynchronousFetchRequest<ResultType>
  let result: NSAsynchronousFetchResult<ResultType>

  func finish() {
    do {
      if result.isCancelled { throw CocoaError(.userCancelled) }
      result.finalResult = try result.managedObjectContext.fetch(request.fetchRequest)
      result.progress.completedUnitCount = result.progress.totalUnitCount
    } catch {
      result.operationError = error
    }
    request.completionBlock?(result)
  }
}

extension NSManagedObjectContext {
  /// Executes a request: a fetch at once, an `NSAsynchronousFetchRequest` on the context's queue after this has returned.
  ///
  /// Throws what the request throws, and 134091 for a kind of request that no store here knows.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    assertQueue()
    guard let request = request as? any ExecutableRequest else {
      throw NSError.coreData(
        NSPersistentStoreUnsupportedRequestTypeError, "no store knows how to execute a \(type(of: request))")
    }
    return try request.execute(in: self)
  }
}
