import Combine
import Dispatch
import Synchronization

/// What a publisher sent, and on which queue; kept until a test asks.
final class PublisherProbe<Output>: @unchecked Sendable {
  // Sendable is unchecked: everything is read and written under the lock.
  private let lock = Mutex(())
  private var found: [Output] = []
  private var failures: [any Error] = []
  private var completionCount = 0
  private var wasOnMain: [Bool] = []
  private var subscription: AnyCancellable?
  private let ended = DispatchSemaphore(value: 0)

  init(_ publisher: AnyPublisher<Output, any Error>) {
    let subscription = publisher.sink(
      receiveCompletion: { [weak self] completion in self?.take(completion) },
      receiveValue: { [weak self] value in self?.take(value) })
    lock.withLock { _ in self.subscription = subscription }
  }

  var values: [Output] { lock.withLock { _ in found } }
  var errors: [any Error] { lock.withLock { _ in failures } }
  var completions: Int { lock.withLock { _ in completionCount } }
  /// For each value and completion: whether it came on the main thread.
  var onMain: [Bool] { lock.withLock { _ in wasOnMain } }

  /// Waits for the completion; `false` when none came in time.
  func wait(seconds: Double = 20) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

  func cancel() {
    let subscription = lock.withLock { _ in self.subscription }
    subscription?.cancel()
  }

  private func take(_ value: Output) {
    let isMain = isOnMainQueue()
    lock.withLock { _ in
      found.append(value)
      wasOnMain.append(isMain)
    }
  }

  private func take(_ completion: Subscribers.Completion<any Error>) {
    let isMain = isOnMainQueue()
    lock.withLock { _ in
      if case .failure(let error) = completion { failures.append(error) }
      completionCount += 1
      wasOnMain.append(isMain)
    }
    ended.signal()
  }
}
