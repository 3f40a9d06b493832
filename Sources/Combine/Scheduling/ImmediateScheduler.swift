/// A scheduler that runs everything at once, whatever the date.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// This scheduler takes no options.
  public typealias SchedulerOptions = Never

  /// The only moment there is, with a length of time beside it for the arithmetic.
  public struct SchedulerTimeType: Strideable, Sendable {
    private let ticks: Int

    fileprivate init(ticks: Int) {
      self.ticks = ticks
    }

    /// The length from here to `other`.
    public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.ticks - ticks) }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(ticks: ticks + n.magnitude) }

    /// A length of time, in nanoseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Codable, Sendable,
      ExpressibleByFloatLiteral
    {
      /// The length in nanoseconds.
      public var magnitude: Int

      /// Makes a length of `value` nanoseconds.
      public init(_ value: Int) {
        magnitude = value
      }

      /// Makes a length of `value` nanoseconds.
      public init(integerLiteral value: Int) {
        magnitude = value
      }

      /// Makes a length of `value` nanoseconds, rounded toward zero.
      public init(floatLiteral value: Double) {
        magnitude = Int(value)
      }

      /// Makes a length of `source` nanoseconds, if it can be expressed.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// True when `left` is shorter.
      public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }

      /// The sum.
      public static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }

      /// The difference.
      public static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }

      /// The product.
      public static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }

      /// Multiplies.
      public static func *= (left: inout Stride, right: Stride) { left = left * right }

      /// A length of whole seconds.
      public static func seconds(_ s: Int) -> Stride { Stride(s * 1_000_000_000) }

      /// A length of seconds.
      public static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1e9)) }

      /// A length of milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { Stride(ms * 1_000_000) }

      /// A length of microseconds.
      public static func microseconds(_ us: Int) -> Stride { Stride(us * 1000) }

      /// A length of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(ns) }
    }
  }

  /// The immediate scheduler.
  public static let shared = ImmediateScheduler()

  /// Always the same moment.
  public var now: SchedulerTimeType { SchedulerTimeType(ticks: 0) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs `action` now.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs `action` now.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs `action` now, once.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
