import Combine
import CoreData
import Foundation

/// What a repository of one type of values can do.
public protocol BaseRepositoryProtocol<Model> {
  /// The type of the values.
  associatedtype Model: IdentifiableCoreDataMappable

  /// Every value, in the order of the default request.
  func getAll() -> AnyPublisher<[Model], any Error>
  /// The value with an id, or `nil`.
  func getById(_ id: Model.IDType) -> AnyPublisher<Model?, any Error>
  /// Keeps a value; answers it once it is saved.
  func store(_ item: Model) -> AnyPublisher<Model, any Error>
  /// Removes a value; one that is not there is an error.
  func delete(_ item: Model) -> AnyPublisher<Void, any Error>
  /// Every value, and again whenever one of them changes.
  func monitorAll() -> AnyPublisher<([Model], DataChange), any Error>
  /// The value with an id in a list of one, and again whenever it changes; an empty list while there is none.
  func monitorById(_ id: Model.IDType) -> AnyPublisher<([Model], DataChange), any Error>
}

/// A repository of values over a persistent store; subclasses change the request and add their own questions.
///
/// Every publisher is cold and answers on the main queue.
open class BaseRepository<Model: IdentifiableCoreDataMappable>: BaseRepositoryProtocol
where Model.ManagedObjectType: ManagedEntity {
  /// The store behind the repository.
  public let persistentStore: any PersistentStore

  /// A repository over a store.
  public init(persistentStore: any PersistentStore) {
    self.persistentStore = persistentStore
  }

  /// Which objects belong to the repository, and their order; every object of the entity unless overridden.
  open func defaultFetchRequest() -> NSFetchRequest<Model.ManagedObjectType> {
    Model.ManagedObjectType.newFetchRequest()
  }

  /// The request for the object with an id.
  open func fetchRequest(id: Model.IDType) -> NSFetchRequest<Model.ManagedObjectType> {
    let request = Model.ManagedObjectType.newFetchRequest()
    request.predicate = Self.predicate(id)
    return request
  }

  open func getAll() -> AnyPublisher<[Model], any Error> {
    persistentStore.fetch(defaultFetchRequest()) { Model(managedObject: $0) }
  }

  open func getById(_ id: Model.IDType) -> AnyPublisher<Model?, any Error> {
    persistentStore.fetch(fetchRequest(id: id)) { Model(managedObject: $0) }.map(\.first).eraseToAnyPublisher()
  }

  open func store(_ item: Model) -> AnyPublisher<Model, any Error> {
    persistentStore.update { context in
      guard item.store(in: context) != nil else {
        throw RepositoryError.notStored(entity: Model.ManagedObjectType.entityName)
      }
      return item
    }
  }

  open func delete(_ item: Model) -> AnyPublisher<Void, any Error> {
    let id = item.id
    return persistentStore.update { [self] context in
      let objects = try context.fetch(fetchRequest(id: id))
      if objects.isEmpty {
        throw RepositoryError.notFound(entity: Model.ManagedObjectType.entityName, id: id.description)
      }
      objects.forEach(context.delete)
    }
  }

  open func monitorAll() -> AnyPublisher<([Model], DataChange), any Error> {
    persistentStore.monitor(defaultFetchRequest()) { Model(managedObject: $0) }
  }

  open func monitorById(_ id: Model.IDType) -> AnyPublisher<([Model], DataChange), any Error> {
    persistentStore.monitor(fetchRequest(id: id)) { Model(managedObject: $0) }
  }

  private static func predicate(_ id: Model.IDType) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: Model.idKeyPath),
      rightExpression: NSExpression(forConstantValue: Model.storedID(id)), modifier: .direct, type: .equalTo)
  }
}

/// Why a repository could not do what it was asked.
public enum RepositoryError: Error, LocalizedError, Equatable {
  /// No object has the id.
  case notFound(entity: String, id: String)
  /// The value did not become an object.
  case notStored(entity: String)

  /// The reason in one line.
  public var errorDescription: String? {
    switch self {
    case .notFound(let entity, let id): "there is no \(entity) with the id \(id)"
    case .notStored(let entity): "the value could not be kept as \(entity)"
    }
  }
}
