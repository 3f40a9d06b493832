import Foundation

/// Option: a store of another model is migrated when it is added.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: the mapping of a migration is inferred from the models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: the model's hashes need not be those that the store was made with.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: a dictionary of pragmas that are set on each connection to a SQLite store.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

/// A description that is handed to the queue which opens its store.
///
/// Sendable is unchecked: it is a copy that nobody else has.
private struct HandedDescription: @unchecked Sendable {
  let description: NSPersistentStoreDescription
}

extension NSPersistentStoreCoordinator {
  /// Opens the store that a description tells of, and calls `block` with the description and the error, if there was one.
  ///
  /// On another queue, and after this has returned, where the description says asynchronously.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    guard storeDescription.shouldAddStoreAsynchronously else {
      block(storeDescription, Swift.Result { try add(storeDescription) }.failure)
      return
    }
    let copy = (storeDescription.copy() as? NSPersistentStoreDescription) ?? storeDescription
    let handed = HandedDescription(description: copy)
    DispatchQueue.global().async {
      block(handed.description, Swift.Result { try self.add(handed.description) }.failure)
    }
  }

  private func add(_ description: NSPersistentStoreDescription) throws {
    try addPersistentStore(
      ofType: description.type, configurationName: description.configuration, at: description.url,
      options: description.allOptions)
  }

  /// Opens the store at a URL, making it first when there is none, with the type in its newer spelling.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Where a store lies.
  public func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

  /// Empties the store at a URL and whatever lies beside it; a store that is not there is none to destroy.
  ///
  /// Throws 134070 while the store is open here: its connections would go on writing to what was removed. Source: Apple,
  /// "destroyPersistentStore(at:ofType:options:)".
  public func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
    try requireClosed(url)
    for file in Self.files(of: url) { try FileManager.default.removeItem(at: file) }
  }

  /// Empties the store at a URL, with the type in its newer spelling.
  public func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Puts a copy of one store, its log and its external data included, in the place of another.
  ///
  /// The place may be empty. The source is read as it is, also while others write to it, and not changed. What was there is
  /// replaced only when the copy is whole.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
  ) throws {
    try requireClosed(destinationURL)
    let manager = FileManager.default
    let folder = destinationURL.deletingLastPathComponent()
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let building = folder.appendingPathComponent(".\(UUID().uuidString)")
    try manager.createDirectory(at: building, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: building) }
    let copy = building.appendingPathComponent(destinationURL.lastPathComponent)
    try SQLiteStore.copy(sourceURL, to: copy)
    if let data = ExternalData.folder(ofStoreAt: sourceURL)?.deletingLastPathComponent(),
      manager.fileExists(atPath: data.path), let target = ExternalData.folder(ofStoreAt: copy)
    {
      try manager.copyItem(at: data, to: target.deletingLastPathComponent())
    }
    for file in Self.files(of: destinationURL) { try manager.removeItem(at: file) }
    for (file, target) in zip(Self.places(of: copy), Self.places(of: destinationURL))
    where manager.fileExists(atPath: file.path) {
      try manager.moveItem(at: file, to: target)
    }
  }

  /// Puts a copy of one store in the place of another, with the type in its newer spelling.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions, ofType: type.rawValue)
  }

  /// Copies an open store to another place and goes on with the copy: it is added, then the old one is removed.
  ///
  /// The old file stays where it is. Source: Apple, "migratePersistentStore(_:to:options:withType:)"; reference/CONTEXT.md
  /// 107.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    guard let source = (store as? SQLiteStore)?.fileURL else {
      throw NSError.coreData(NSPersistentStoreOperationError, "only stores of files can be copied to another place")
    }
    try requireClosed(url)
    for file in Self.files(of: url) { try FileManager.default.removeItem(at: file) }
    try replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: storeType)
    let configuration = store.configurationName == Self.defaultConfiguration ? nil : store.configurationName
    let new = try addPersistentStore(
      ofType: storeType, configurationName: configuration, at: url, options: options)
    try remove(store)
    return new
  }

  private func requireClosed(_ url: URL) throws {
    guard persistentStore(for: url) == nil else {
      throw NSError.coreData(
        NSPersistentStoreOperationError, "the store is open: remove it from its coordinator first", path: url.path)
    }
  }

  /// Where a store's files go: the main file first.
  private static func places(of url: URL) -> [URL] {
    let beside = ["", "-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) }
    return beside + [ExternalData.folder(ofStoreAt: url)?.deletingLastPathComponent()].compactMap { $0 }
  }

  private static func files(of url: URL) -> [URL] {
    places(of: url).filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"
}

extension Swift.Result where Failure == any Error {
  /// The error, where there is one.
  fileprivate var failure: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

extension NSPersistentStore {
  /// The newer spelling of store types.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type as metadata state it.
    public let rawValue: String

    /// A type by the name that metadata state.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// An XML file, which is read only.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
    /// A store in memory.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}

// What a coordinator posts (reference/CONTEXT.md 107).

/// The key for the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// The key for the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// The key for a store that has a new identifier: the old and the new store.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension NSNotification.Name {
  /// Stores are about to be added or removed.
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Stores were added or removed: `userInfo` has arrays of them under `NSAddedPersistentStoresKey` and its siblings.
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A store is about to be removed; it is the notification's object.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}

extension NSPersistentStoreCoordinator {
  /// Tells that stores were added or removed.
  func post(_ key: String, _ store: NSPersistentStore) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [key: [store]])
  }
}
