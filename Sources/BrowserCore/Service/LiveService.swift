import Combine
import CoreData
import CoreDataKit
import Foundation
import Synchronization

/// The browser's service over a store file: finds the model, opens the store for reading, and asks the dynamic repository.
public final class LiveService: BrowserService {
  private let url: URL
  private let modelURL: URL?
  private let isReadOnly: Bool
  private let timeout: Int?
  private let opened = Mutex<Opened?>(nil)

  private struct Opened: Sendable {
    let repository: EntityRepository
    let model: StoreModel
  }

  /// A service over a store; nothing is read yet.
  ///
  /// `isReadOnly` says that editing can never be unlocked.
  public init(url: URL, model: URL? = nil, isReadOnly: Bool, timeout: Int? = nil) {
    self.url = url
    modelURL = model
    self.isReadOnly = isReadOnly
    self.timeout = timeout
  }

  /// Begins to open the store in the background, so that it is open, or nearly, once the terminal is.
  ///
  /// What goes wrong is told by `open()`.
  public func prepare() {
    DispatchQueue.global(qos: .userInteractive).async { [self] in
      _ = try? openedOnce().repository.stack.open()
    }
  }

  /// Finds the model, opens the store and tells what is in it.
  public func open() -> AnyPublisher<StoreOutline, any Error> {
    repository { [self] opened in
      opened.repository.summary()
        .flatMap { [url, isReadOnly] store in
          var outline = StoreOutline(store, model: opened.model, name: url.lastPathComponent, isReadOnly: isReadOnly)
          return opened.repository.firstWithObjects(outline.entities.map(\.name)).map { first in
            outline.firstWithRows = first
            return outline
          }
        }
        .eraseToAnyPublisher()
    }
  }

  /// A stretch of rows.
  public func window(
    _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int
  ) -> AnyPublisher<ListWindow, any Error> {
    repository { $0.repository.window(query, columns: columns, at: place, limit: limit) }
  }

  /// Every key of a list, in order.
  public func keys(_ query: ListQuery) -> AnyPublisher<KeyList, any Error> {
    repository { $0.repository.keys(query) }
  }

  /// How many objects an entity has of its own.
  public func count(entity: String) -> AnyPublisher<Int, any Error> {
    repository { $0.repository.count(entity: entity) }
  }

  /// One object whole, or `nil` when it is gone.
  public func record(_ key: ObjectKey) -> AnyPublisher<RecordDetail?, any Error> {
    repository { opened in
      opened.repository.record(key).map { $0.map(RecordDetail.init) }.eraseToAnyPublisher()
    }
  }

  /// What happens to the store.
  public func events() -> AnyPublisher<StoreEvent, Never> { Empty(completeImmediately: false).eraseToAnyPublisher() }

  /// The keys of a list.
  public func monitor(_ query: ListQuery, columns: [String]) -> AnyPublisher<ListEvent, any Error> {
    keys(query).map(ListEvent.initial).eraseToAnyPublisher()
  }

  /// Opens the store for writing.
  public func unlock() -> AnyPublisher<StoreOutline, any Error> {
    Fail(error: CocoaError(.featureUnsupported)).eraseToAnyPublisher()
  }

  /// Edits.
  public func edit(_ operation: EditOperation) -> AnyPublisher<EditOutcome, any Error> {
    Fail(error: CocoaError(.featureUnsupported)).eraseToAnyPublisher()
  }

  /// Validates.
  public func problem(
    with value: PropertyValue, of property: String, in key: ObjectKey
  ) -> AnyPublisher<String?, any Error> { Fail(error: CocoaError(.featureUnsupported)).eraseToAnyPublisher() }

  /// What deleting would take along.
  public func deletePreview(_ keys: [ObjectKey]) -> AnyPublisher<DeletePreview, any Error> {
    Fail(error: CocoaError(.featureUnsupported)).eraseToAnyPublisher()
  }

  /// Runs `body` with the repository, finding the model and making the stack on first use.
  private func repository<Output>(
    _ body: @escaping (Opened) -> AnyPublisher<Output, any Error>
  ) -> AnyPublisher<Output, any Error> {
    if let opened = opened.withLock({ $0 }) { return body(opened) }
    return Deferred { [self] in
      Future<Opened, any Error> { promise in
        let answer = Promise(keep: promise)
        DispatchQueue.global(qos: .userInteractive).async { answer.keep(Result { try self.openedOnce() }) }
      }
    }
    .flatMap { body($0) }
    .eraseToAnyPublisher()
  }

  private func openedOnce() throws -> Opened {
    try opened.withLock { opened in
      if let opened { return opened }
      let model = try StoreModel(forStoreAt: url, given: modelURL, timeout: timeout.map(Double.init))
      // Looking never writes: the store is opened for reading until somebody unlocks it.
      let stack = CoreDataStack(
        configuration: CoreDataConfiguration(
          databaseURL: url, managedObjectModel: model.model, isReadOnly: true, timeout: timeout))
      let made = Opened(repository: EntityRepository(stack: stack), model: model)
      opened = made
      return made
    }
  }
}

/// A future's promise, which may be kept from any thread once; the closure is handed over whole.
private struct Promise<Output>: @unchecked Sendable {
  let keep: (Result<Output, any Error>) -> Void
}
