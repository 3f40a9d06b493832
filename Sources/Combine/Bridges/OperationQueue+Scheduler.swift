import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
  /// A moment of an operation queue.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// An operation queue takes no options.
  public struct SchedulerOptions: Sendable {}

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Serial, so that what is due first is added first.
  private static let clock = DispatchQueue(label: "Combine.OperationQueue.clock")

  /// Adds `action` as an operation.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Transfer(action)
    addOperation { work.value() }
  }

  /// Adds `action` as an operation when `date` comes.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = Transfer(action)
    Self.clock.asyncAfter(deadline: .now() + date.date.timeIntervalSinceNow) { [self] in
      addOperation { work.value() }
    }
  }

  /// Adds `action` when `date` comes and every `interval` after, until the result is cancelled or freed.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = Transfer(action)
    let timer = DispatchSource.makeTimerSource(queue: Self.clock)
    timer.schedule(deadline: .now() + date.date.timeIntervalSinceNow, repeating: interval.timeInterval)
    timer.setEventHandler { [self] in addOperation { work.value() } }
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}
