/// Tells a double click from two clicks.
public struct ClickTracker: Sendable {
  private var last: (event: MouseEvent, time: ContinuousClock.Instant)?

  /// A tracker that has seen no click.
  public init() {}

  /// `event` as it came, or as a double press when it follows a press of the same button in the same cell within 400 ms.
  public mutating func refine(_ event: MouseEvent, at time: ContinuousClock.Instant) -> MouseEvent {
    guard event.kind == .press else { return event }
    var refined = event
    if let last, last.event == event, time - last.time <= .milliseconds(400) {
      refined.kind = .doublePress
      // A third click begins anew.
      self.last = nil
    } else {
      last = (event, time)
    }
    return refined
  }
}
