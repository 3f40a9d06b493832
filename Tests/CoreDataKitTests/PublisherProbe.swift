import Combine
import Dispatch
import Foundation

/// What a publisher sent, and on which queue; kept until a test asks.
final class PublisherProbe<Output>: @unchecked Sendable {
  // Sendable is unchecked: everything is read and written under the condition's lock.
  private let condition = NSCondition()
  private var found: [Output] = []
  private var failures: [any Error] = []
  private var completionCount = 0
  private var wasOnMain: [Bool] = []
  private var subscription: AnyCancellable?

  init(_ publisher: AnyPublisher<Output, any Error>) {
    let subscription = publisher.sink(
      receiveCompletion: { [weak self] completion in self?.take(completion) },
      receiveValue: { [weak self] value in self?.take(value) })
    locked { self.subscription = subscription }
  }

  var values: [Output] { locked { found } }
  var errors: [any Error] { locked { failures } }
  var completions: Int { locked { completionCount } }
  /// For each value and completion: whether it came on the main thread.
  var onMain: [Bool] { locked { wasOnMain } }

  /// Waits for the completion; `false` when none came in time.
  func wait(seconds: Double = 120) -> Bool {
    wait(seconds: seconds) { _ in completionCount > 0 }
  }

  /// Waits until the values are as wanted; `false` when they were not in time.
  func wait(seconds: Double = 120, until isWanted: ([Output]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isWanted(found) {
      if !condition.wait(until: end) { return isWanted(found) }
    }
    return true
  }

  func cancel() { locked { subscription }?.cancel() }

  private func take(_ value: Output) {
    let isMain = isOnMainQueue()
    locked {
      found.append(value)
      wasOnMain.append(isMain)
      condition.broadcast()
    }
  }

  private func take(_ completion: Subscribers.Completion<any Error>) {
    let isMain = isOnMainQueue()
    locked {
      if case .failure(let error) = completion { failures.append(error) }
      completionCount += 1
      wasOnMain.append(isMain)
      condition.broadcast()
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}
