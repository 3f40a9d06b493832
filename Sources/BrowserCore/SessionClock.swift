import Combine
import Dispatch

/// The clock of a session, so that tests need not wait.
@MainActor public protocol SessionClock: AnyObject {
  /// Seconds since some moment, never going back.
  var now: Double { get }
  /// Runs an action on the main thread when some seconds have passed, unless it is cancelled before.
  func after(seconds: Double, _ action: @escaping @MainActor () -> Void) -> any Cancellable
}

/// The clock on the wall.
@MainActor public final class DispatchClock: SessionClock {
  /// The clock on the wall.
  nonisolated public init() {}

  /// Seconds since the machine started, not counting sleep.
  public var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// Runs an action on the main queue after some seconds.
  public func after(seconds: Double, _ action: @escaping @MainActor () -> Void) -> any Cancellable {
    let item = DispatchWorkItem { MainActor.assumeIsolated { action() } }
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: item)
    return AnyCancellable { item.cancel() }
  }
}
