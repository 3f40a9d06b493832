import Foundation

/// What a comparison with a constant asks of a value of the constant's own type.
package enum ConstantMatcher {
  case integer(PredicateTree.Operator, Int64)
  case double(PredicateTree.Operator, Double)
  case string(PredicateTree.Operator, StringNeedle)
  case integers(Set<Int64>)
  case strings(Set<[UInt8]>)
  case date(PredicateTree.Operator, Date)
  /// `== nil` and `!= nil`.
  case missing(isWanted: Bool)
  case wholeRange(ClosedRange<Int64>)
  /// Both ends are numbers that a floating one holds exactly.
  case range(ClosedRange<Double>)

  init?(_ op: PredicateTree.Operator, _ constant: Constant, _ options: PredicateTree.Options) {
    switch (op, constant) {
    case (.equalTo, .null), (.notEqualTo, .null): self = .missing(isWanted: op == .equalTo)
    case (.between, .collection(let bounds)) where bounds.count == 2 && options.isEmpty:
      self.init(from: bounds[0], to: bounds[1])
    case (.equalTo, .date(let value)), (.notEqualTo, .date(let value)), (.lessThan, .date(let value)),
      (.lessThanOrEqualTo, .date(let value)), (.greaterThan, .date(let value)),
      (.greaterThanOrEqualTo, .date(let value)):
      self = .date(op, value)
    case (.in, .collection(let elements)) where options.isEmpty:
      let integers = elements.compactMap { if case .integer(let value) = $0 { value } else { nil } }
      let strings = elements.compactMap { if case .string(let value) = $0 { Array(value.utf8) } else { nil } }
      if integers.count == elements.count {
        self = .integers(Set(integers))
      } else if strings.count == elements.count {
        self = .strings(Set(strings))
      } else {
        return nil
      }
    case (.equalTo, .integer(let value)), (.notEqualTo, .integer(let value)), (.lessThan, .integer(let value)),
      (.lessThanOrEqualTo, .integer(let value)), (.greaterThan, .integer(let value)),
      (.greaterThanOrEqualTo, .integer(let value)):
      self = .integer(op, value)
    case (.equalTo, .bool(let value)), (.notEqualTo, .bool(let value)): self = .integer(op, value ? 1 : 0)
    case (.equalTo, .double(let value)), (.notEqualTo, .double(let value)), (.lessThan, .double(let value)),
      (.lessThanOrEqualTo, .double(let value)), (.greaterThan, .double(let value)),
      (.greaterThanOrEqualTo, .double(let value)):
      if value.isNaN { return nil }
      self = .double(op, value)
    case (.equalTo, .string(let text)), (.notEqualTo, .string(let text)), (.beginsWith, .string(let text)),
      (.endsWith, .string(let text)), (.contains, .string(let text)):
      guard !options.contains(.localeSensitive) else { return nil }
      self = .string(op, StringNeedle(text, options))
    default: return nil
    }
  }

  private init?(from low: Constant, to high: Constant) {
    if case (.integer(let low), .integer(let high)) = (low, high), low <= high {
      self = .wholeRange(low...high)
    } else if let low = Self.exact(low), let high = Self.exact(high), low <= high {
      self = .range(low...high)
    } else {
      return nil
    }
  }

  private static func exact(_ number: Constant) -> Double? {
    switch number {
    case .double(let value) where !value.isNaN: value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  // MARK: Answers; nil for a value of another type, which the comparer knows how to treat

  func answer(_ value: Constant) -> Bool? {
    switch value {
    case .null: answerForNothing
    case .bool(let value): answer(value)
    case .integer(let value): answer(value)
    case .double(let value): answer(value)
    case .date(let value): answer(value)
    case .string(var text): text.withUTF8(answer)
    default: nil
    }
  }

  var answerForNothing: Bool? {
    if case .missing(let isWanted) = self { isWanted } else { nil }
  }

  func answer(_ own: Bool) -> Bool? { answer(Int64(own ? 1 : 0)) }

  func answer(_ own: Int64) -> Bool? {
    switch self {
    case .integer(let op, let wanted): Self.compare(op, own, wanted)
    case .wholeRange(let range): range.contains(own)
    case .integers(let wanted): wanted.contains(own)
    case .missing(let isWanted): !isWanted
    default: nil
    }
  }

  /// Not-a-number compares with nothing.
  func answer(_ own: Double) -> Bool? {
    if own.isNaN { return nil }
    switch self {
    case .double(let op, let wanted): return Self.compare(op, own, wanted)
    case .range(let range): return range.contains(own)
    default: return nil
    }
  }

  func answer(_ own: Date) -> Bool? {
    switch self {
    case .date(let op, let wanted): Self.compare(op, own, wanted)
    case .missing(let isWanted): !isWanted
    default: nil
    }
  }

  /// What it answers for a text of these UTF-8 bytes.
  func answer(_ own: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch self {
    case .string(let op, let needle): needle.holds(op, own)
    case .strings(let wanted): wanted.contains(Array(own))
    case .missing(let isWanted): !isWanted
    default: nil
    }
  }

  private static func compare<Value: Comparable>(_ op: PredicateTree.Operator, _ left: Value, _ right: Value) -> Bool? {
    switch op {
    case .equalTo: left == right
    case .notEqualTo: left != right
    case .lessThan: left < right
    case .lessThanOrEqualTo: left <= right
    case .greaterThan: left > right
    case .greaterThanOrEqualTo: left >= right
    default: nil
    }
  }
}
