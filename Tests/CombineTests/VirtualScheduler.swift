import Combine

/// A scheduler whose time moves only when told; actions due at one moment run in the order they were scheduled.
final class VirtualScheduler: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private var elapsed = SchedulerTimeType.Stride(0)
  private var serial = 0
  private var queue: [(due: SchedulerTimeType, serial: Int, action: () -> Void)] = []

  var now: SchedulerTimeType { ImmediateScheduler.shared.now.advanced(by: elapsed) }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    enqueue(now, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    enqueue(date, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    var isCancelled = false
    func turn(at date: SchedulerTimeType) {
      enqueue(date) {
        guard !isCancelled else { return }
        action()
        turn(at: date.advanced(by: interval))
      }
    }
    turn(at: date)
    return AnyCancellable { isCancelled = true }
  }

  /// Moves time on by `seconds`, running what comes due at its moment.
  func advance(by seconds: Int = 0) {
    let end = now.advanced(by: .seconds(seconds))
    while let next = queue.indices.min(by: { (queue[$0].due, queue[$0].serial) < (queue[$1].due, queue[$1].serial) }),
      queue[next].due <= end
    {
      let (due, _, action) = queue.remove(at: next)
      if due > now { elapsed = ImmediateScheduler.shared.now.distance(to: due) }
      action()
    }
    elapsed = ImmediateScheduler.shared.now.distance(to: end)
  }

  private func enqueue(_ due: SchedulerTimeType, _ action: @escaping () -> Void) {
    serial += 1
    queue.append((due, serial, action))
  }
}
