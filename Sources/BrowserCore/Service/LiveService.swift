import Combine
import CoreData
import CoreDataKit
import Foundation
import Synchronization

/// The browser's service over a store file: finds the model, opens the store for reading, and asks the dynamic repository.
///
/// The store can be opened anew while the browser runs: to unlock it, or when a snapshot is no longer what lies there. What
/// is asked meanwhile is answered by the newly opened store, and what is followed goes on there.
public final class LiveService: BrowserService {
  private let place: Mutex<URL>
  private let modelURL: URL?
  /// Model files that may be the store's, beside those that lie with it.
  private let models: [URL]
  let isReadOnly: Bool
  private let timeout: Int?
  private let opensUnlocked: Bool
  let environment: [String: String]
  private let opened = Mutex<OpenedStore?>(nil)
  /// Where the store is opened, one time after the other.
  let work = DispatchQueue(label: "LiveService", qos: .userInteractive)

  /// Where filters are written, one after the other.
  private let keeping = DispatchQueue(label: "LiveService.filters")

  /// A service over a store; nothing is read yet.
  ///
  /// `isReadOnly` says that editing can never be unlocked; `opensUnlocked` that it is from the start, where that can be.
  public init(
    url: URL, model: URL? = nil, models: [URL] = [], isReadOnly: Bool, timeout: Int? = nil, opensUnlocked: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    place = Mutex(url)
    (modelURL, self.models) = (model, models)
    self.isReadOnly = isReadOnly
    self.timeout = timeout
    self.opensUnlocked = opensUnlocked
    self.environment = environment
  }

  /// The store's file.
  var url: URL { place.withLock { $0 } }

  /// Takes a store of a folder for the one that is opened.
  public func choose(_ store: StoreSearch.Found) { place.withLock { $0 = store.url } }

  /// Begins to open the store in the background, so that it is open, or nearly, once the terminal is.
  ///
  /// What goes wrong is told by `open()`.
  public func prepare() { work.async { _ = try? self.openOnQueue() } }

  // MARK: Questions

  /// Finds the model, opens the store and tells what is in it; a store that is no longer followed is opened anew.
  public func open() -> AnyPublisher<StoreOutline, any Error> {
    Deferred { [self] () -> AnyPublisher<StoreOutline, any Error> in
      if let current, current.isDisconnected.isSet { work.async { self.reopen(current) } }
      return ask { [self] in outline(of: $0) }
    }
    .eraseToAnyPublisher()
  }

  /// A stretch of rows.
  public func window(
    _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int
  ) -> AnyPublisher<ListWindow, any Error> {
    ask { $0.repository.window(query, columns: columns, at: place, limit: limit) }
  }

  /// Every key of a list, in order.
  public func keys(_ query: ListQuery) -> AnyPublisher<KeyList, any Error> { ask { $0.repository.keys(query) } }

  /// How many objects an entity has of its own.
  public func count(entity: String) -> AnyPublisher<Int, any Error> { ask { $0.repository.count(entity: entity) } }

  /// Values of an attribute, the most frequent first.
  public func values(
    of attribute: String, entity: String, prefix: String, limit: Int
  ) -> AnyPublisher<[CellValue], any Error> {
    ask { $0.repository.values(of: attribute, entity: entity, prefix: prefix, limit: limit) }
  }

  /// Keeps a filter in the person's own files, or no longer.
  public func change(_ filters: FilterChange) -> AnyPublisher<FilterShelf, any Error> {
    ask { [self] opened in
      Future<FilterShelf, any Error> { promise in
        self.keeping.async { promise(Result { try opened.filters.apply(filters) }) }
      }
      .eraseToAnyPublisher()
    }
  }

  /// One object whole, or `nil` when it is gone.
  public func record(_ key: ObjectKey) -> AnyPublisher<RecordDetail?, any Error> {
    ask { $0.repository.record(key).map { $0.map(RecordDetail.init) }.eraseToAnyPublisher() }
  }

  /// A property whole, however long it is; `nil` when the object is gone.
  public func value(of property: String, at key: ObjectKey) -> AnyPublisher<PropertyValue?, any Error> {
    ask { $0.repository.value(of: property, at: key) }
  }

  /// A property's value as the command line writes it, or the whole object as JSON.
  public func text(of property: String?, at key: ObjectKey) -> AnyPublisher<String?, any Error> {
    let write: (NSManagedObject) -> String = { ObjectOutput(showsRelationships: true).text(of: property, in: $0) }
    return ask { opened in
      opened.session?.object(key, body: write).map(Optional.some).eraseToAnyPublisher()
        ?? opened.repository.object(key, body: write)
    }
  }

  /// The first object of a list after one.
  public func first(_ query: ListQuery, after key: ObjectKey?) -> AnyPublisher<ObjectKey?, any Error> {
    ask { $0.repository.first(query, after: key) }
  }

  /// Asks the open store, opening it on first use.
  ///
  /// A question that the closing of the store cut off is asked again of the one that takes its place.
  func ask<Output>(
    _ question: @escaping (OpenedStore) -> AnyPublisher<Output, any Error>
  ) -> AnyPublisher<Output, any Error> {
    whenOpen().flatMap { opened in
      question(opened).catch { [self] error in
        opened.stack.isClosed ? ask(question) : Fail(error: error).eraseToAnyPublisher()
      }
    }
    .eraseToAnyPublisher()
  }

  // MARK: Opening

  /// The store that questions go to; `nil` before it is opened and while it is opened anew.
  var current: OpenedStore? { opened.withLock { $0.flatMap { $0.stack.isClosed ? nil : $0 } } }

  /// The store that questions go to, opened on first use.
  func whenOpen() -> AnyPublisher<OpenedStore, any Error> {
    Deferred { [self] () -> AnyPublisher<OpenedStore, any Error> in
      if let current { return Just(current).setFailureType(to: (any Error).self).eraseToAnyPublisher() }
      return Future { promise in
        self.work.async { promise(Result { try self.openOnQueue() }) }
      }
      .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// Runs on `work`.
  private func openOnQueue() throws -> OpenedStore {
    if let current { return current }
    let model = try StoreModel(forStoreAt: url, given: modelURL, among: models, timeout: timeout.map(Double.init))
    // Looking never writes: the store is opened for reading until somebody unlocks it.
    let reading = try openStore(model, forWriting: false)
    guard opensUnlocked, lockReason(of: reading) == nil else { return reading }
    return try replace(reading, forWriting: true)
  }

  /// Opens the store; edits that waited when it was closed wait again.
  ///
  /// With `memory` the following goes on from what was known of the store when it was open before.
  private func openStore(
    _ model: StoreModel, forWriting: Bool, _ edits: EditState? = nil, following memory: StoreMemory? = nil
  ) throws -> OpenedStore {
    let stack = CoreDataStack(
      configuration: CoreDataConfiguration(
        databaseURL: url, managedObjectModel: model.model, isReadOnly: !forWriting, timeout: timeout))
    stack.follow(on: memory)
    let store = try OpenedStore(model: model, isWritable: forWriting, stack: stack, environment: environment)
    if let edits, !edits.isEmpty { store.session?.wait(for: .restore(edits)) }
    opened.withLock { $0 = store }
    return store
  }

  /// Closes the store and opens it in another way; edits that wait go along.
  ///
  /// Every reader is closed first: while one is open, a connection that writes fails (reference/SQLITE.md 1). Runs on `work`.
  func replace(_ old: OpenedStore, forWriting: Bool) throws -> OpenedStore {
    let edits = old.session?.waitForState()
    let memory = old.repository.stopFollowing()
    try old.stack.close()
    do {
      return try openStore(old.model, forWriting: forWriting, edits, following: memory)
    } catch {
      if forWriting, !old.isWritable { _ = try? openStore(old.model, forWriting: false, following: memory) }
      throw error
    }
  }

  /// Opens the store anew after something else took the place of what was open.
  ///
  /// Whoever writes it may be in the middle of that, so it is tried a few times. Runs on `work`.
  func reopen(_ old: OpenedStore) {
    guard let current, current.stack === old.stack else { return }
    let edits = old.session?.waitForState()
    if let edits, !edits.isEmpty { keep(edits, of: old) }
    let memory = old.repository.stopFollowing()
    guard (try? old.stack.close()) != nil else { return }
    for milliseconds in [50, 100, 200, 400, 0] {
      if (try? openStore(old.model, forWriting: old.isWritable, edits, following: memory)) != nil { return }
      usleep(useconds_t(milliseconds * 1_000))
    }
  }
}
