#if os(Linux)
  import Combine
  import CoreData
  import Foundation

  /// Edits of a store that wait to be saved, on a background context of their own.
  ///
  /// Every publisher is cold and answers once on the context's queue, in the order of subscription; operations are carried
  /// out one after the other. The session sees an object as the store has it when it is first touched; what others commit
  /// from then on is met by the save, as a conflict. Safe to share.
  public final class EditSession: Sendable {
    private let stack: CoreDataStack
    private let context: NSManagedObjectContext
    private let author: String?
    /// Used on the context's queue alone.
    private let edits: Handed<Edits>

    /// A session over a stack that can be written.
    ///
    /// `author` is who saves, for persistent history.
    public init(stack: CoreDataStack, author: String? = nil) {
      self.stack = stack
      self.author = author
      context = stack.newBackgroundContext()
      context.name = "edit"
      context.transactionAuthor = author
      edits = Handed(Edits(context: context, present: stack.newBackgroundContext()))
    }

    /// Carries out an operation; what is refused changes nothing.
    public func perform(_ operation: EditOperation) -> AnyPublisher<EditOutcome, any Error> {
      ask { $0.perform(operation) }
    }

    /// The edits that wait to be saved.
    public func state() -> AnyPublisher<EditState, any Error> { ask { $0.state() } }

    /// The edits that wait to be saved; waits for the operation that is being carried out.
    public func waitForState() -> EditState { context.performAndWait { edits.value.state() } }

    /// Carries out an operation on an open stack and waits for it.
    @discardableResult public func wait(for operation: EditOperation) -> EditOutcome {
      context.performAndWait { edits.value.perform(operation) }
    }

    /// What `body` makes of an object as it would be saved; fails when it is gone.
    public func object<Output>(
      _ key: ObjectKey, body: @escaping (NSManagedObject) throws -> Output
    ) -> AnyPublisher<Output, any Error> {
      ask { try body($0.object(key)) }
    }

    /// Why a value cannot be saved as a property of an object, in one line; `nil` when it can.
    public func problem(
      with value: PropertyValue, of property: String, in key: ObjectKey
    ) -> AnyPublisher<String?, any Error> {
      ask { $0.problem(with: value, of: property, in: key) }
    }

    /// What deleting objects would take along, on top of the edits that wait.
    public func deletePreview(_ keys: [ObjectKey]) -> AnyPublisher<DeletePreview, any Error> {
      ask { edits in
        var walk = DeleteWalk(edits)
        return try walk.preview(of: keys)
      }
    }

    /// What a save would change now; throws what validation finds, as the save would.
    ///
    /// New objects have negative primary keys. Of an object that would be deleted, the values are those that it loses.
    public func dryRun() -> AnyPublisher<StoreChanges, any Error> {
      let author = author
      return ask { try $0.dryRun(author: author, now: Date()) }
    }

    private func ask<Output>(_ body: @escaping (Edits) throws -> Output) -> AnyPublisher<Output, any Error> {
      let edits = edits
      return stack.query(on: context) { _, _ in try body(edits.value) }
    }
  }
#endif
