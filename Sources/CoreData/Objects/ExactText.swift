/// A text that equals another only byte for byte.
///
/// Swift's strings are equal when they look alike: `á` as one scalar and as two. A store holds bytes, so where a change is
/// looked for, bytes count.
package struct ExactText: Hashable, Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xff))
  }
}
