/// The waits between looks while a commit is on its way: 0.3 ms doubling to 200 ms.
///
/// inotify tells of a commit before it can be seen, and nothing tells when it can (the shared memory that publishes it
/// makes no event), so one looks again.
struct RecheckSchedule: Equatable, Sendable {
  static let first = Duration.microseconds(300)
  static let longest = Duration.milliseconds(200)

  private var upcoming = first

  /// The next wait.
  mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, Self.longest) }
    return upcoming
  }

  /// Starts again with the shortest wait.
  mutating func reset() { upcoming = Self.first }
}
