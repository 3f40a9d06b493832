extension Future where Failure == Never {
  /// The value, awaited; not ended by cancelling the task.
  public var value: Output {
    get async {
      await withCheckedContinuation { (waiter: CheckedContinuation<Transfer<Output>, Never>) in
        subscribe(
          Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { waiter.resume(returning: Transfer($0)) }))
      }.value
    }
  }
}

extension Future {
  /// The value, awaited, or the error thrown; not ended by cancelling the task.
  @_disfavoredOverload
  public var value: Output {
    get async throws {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Transfer<Output>, any Error>) in
        let sink = Subscribers.Sink<Output, Failure>(
          receiveCompletion: { if case .failure(let error) = $0 { waiter.resume(throwing: error) } },
          receiveValue: { waiter.resume(returning: Transfer($0)) })
        subscribe(sink)
      }.value
    }
  }
}
