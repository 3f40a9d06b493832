extension Subscribers {
  /// How many values a subscriber asks for: a count, or no bound.
  ///
  /// Once unlimited, adding or subtracting changes nothing. Counts that overflow become unlimited.
  public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
    // Nil stands for no bound.
    private let count: Int?

    private init(count: Int?) {
      self.count = count
    }

    /// No bound.
    public static let unlimited = Demand(count: nil)

    /// No values.
    ///
    /// Asking for none through `Subscription.request` does nothing here.
    public static let none = Demand(count: 0)

    /// At most `value` values; `value` must not be negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand cannot be negative")
      return Demand(count: value)
    }

    /// The count, or nil for no bound.
    public var max: Int? { count }

    /// The words `unlimited` or `max(n)`.
    public var description: String { count.map { "max(\($0))" } ?? "unlimited" }

    /// The sum of both demands.
    public static func + (left: Demand, right: Demand) -> Demand {
      guard let a = left.count, let b = right.count else { return .unlimited }
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .unlimited : Demand(count: sum)
    }

    /// Adds `right`.
    public static func += (left: inout Demand, right: Demand) {
      left = left + right
    }

    /// Adds `right` values.
    public static func + (left: Demand, right: Int) -> Demand {
      guard let a = left.count else { return .unlimited }
      let (sum, overflow) = a.addingReportingOverflow(right)
      return overflow ? .unlimited : .max(sum)
    }

    /// Adds `right` values.
    public static func += (left: inout Demand, right: Int) {
      left = left + right
    }

    /// The demand `right` times over.
    public static func * (left: Demand, right: Int) -> Demand {
      guard let a = left.count else { return .unlimited }
      let (product, overflow) = a.multipliedReportingOverflow(by: right)
      return overflow ? .unlimited : .max(product)
    }

    /// Repeats the demand `right` times.
    public static func *= (left: inout Demand, right: Int) {
      left = left * right
    }

    /// What is left of `left` after `right`, never below none; an unlimited `right` leaves none of a count.
    public static func - (left: Demand, right: Demand) -> Demand {
      guard let a = left.count else { return .unlimited }
      guard let b = right.count else { return .none }
      return Demand(count: Swift.max(0, a - b))
    }

    /// Takes `right` away, never below none.
    public static func -= (left: inout Demand, right: Demand) {
      left = left - right
    }

    /// Takes `right` values away; the result must not be negative.
    public static func - (left: Demand, right: Int) -> Demand {
      guard let a = left.count else { return .unlimited }
      return .max(a - right)
    }

    /// Takes `right` values away; the result must not be negative.
    public static func -= (left: inout Demand, right: Int) {
      left = left - right
    }

    /// True when `left` allows fewer values.
    public static func < (left: Demand, right: Demand) -> Bool {
      guard let a = left.count else { return false }
      guard let b = right.count else { return true }
      return a < b
    }

    /// True when `left` is the bound `right`.
    public static func == (left: Demand, right: Int) -> Bool { left.count == right }

    /// True when `left` is not the bound `right`.
    public static func != (left: Demand, right: Int) -> Bool { left.count != right }

    /// True when `left` allows more than `right` values.
    public static func > (left: Demand, right: Int) -> Bool { left.count.map { $0 > right } ?? true }

    /// True when `left` allows at least `right` values.
    public static func >= (left: Demand, right: Int) -> Bool { left.count.map { $0 >= right } ?? true }

    /// True when `left` allows fewer than `right` values.
    public static func < (left: Demand, right: Int) -> Bool { left.count.map { $0 < right } ?? false }

    /// True when `left` allows at most `right` values.
    public static func <= (left: Demand, right: Int) -> Bool { left.count.map { $0 <= right } ?? false }
  }
}
