/// Integers that lie close together, each in as few bytes as that takes; equal ones take none.
///
/// The two smallest integers there are, which stand for values that are none, are kept beside the others whatever those are.
struct PackedIntegers: Sendable {
  private enum Storage: Sendable {
    case same(Int64)
    case bytes([UInt8])
    case near([UInt16])
    case far([UInt32])
    case plain([Int64])
  }

  /// What stands for an integer that is as good as none.
  private static let codes = 2
  private var storage = Storage.plain([])
  private var base: Int64 = 0
  private(set) var count = 0

  /// No integers.
  init() {}

  /// The integers, in their order.
  init(_ integers: [Int64]) {
    count = integers.count
    if let first = integers.first, integers.allSatisfy({ $0 == first }) {
      storage = .same(first)
      return
    }
    let ordinary = integers.lazy.filter { $0 >= .min + Int64(Self.codes) }
    base = ordinary.min() ?? 0
    let (span, overflow) = (ordinary.max() ?? 0).subtractingReportingOverflow(base)
    let most = overflow ? UInt64.max : UInt64(span) + UInt64(Self.codes)
    if most <= UInt64(UInt8.max) {
      storage = .bytes(codes(of: integers))
    } else if most <= UInt64(UInt16.max) {
      storage = .near(codes(of: integers))
    } else if most <= UInt64(UInt32.max) {
      storage = .far(codes(of: integers))
    } else {
      storage = .plain(integers)
    }
  }

  /// The integer at an index, which must be in `0..<count`.
  subscript(index: Int) -> Int64 {
    switch storage {
    case .same(let integer): integer
    case .bytes(let codes): integer(of: codes[index])
    case .near(let codes): integer(of: codes[index])
    case .far(let codes): integer(of: codes[index])
    case .plain(let integers): integers[index]
    }
  }

  private func codes<Code: FixedWidthInteger>(of integers: [Int64]) -> [Code] {
    integers.map { integer in
      let step = integer &- .min
      return step < Int64(Self.codes) && step >= 0
        ? Code(truncatingIfNeeded: step) : Code(truncatingIfNeeded: integer - base + Int64(Self.codes))
    }
  }

  private func integer(of code: some FixedWidthInteger) -> Int64 {
    // Either sum alone may leave the range.
    code < Self.codes ? .min + Int64(code) : base &- Int64(Self.codes) &+ Int64(code)
  }
}
