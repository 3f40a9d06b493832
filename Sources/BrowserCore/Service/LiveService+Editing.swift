import Combine
import CoreData
import CoreDataKit
import Foundation

extension LiveService {
  /// Opens the store for writing; fails with the reason where that may not be.
  public func unlock() -> AnyPublisher<StoreOutline, any Error> {
    // Not asked again when the store was closed meanwhile: where it cannot be opened for writing, that would not end.
    whenOpen().flatMap { [self] opened in
      Future<OpenedStore, any Error> { promise in
        self.work.async { promise(Result { try self.unlockOnQueue(opened) }) }
      }
    }
    .flatMap { [self] in outline(of: $0) }
    .eraseToAnyPublisher()
  }

  private func unlockOnQueue(_ asked: OpenedStore) throws -> OpenedStore {
    let opened = current ?? asked
    if opened.isWritable { return opened }
    if let reason = lockReason(of: opened) { throw UnlockError(reason: reason) }
    return try replace(opened, forWriting: true)
  }

  /// Why a store can never be unlocked, in one line; `nil` when it can.
  func lockReason(of opened: OpenedStore) -> String? {
    LockRules(
      isReadOnly: isReadOnly, refusal: opened.summary.editRefusal, isCopy: opened.summary.access == .copy,
      path: url.path
    ).reason
  }

  /// Does something to the edits that wait to be saved, and keeps them where they outlive the program.
  public func edit(_ operation: EditOperation) -> AnyPublisher<EditOutcome, any Error> {
    ask { [self] opened in
      guard let session = opened.session else {
        return Just(lockedOutcome(of: operation, opened)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
      }
      return session.perform(operation)
        .map { [self] outcome in
          keep(outcome.state, of: opened)
          switch (operation, outcome.result) {
          case (.restore, .done), (.restore, .invalid), (.discard, .done): opened.recovery.removeLeftovers()
          default: break
          }
          return outcome
        }
        .eraseToAnyPublisher()
    }
  }

  /// Edits that were kept can be given up without unlocking the store; nothing else can be done to a locked one.
  private func lockedOutcome(of operation: EditOperation, _ opened: OpenedStore) -> EditOutcome {
    guard operation == .discard else {
      return EditOutcome(state: EditState(), result: .refused("the store is locked: unlock it first"))
    }
    opened.recovery.removeLeftovers()
    return EditOutcome(state: EditState(), result: .done)
  }

  /// Keeps edits beside the program; that this may fail was told when the store was unlocked.
  func keep(_ edits: EditState, of opened: OpenedStore) { try? opened.recovery.write(edits) }

  /// Why a value cannot be saved as a property of an object, in one line; `nil` when it can.
  public func problem(
    with value: PropertyValue, of property: String, in key: ObjectKey
  ) -> AnyPublisher<String?, any Error> {
    ask { opened in
      guard let session = opened.session else { return Fail(error: UnlockError.locked).eraseToAnyPublisher() }
      return session.problem(with: value, of: property, in: key)
    }
  }

  /// What deleting objects would take along.
  public func deletePreview(_ keys: [ObjectKey]) -> AnyPublisher<DeletePreview, any Error> {
    ask { opened in
      guard let session = opened.session else { return Fail(error: UnlockError.locked).eraseToAnyPublisher() }
      return session.deletePreview(keys)
    }
  }

  // MARK: Outline

  /// What a store holds, what can be done with it, and what an earlier run left.
  func outline(of opened: OpenedStore) -> AnyPublisher<StoreOutline, any Error> {
    Deferred { [self] in
      Future<StoreOutline, any Error> { promise in
        self.work.async { promise(.success(self.outlineOnQueue(of: opened))) }
      }
    }
    .flatMap { outline in
      opened.repository.firstWithObjects(outline.entities.map(\.name)).map { first in
        var outline = outline
        outline.firstWithRows = first
        return outline
      }
    }
    .eraseToAnyPublisher()
  }

  private func outlineOnQueue(of opened: OpenedStore) -> StoreOutline {
    let reason = lockReason(of: opened)
    var outline = StoreOutline(
      opened.summary, model: opened.model, name: url.lastPathComponent, isReadOnly: reason != nil)
    outline.readOnlyReason = reason
    outline.shelf = opened.filters.read()
    outline.remarks += outline.shelf.remarks
    let found = opened.recovery.find()
    outline.remarks += found.remarks
    if opened.isWritable, let problem = opened.recovery.problem() { outline.remarks.append(problem) }
    // Edits that are being made now are not those of an earlier run.
    outline.recovered = opened.session.map { $0.waitForState().isEmpty } ?? true ? found.state : nil
    return outline
  }
}

/// Whether a store may be written, by its file and by what the person asked for.
struct LockRules {
  var isReadOnly: Bool
  /// Why nothing of the store can be changed, whoever asks.
  var refusal: String?
  var isCopy: Bool
  var path: String
  var mayWrite: (String) -> Bool = { access($0, W_OK) == 0 }

  /// Why it may never be written, in one line; `nil` when it may.
  var reason: String? {
    let name = (path as NSString).lastPathComponent
    if isReadOnly { return "the store was opened with --read-only" }
    if let refusal { return refusal }
    if isCopy { return "a private copy is shown, since \(name) was not closed by its last writer: open it there first" }
    if !mayWrite(path) { return "you may not write \(name)" }
    let folder = (path as NSString).deletingLastPathComponent
    if !mayWrite(folder.isEmpty ? "." : folder) {
      return "you may not write the folder of \(name), where its log belongs"
    }
    return nil
  }
}

/// Why a store was not unlocked.
struct UnlockError: LocalizedError {
  static let locked = UnlockError(reason: "the store is locked")

  var reason: String

  var errorDescription: String? { reason }
  var recoverySuggestion: String? { "the store stays locked" }
}
