import BrowserCore
import Combine

/// A clock that a test moves.
@MainActor public final class ManualClock: SessionClock {
  private struct Alarm {
    var number: Int
    var at: Double
    var action: @MainActor () -> Void
  }

  private var alarms: [Alarm] = []
  private var lastNumber = 0
  /// Seconds since the clock was made.
  public private(set) var now = 0.0

  /// A clock that stands at zero.
  public init() {}

  /// Runs an action once `advance` has passed its time.
  public func after(seconds: Double, _ action: @escaping @MainActor () -> Void) -> any Cancellable {
    lastNumber += 1
    let number = lastNumber
    alarms.append(Alarm(number: number, at: now + seconds, action: action))
    return AnyCancellable { [weak self] in
      MainActor.assumeIsolated { self?.alarms.removeAll { $0.number == number } }
    }
  }

  /// When the next action is due; `nil` when none is.
  public var next: Double? { alarms.map(\.at).min() }

  /// Lets time pass; what falls due runs in order.
  public func advance(by seconds: Double) {
    now += seconds
    while let due = alarms.filter({ $0.at <= now }).min(by: { ($0.at, $0.number) < ($1.at, $1.number) }) {
      alarms.removeAll { $0.number == due.number }
      due.action()
    }
  }
}
