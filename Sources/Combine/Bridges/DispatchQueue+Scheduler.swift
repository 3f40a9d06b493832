public import Dispatch

extension DispatchQueue: Scheduler {
  /// A moment of a dispatch queue.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The moment as Dispatch writes it.
    public var dispatchTime: DispatchTime

    /// Makes a moment.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// The length from here to `other`.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return Stride(nanoseconds: to >= from ? Int(clamping: to - from) : -Int(clamping: from - to))
    }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// True when `left` comes first.
    public static func < (left: SchedulerTimeType, right: SchedulerTimeType) -> Bool {
      left.dispatchTime < right.dispatchTime
    }

    /// Feeds the moment.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }

    /// A length of time, kept in nanoseconds; literals are seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
      Hashable, Sendable
    {
      /// The length in nanoseconds.
      public var magnitude: Int

      /// The length as Dispatch writes it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      init(nanoseconds: Int) {
        magnitude = nanoseconds
      }

      /// Makes the length of `timeInterval`; the longest there is for `.never`.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let s): self = .seconds(s)
        case .milliseconds(let ms): self = .milliseconds(ms)
        case .microseconds(let us): self = .microseconds(us)
        case .nanoseconds(let ns): self = .nanoseconds(ns)
        default: magnitude = .max
        }
      }

      /// Makes a length of `value` seconds.
      public init(floatLiteral value: Double) {
        self = .seconds(value)
      }

      /// Makes a length of `value` seconds.
      public init(integerLiteral value: Int) {
        self = .seconds(value)
      }

      /// Makes a length of `source` nanoseconds, if it can be expressed.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// True when `left` is shorter.
      public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }

      /// The sum.
      public static func + (left: Stride, right: Stride) -> Stride {
        Stride(nanoseconds: left.magnitude + right.magnitude)
      }

      /// The difference.
      public static func - (left: Stride, right: Stride) -> Stride {
        Stride(nanoseconds: left.magnitude - right.magnitude)
      }

      /// The product of the nanoseconds.
      public static func * (left: Stride, right: Stride) -> Stride {
        Stride(nanoseconds: left.magnitude * right.magnitude)
      }

      /// Multiplies.
      public static func *= (left: inout Stride, right: Stride) { left = left * right }

      /// A length of whole seconds.
      public static func seconds(_ s: Int) -> Stride { Stride(nanoseconds: s * 1_000_000_000) }

      /// A length of seconds.
      public static func seconds(_ s: Double) -> Stride { Stride(nanoseconds: Int(s * 1e9)) }

      /// A length of milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { Stride(nanoseconds: ms * 1_000_000) }

      /// A length of microseconds.
      public static func microseconds(_ us: Int) -> Stride { Stride(nanoseconds: us * 1000) }

      /// A length of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }
    }
  }

  /// How a work item is queued.
  public struct SchedulerOptions {
    /// The quality of service.
    public var qos: DispatchQoS
    /// The flags of the work item.
    public var flags: DispatchWorkItemFlags
    /// The group the work item joins.
    public var group: DispatchGroup?

    /// Makes options.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Queues `action`.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = Transfer(action)
    async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
  }

  /// Queues `action` when `date` comes.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let work = Transfer(action)
    asyncAfter(deadline: date.dispatchTime, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      work.value()
    }
  }

  /// Queues `action` when `date` comes and every `interval` after, until the result is cancelled or freed.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let work = Transfer(action)
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(
      deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
    timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) { work.value() }
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}
