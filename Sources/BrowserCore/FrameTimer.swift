import Combine

/// Wakes the session for the next frame of what moves: at most thirty times a second, and never while all is at rest.
@MainActor final class FrameTimer {
  /// No more frames than this are drawn in a second.
  static let framesPerSecond = 30.0

  /// When it will fire; `nil` while nothing moves.
  private(set) var due: Double?
  private let clock: any SessionClock
  private let fire: @MainActor () -> Void
  private var alarm: (any Cancellable)?
  private var lastFrame = -1.0

  init(clock: any SessionClock, fire: @escaping @MainActor () -> Void) {
    self.clock = clock
    self.fire = fire
  }

  /// When the next frame may be drawn that nobody pressed a key for.
  var earliest: Double { lastFrame + 1 / Self.framesPerSecond }

  /// A frame was drawn.
  func drew() { lastFrame = clock.now }

  /// Fires at an instant, or as soon after as the rate of frames allows.
  func set(to instant: Double?) {
    guard let instant else { return cancel() }
    let next = max(instant, earliest)
    if next == due { return }
    cancel()
    due = next
    alarm = clock.after(seconds: max(0, next - clock.now)) { [weak self] in
      self?.due = nil
      self?.alarm = nil
      self?.fire()
    }
  }

  func cancel() {
    alarm?.cancel()
    (alarm, due) = (nil, nil)
  }
}

/// Whether the terminal takes frames as fast as they come: where not, motion is dropped for a while.
struct LinkSpeed {
  /// Output that is not taken within this time makes a slow link.
  static let patience = 0.1
  /// So long motion is dropped, at least.
  static let rest = 5.0

  let usual: AnimationLevel
  private var backlogSince: Double?
  private var slowUntil: Double?

  init(usual: AnimationLevel) { self.usual = usual }

  var level: AnimationLevel { slowUntil == nil ? usual : .off }

  /// Notes how a frame went: the bytes that wait afterwards, and how long it took to hand it over.
  mutating func note(backlog: Int, presenting seconds: Double, at now: Double) {
    if backlog == 0 { backlogSince = nil } else { backlogSince = backlogSince ?? now }
    let isSlow = seconds > Self.patience || backlogSince.map { now - $0 > Self.patience } == true
    if isSlow {
      slowUntil = now + Self.rest
    } else if let end = slowUntil, now >= end {
      slowUntil = nil
    }
  }
}

extension AnimationLevel {
  /// What a number of colours allows: fades need some, two steps need few.
  init(_ depth: ColorDepth) {
    switch depth {
    case .monochrome: self = .off
    case .sixteen: self = .twoSteps
    case .indexed256, .truecolor: self = .full
    }
  }
}
