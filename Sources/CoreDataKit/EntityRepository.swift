#if os(Linux)
  import Combine
  import CoreData
  import Foundation

  /// A repository over every entity of a store, for programs that learn the model when they run.
  ///
  /// Lists are read on a context of their own and never on the main queue's; slow readings (all keys, counts) have a second
  /// one, and lists that are followed a third, and what looks for a first match a fourth, so that nothing on screen waits for
  /// them. Every publisher is cold, answers on a
  /// background queue, once unless it says otherwise, and stops its query when cancelled. Safe to share.
  public final class EntityRepository: Sendable {
    /// The stack that the repository reads from.
    public let stack: CoreDataStack
    private let reading: NSManagedObjectContext
    private let counting: NSManagedObjectContext
    private let following: NSManagedObjectContext
    private let searching: NSManagedObjectContext

    /// A repository over a stack.
    public init(stack: CoreDataStack) {
      self.stack = stack
      reading = stack.newBackgroundContext()
      counting = stack.newBackgroundContext()
      following = stack.newBackgroundContext()
      searching = stack.newBackgroundContext()
    }

    /// What happens to the store from now on: how closely it is followed, then every change, whoever makes it.
    ///
    /// All subscribers share one watcher, which runs while there are any. Goes on until the stack is closed.
    ///
    /// With `sinceReopening`, in a stack that took over with `follow(on:)`, what changed before is told as well.
    public func events(sinceReopening: Bool = false) -> AnyPublisher<StoreEvent, Never> {
      stack.events(sinceReopening: sinceReopening)
    }

    /// A list that is followed: its keys, then every step to a later state, none left out, with rows of the columns named.
    ///
    /// What is committed while the keys are read is told as a step. Goes on until the stack is closed; then it finishes.
    ///
    /// With `keys`, those of the last step that was told before the store was closed, a list goes on in the stack that took
    /// over with `follow(on:)`: what it is now comes as a step, or as keys again where its objects cannot be compared.
    public func monitor(
      _ query: ListQuery, columns: [String], after keys: KeyList? = nil
    ) -> AnyPublisher<ListEvent, any Error> {
      Outlets(keeping: .everything) { [stack, following] outlet in
        ListMonitor(query, columns: columns, after: keys, stack: stack, context: following, outlet: outlet).start()
      }
      .eraseToAnyPublisher()
    }

    /// Ends the following of the store when every change that was noticed is told to all who follow, and answers what is known
    /// of its rows: for `CoreDataStack.follow(on:)` of a stack that opens the same store anew, once this one is closed.
    ///
    /// Must not be called by a subscriber that is just being told of an event.
    public func stopFollowing() -> StoreMemory? {
      let memory = stack.stopWatching()
      following.performAndWait {}
      return memory
    }

    /// What the store is and which entities it has.
    public func summary() -> AnyPublisher<ListStoreSummary, any Error> {
      stack.query(on: reading) { context, _ in try context.listStoreSummary() }
    }

    /// A stretch of a list's rows.
    public func window(
      _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int
    ) -> AnyPublisher<ListWindow, any Error> {
      stack.query(on: reading) { context, cancellation in
        try context.listWindow(query, columns: columns, at: place, limit: limit, cancellation: cancellation)
      }
    }

    /// Every key of a list, in order.
    public func keys(_ query: ListQuery) -> AnyPublisher<KeyList, any Error> {
      stack.query(on: counting) { try $0.listKeys(query, cancellation: $1) }
    }

    /// The first object of a list after one, or from its start: sooner than all keys where that takes a search.
    ///
    /// `nil` when no object follows.
    public func first(_ query: ListQuery, after key: ObjectKey? = nil) -> AnyPublisher<ObjectKey?, any Error> {
      stack.query(on: searching) { context, cancellation in
        try context.listWindow(
          query, columns: [], at: key.map { .after($0) } ?? .start, limit: 1, cancellation: cancellation
        ).rows.first?.key
      }
    }

    /// How many objects an entity has of its own.
    public func count(entity: String) -> AnyPublisher<Int, any Error> {
      stack.query(on: counting) { try $0.listCount(ofEntity: entity, cancellation: $1) }
    }

    /// How many objects a list has.
    public func count(_ query: ListQuery) -> AnyPublisher<Int, any Error> {
      stack.query(on: counting) { try $0.listCount(query, cancellation: $1) }
    }

    /// Different values of an attribute for a person to choose from, the most frequent first; see `listValues`.
    public func values(
      of attribute: String, entity: String, prefix: String, limit: Int
    ) -> AnyPublisher<[CellValue], any Error> {
      stack.query(on: reading) {
        try $0.listValues(of: attribute, entity: entity, prefix: prefix, limit: limit, cancellation: $1)
      }
    }

    /// The first of some entities that has an object of its own.
    public func firstWithObjects(_ entities: [String]) -> AnyPublisher<String?, any Error> {
      stack.query(on: reading) { context, _ in try context.firstEntityWithObjects(entities) }
    }

    /// One object for a close look, or `nil` when it is gone.
    public func record(_ key: ObjectKey) -> AnyPublisher<ListRecord?, any Error> {
      stack.query(on: reading) { try $0.listRecord(key, cancellation: $1) }
    }

    /// A property of an object whole, or `nil` when the object is gone.
    public func value(of property: String, at key: ObjectKey) -> AnyPublisher<PropertyValue?, any Error> {
      object(key) { object in
        object.entity.propertiesByName[property].map { _ in PropertyValue(object, property: property) }
      }
      .map { $0 ?? nil }
      .eraseToAnyPublisher()
    }

    /// What `body` makes of an object, or `nil` when it is gone.
    public func object<Output>(
      _ key: ObjectKey, body: @escaping (NSManagedObject) throws -> Output
    ) -> AnyPublisher<Output?, any Error> {
      stack.query(on: reading) { context, _ in
        guard let object = try context.listObjects([key]).first else { return nil }
        // What was read is let go of again: values can be large.
        defer { context.refresh(object, mergeChanges: false) }
        return try body(object)
      }
    }

    /// Gives the objects of a list to `body`, in order, on the reading context; answers how many there were.
    ///
    /// Objects are read in batches and let go again, so that lists of any length need little memory.
    public func forEach(
      _ query: ListQuery, offset: Int = 0, limit: Int? = nil, body: @escaping (NSManagedObject) throws -> Void
    ) -> AnyPublisher<Int, any Error> {
      stack.query(on: reading) { context, cancellation in
        let keys = try context.listKeys(query, offset: offset, limit: limit, cancellation: cancellation)
        var count = 0
        for start in stride(from: 0, to: keys.count, by: Self.batchSize) {
          if cancellation.isCancelled { throw CocoaError(.userCancelled) }
          for object in try context.listObjects(keys[start..<min(start + Self.batchSize, keys.count)]) {
            try body(object)
            count += 1
          }
        }
        return count
      }
    }

    /// What `body` makes of the object with a URI, or `nil` when there is none.
    public func object<Output>(
      _ uri: URL, body: @escaping (NSManagedObject) throws -> Output
    ) -> AnyPublisher<Output?, any Error> {
      stack.query(on: reading) { context, _ in
        try context.listObject(at: uri).map(body)
      }
    }

    private static let batchSize = 500
  }
#endif
