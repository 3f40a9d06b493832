import Synchronization

/// Stands in a tree for a value that the tree cannot hold: a block, or an object of a foreign class.
package struct CapturedID: Hashable, Sendable {
  /// What `predicateFormat` prints for the value.
  package let text: String
  private let number: Int

  /// The same object always gets the same id, so that predicates about it are equal.
  fileprivate init(_ object: AnyObject, text: String) {
    self.text = text
    number = Int(bitPattern: ObjectIdentifier(object))
  }

  /// Odd, so that it never meets an object's address.
  fileprivate init(text: String) {
    self.text = text
    number = Self.counter.add(2, ordering: .relaxed).newValue
  }

  private static let counter = Atomic<Int>(1)

  package static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The values held apart from a tree.
///
/// They live as long as the predicate that holds them.
package struct Captures {
  package private(set) var values: [CapturedID: Any] = [:]

  package init() {}

  /// Keeps the value and returns what stands for it in the tree.
  package mutating func hold(_ value: Any, text: String) -> CapturedID {
    let id =
      type(of: value) is AnyClass ? CapturedID(value as AnyObject, text: text) : CapturedID(text: text)
    values[id] = value
    return id
  }

  package mutating func merge(_ other: Captures) {
    guard !other.values.isEmpty else { return }
    values.merge(other.values) { mine, _ in mine }
  }
}
