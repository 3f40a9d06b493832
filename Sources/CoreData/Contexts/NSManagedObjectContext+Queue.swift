import Foundation

extension NSManagedObjectContext {
  /// When a block given to `perform(schedule:_:)` runs.
  public enum ScheduledTaskType: Sendable {
    /// At once when the caller is on the context's queue, else as soon as its turn comes.
    case immediate
    /// After everything that was given before.
    case enqueued
  }

  /// Runs `block` on the context's queue, later, and tells observers what it changed.
  public func perform(_ block: @escaping @Sendable () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs `block` on the context's queue and waits for it; at once when the caller is there already.
  ///
  /// Observers are not told (reference/CONTEXT.md 75).
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try queue.sync(block) }

  /// Runs `block` on the context's queue, tells observers what it changed, and gives its result.
  public func perform<Result: Sendable>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let work = { @Sendable in
        let result = Swift.Result { try block() }
        self.endEvent()
        continuation.resume(with: result)
      }
      if schedule == .immediate, queue.isCurrent { work() } else { queue.async(work) }
    }
  }
}
