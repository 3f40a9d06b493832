public import Foundation

/// A moment of run loops and operation queues.
public struct DateSchedulerTime: Strideable, Hashable, Codable, Sendable {
  /// The moment.
  public var date: Date

  /// Makes a moment.
  public init(_ date: Date) {
    self.date = date
  }

  /// The length from here to `other`.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The moment `n` later.
  public func advanced(by n: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date.addingTimeInterval(n.timeInterval))
  }

  /// A length of time, in seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// The length in seconds.
    public var magnitude: TimeInterval

    /// The length in seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// Makes a length of `timeInterval` seconds.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval
    }

    /// Makes a length of `value` seconds.
    public init(floatLiteral value: TimeInterval) {
      magnitude = value
    }

    /// Makes a length of `value` seconds.
    public init(integerLiteral value: TimeInterval) {
      magnitude = value
    }

    /// Makes a length of `source` seconds, if it can be expressed.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let value = TimeInterval(exactly: source) else { return nil }
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
    public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }

    /// A length of seconds.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }

    /// A length of milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1e3) }

    /// A length of microseconds.
    public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1e6) }

    /// A length of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1e9) }
  }
}
