import CoreData
import CoreDataKit
import Foundation
import Synchronization

/// A store as it was opened once: for reading or for writing.
struct OpenedStore: Sendable {
  let model: StoreModel
  let stack: CoreDataStack
  let repository: EntityRepository
  /// What the store is.
  let summary: ListStoreSummary
  /// The edits; only a store that is open for writing has them.
  let session: EditSession?
  let recovery: RecoveryFile
  let filters: FilterShelfFile
  /// Whether what is open is no longer the store.
  let isDisconnected = Flag()

  var isWritable: Bool { session != nil }

  /// Opens a stack; blocks meanwhile.
  init(model: StoreModel, isWritable: Bool, stack: CoreDataStack, environment: [String: String]) throws {
    self.model = model
    self.stack = stack
    let context = stack.newBackgroundContext()
    _ = try stack.open()
    summary = try context.performAndWait { try context.listStoreSummary() }
    repository = EntityRepository(stack: stack)
    session = isWritable ? EditSession(stack: stack, author: "storebrowser") : nil
    filters = FilterShelfFile(storeIdentifier: summary.identifier, environment: environment)
    recovery = RecoveryFile(
      storeIdentifier: summary.identifier, storeURL: stack.configuration.databaseURL, environment: environment)
  }
}

/// Something that is so, from some moment on.
final class Flag: Sendable {
  private let state = Mutex(false)

  var isSet: Bool { state.withLock { $0 } }

  func set(_ value: Bool) { state.withLock { $0 = value } }
}
