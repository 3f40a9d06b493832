import Foundation

/// A model, a coordinator with its stores, and the main queue's context, made together.
///
/// Source: Apple, "NSPersistentContainer"; reference/CONTEXT.md 78 and 105. May be subclassed.
///
/// Sendable is unchecked because the class is open and its descriptions can be set: they are to be set before the stores are
/// loaded; everything else is constant and Sendable.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name, of the model and of the file as well.
  public let name: String
  /// The context of the main queue.
  public let viewContext: NSManagedObjectContext
  /// The model.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator that the stores are added to.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// How the stores are opened: one SQLite store named after the container, in `defaultDirectoryURL()`, unless set.
  public var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// The folder for stores: `CoreData` in the user's folder for the data of programs (`XDG_DATA_HOME`), by the name of the
  /// program; made when it is not there.
  open class func defaultDirectoryURL() -> URL {
    let manager = FileManager.default
    let support = manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    let folder = (support ?? manager.temporaryDirectory).appendingPathComponent(ProcessInfo.processInfo.processName)
    // Whoever opens a store in it is told when it could not be made.
    try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A container whose model has its name: `NAME.momd`, `.mom` or `.xcdatamodeld` in the main bundle, or in a `.resources`
  /// folder beside the program.
  ///
  /// Without such a model the container has none of the program's entities, as Apple's.
  public convenience init(name: String) {
    self.init(name: name, managedObjectModel: Self.model(named: name) ?? NSManagedObjectModel())
  }

  /// A container of a model.
  public required init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: Self.defaultDirectoryURL().appendingPathComponent(name + ".sqlite"))
    ]
    super.init()
  }

  static func model(named name: String) -> NSManagedObjectModel? {
    let manager = FileManager.default
    let program = Bundle.main.bundleURL
    let beside = (try? manager.contentsOfDirectory(at: program, includingPropertiesForKeys: nil)) ?? []
    let folders =
      [Bundle.main.resourceURL, program].compactMap { $0 }
      + beside.filter { $0.pathExtension == "resources" }.sorted { $0.path < $1.path }
    for folder in folders {
      for kind in ["momd", "mom", "xcdatamodeld"] {
        let url = folder.appendingPathComponent("\(name).\(kind)")
        if manager.fileExists(atPath: url.path), let model = NSManagedObjectModel(contentsOf: url) { return model }
      }
    }
    return nil
  }

  /// Adds a store for each description and calls `block` once for each, with the error where it could not be added.
  ///
  /// Returns when that is done, but for the stores whose descriptions say asynchronously: of those `block` is told on
  /// another queue.
  open func loadPersistentStores(
    completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// A context on a queue of its own; it merges nothing by itself, as is observed of Apple's (reference/CONTEXT.md 69).
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` with a context of its own, on that context's queue, while the caller goes on.
  open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs `block` with a context of its own, on that context's queue, and gives its result.
  public final func performBackgroundTask<Result: Sendable>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform(schedule: .enqueued) { try block(context) }
  }
}
