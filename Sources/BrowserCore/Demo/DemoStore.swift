import CoreData
import Foundation

/// The demo's store: where it lies, and making it when it is missing or was made by an older version.
public struct DemoStore: Sendable {
  /// How the demo is made.
  public struct Plan: Hashable, Sendable {
    /// About how many objects there are in all.
    public var rows: Int
    /// What the random choices begin with: the same seed makes the same objects, and the same changes to them.
    public var seed: UInt64

    /// How many changes a second it gets unless it is told otherwise.
    static let rate = 1.0

    /// A plan.
    public init(rows: Int = 5_000, seed: UInt64 = 1) {
      self.rows = rows
      self.seed = seed
    }
  }

  private static let versionKey = "StorebrowserDemoVersion"

  /// The store file.
  public let url: URL
  private let plan: Plan

  /// A demo at a place; by default `$XDG_DATA_HOME/storebrowser/Trails.sqlite`.
  public init(
    at url: URL? = nil, plan: Plan = Plan(), environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.plan = plan
    self.url = url ?? Self.folder(environment).appendingPathComponent("Trails.sqlite")
  }

  private static func folder(_ environment: [String: String]) -> URL {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(fileURLWithPath: data).appendingPathComponent("storebrowser")
    }
    let home = environment["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appendingPathComponent(".local/share/storebrowser")
  }

  /// Whether the file is there, whole, and made to this plan by this version.
  public var isCurrent: Bool {
    guard
      let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    else {
      return false
    }
    return metadata[Self.versionKey] as? String == stamp
  }

  private var stamp: String { "\(DemoModel.version).\(plan.rows).\(plan.seed)" }

  /// Makes the file unless it is current.
  ///
  /// A file of another origin at this place is an error, never overwritten.
  public func prepare() throws {
    if isCurrent { return }
    let manager = FileManager.default
    try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Of several demos started at once one makes the file; the others find it current.
    let lock = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    if lock >= 0 { flock(lock, LOCK_EX) }
    if isCurrent { return }
    if manager.fileExists(atPath: url.path), !isDemo {
      throw CocoaError(
        .fileWriteFileExists,
        userInfo: [
          NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: "a file that is not the demo is at this place",
        ])
    }
    // Built aside and moved, so that a demo cut short never stands at the place.
    let building = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(getpid())")
    defer { Self.remove(building) }
    Self.remove(building)
    try build(at: building)
    Self.remove(url)
    try manager.moveItem(at: building, to: url)
  }

  /// Whether the file at the place is a demo of some version.
  private var isDemo: Bool {
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    return metadata?[Self.versionKey] != nil
  }

  private func build(at url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: DemoModel.make())
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: url)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      var generator = DemoGenerator(plan: plan, context: context)
      generator.makeObjects()
      var metadata = store.metadata
      metadata[Self.versionKey] = stamp
      coordinator.setMetadata(metadata, for: store)
      try context.save()
    }
    try coordinator.remove(store)
  }

  private static func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
