import Combine
import CoreData
import CoreDataKit
import Foundation

/// The store that a command works on, and its answers waited for: commands run one after the other and have no screen.
struct CommandStore {
  /// The stack over the file.
  let stack: CoreDataStack
  /// Reads from it.
  let repository: EntityRepository

  /// Finds the model of the store that an invocation names first; nothing is opened before the first question.
  ///
  /// With `memory` the following goes on from what was known of the store when it was open before.
  init(_ invocation: Invocation, isReadOnly: Bool, following memory: StoreMemory? = nil) throws {
    let place = try StorePlace(invocation.operands[0])
    let url = try place.one()
    let timeout = try invocation.number(.timeout)
    let model = try StoreModel(
      forStoreAt: url, given: invocation.options["model"].map { URL(fileURLWithPath: $0) }, among: place.models,
      timeout: timeout.map(Double.init))
    stack = CoreDataStack(
      configuration: CoreDataConfiguration(
        databaseURL: url, managedObjectModel: model.model, isReadOnly: isReadOnly, timeout: timeout))
    stack.follow(on: memory)
    repository = EntityRepository(stack: stack)
  }

  /// The entity with a name.
  func entity(named name: String) throws -> NSEntityDescription {
    let entities = try answer(repository.summary()).entities.map(\.entity)
    if let entity = entities.first(where: { $0.name == name }) { return entity }
    let near = nearestSpelling(of: name, among: entities.compactMap(\.name))
    throw UsageError(
      "the store has no entity \(name)", near.map { "did you mean \($0)?" } ?? "see storebrowser entities")
  }

  /// What `--where` asks of the objects of an entity; `nil` without it.
  func filter(_ invocation: Invocation, of entity: NSEntityDescription) throws -> PredicateTree? {
    guard let text = invocation.options["where"] else { return nil }
    do throws(PredicateParseError) {
      return try FilterText.parse(text, entity: entity)
    } catch {
      throw UsageError(where: error)
    }
  }

  /// What `body` makes of the object that a URI means, on the repository's queue.
  func object<Output>(_ text: String, body: @escaping (NSManagedObject) throws -> Output) throws -> Output {
    guard let uri = URL(string: text), ["x-coredata", "x-sqlite"].contains(uri.scheme) else {
      throw UsageError("\(text) is no object URI", "give one such as x-coredata://STORE-UUID/Entity/p42")
    }
    guard let found = try answer(repository.object(uri, body: body)) else {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
        userInfo: [NSLocalizedDescriptionKey: "\(text) is no object of this store"])
    }
    return found
  }

  /// Closes the store, so that nothing of this program is left beside it.
  ///
  /// What cannot be closed is closed by the program's end.
  func close() { try? stack.close() }

  /// Waits for the one answer of a publisher; the repository answers on queues of its own.
  func answer<Output>(_ publisher: AnyPublisher<Output, any Error>) throws -> Output {
    let box = AnswerBox<Output>()
    let done = DispatchSemaphore(value: 0)
    let subscription = publisher.sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { box.result = .failure(error) }
        done.signal()
      },
      receiveValue: { box.result = .success($0) })
    done.wait()
    withExtendedLifetime(subscription) {}
    guard let result = box.result else { throw CocoaError(.userCancelled) }
    return try result.get()
  }
}

/// Where an answer waits to be fetched: written before the semaphore is signalled, read after it was waited for.
private final class AnswerBox<Output> {
  var result: Result<Output, any Error>?
}

extension NSEntityDescription {
  /// The entity and everything below it.
  var selfAndSubentities: [NSEntityDescription] { [self] + subentities.flatMap(\.selfAndSubentities) }

  /// A property that the entity does not have, with a near spelling where there is one.
  func unknownProperty(_ key: String) -> UsageError {
    let near = nearestSpelling(of: key, among: propertiesByName.keys.sorted())
    return UsageError(
      "\(name ?? "") has no property \(key)", near.map { "did you mean \($0)?" } ?? "see storebrowser model")
  }
}
