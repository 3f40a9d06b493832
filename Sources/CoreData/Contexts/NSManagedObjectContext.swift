import Foundation
import Synchronization

/// A place where managed objects live and are changed.
///
/// Source: Apple, "NSManagedObjectContext"; reference/CONTEXT.md.
///
/// Sendable is unchecked, as Apple's is: a context may be passed anywhere, but apart from `perform`, `performAndWait` and
/// the properties that say so it must be used on its own queue, which debug builds check.
public final class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// On which queue a context works.
  public enum ConcurrencyType: UInt, Sendable {
    /// A queue of its own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
  }

  /// On which queue the context works.
  ///
  /// May be read anywhere.
  public let concurrencyType: ConcurrencyType
  /// The stores behind the context.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// A name for debugging, which persistent history records with each save.
  public var name: String?
  /// Who saves, which persistent history records.
  public var transactionAuthor: String?
  /// Whatever the program wants to keep with the context.
  public let userInfo = NSMutableDictionary()
  /// What a save does when others changed the same objects: an `NSMergePolicy`.
  ///
  /// `NSMergePolicy.error` unless set; anything else counts as that.
  public var mergePolicy: Any = NSMergePolicy.error
  /// Whether delete rules are applied when pending changes are processed, or only by the next save.
  public var propagatesDeletesAtEndOfEvent = true
  /// Whether an object whose row is gone becomes a deleted one without values; otherwise reading it stops the program.
  public var shouldDeleteInaccessibleFaults = true
  /// How many seconds a row that was read by any context may be used to fill a fault or to refresh an object.
  ///
  /// An older one is read anew. Below zero, as it is unless set, no row is too old; at 0 every one is. Fetching reads rows
  /// whatever this says, and objects that have their values keep them (reference/CONTEXT.md 80 and 82).
  public var stalenessInterval: TimeInterval = -1
  let queue: ContextQueue
  /// What waits to be saved or told; new, changed and deleted objects are kept alive by it.
  var pending = PendingChanges<NSManagedObject>()
  /// Deleted objects whose delete rules were not applied yet.
  var unpropagated: [NSManagedObject] = []
  /// Objects whose rows the next save must find as they were read.
  var checked: Set<NSManagedObject> = []
  /// Objects that were inserted and deleted again since the last save.
  var vanished: [NSManagedObject] = []
  var registered = RegisteredObjects()
  /// What is being changed, event by event.
  var event = EventRecord()
  /// The stores that new objects were assigned to.
  var assignments: [NSManagedObject: NSPersistentStore] = [:]
  /// Fetches whose rows are read page by page.
  var batches: [FetchBatch] = []
  /// What the last fetch that prefetched has read, so that it is still there when it is asked for.
  var prefetched: [NSManagedObject] = []
  /// The undo manager.
  var undoing = UndoState()
  var isSaving = false
  /// How deep in code whose changes do not count.
  private var unprocessedDepth = 0
  private var isProcessingScheduled = false
  /// Primary keys below zero, for objects that were never saved.
  var temporaryKeys = TemporaryKeys()
  private let merging = Mutex(false)
  /// The last error that reading a fault or a relationship met; such reads have no way to throw.
  private(set) var lastReadError: (any Error)?

  /// A context on a queue of its own, or on the main queue.
  public init(concurrencyType: ConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(main: concurrencyType == .mainQueueConcurrencyType)
  }

  deinit {
    // Objects that wait to be saved can hold each other.
    for object in pending.keys + vanished { object.dropChanges { _ in true } }
    registered.removeAll(from: ObjectIdentifier(self))
  }

  /// Stops a debug build when the context is used off its queue, where Apple's does with `ConcurrencyDebug 1`.
  func assertQueue() {
    requireQueue()
    assert(queue.isCurrent, "a managed object context was used off its queue: use perform or performAndWait")
  }

  /// Stops the program where the context is used off its queue, when it was launched to look after that.
  func requireQueue() {
    guard LaunchArguments.checksQueues.load(ordering: .relaxed) else { return }
    precondition(
      queue.isCurrent, "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__: use perform or performAndWait")
  }

  func report(_ error: any Error) { lastReadError = error }
  func forgetReadError() { lastReadError = nil }

  func stores() throws -> [any ObjectStore] {
    guard let coordinator = persistentStoreCoordinator else {
      throw NSError.coreData(NSPersistentStoreOperationError, "the context has no persistent store coordinator")
    }
    return coordinator.persistentStores.compactMap { $0 as? any ObjectStore }
  }

  // MARK: Automatic merging

  /// Whether saves of other contexts over the same coordinator are merged into this one, on its queue.
  ///
  /// False unless set. May be used anywhere.
  public var automaticallyMergesChangesFromParent: Bool {
    get { merging.withLock { $0 } }
    set {
      let isNew = merging.withLock { merging in
        defer { merging = newValue }
        return newValue && !merging
      }
      if isNew { persistentStoreCoordinator?.merging.add(self) }
    }
  }

  // MARK: Changes that count

  /// Runs code whose changes are none: what objects set when they awake.
  func withoutChangeProcessing(_ body: () -> Void) {
    unprocessedDepth += 1
    body()
    unprocessedDepth -= 1
  }

  var processesChanges: Bool { unprocessedDepth == 0 }

  /// On the main queue, what was changed outside `perform` is told at the end of the turn.
  func scheduleProcessing() {
    guard concurrencyType == .mainQueueConcurrencyType, !isProcessingScheduled else { return }
    isProcessingScheduled = true
    queue.async { [weak self] in
      self?.isProcessingScheduled = false
      self?.endEvent()
    }
  }

  /// Tells observers of what an event changed, and ends its step of the undo manager.
  func endEvent() {
    processPendingChanges()
    undoing.manager?.endEvent()
  }
}
