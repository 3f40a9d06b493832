/// A string to look for in many others: folded once, compared as bytes.
package struct StringNeedle {
  private let bytes: [UInt8]
  private let options: PredicateTree.Options
  private let foldsCase: Bool
  private let folds: Bool

  init(_ text: String, _ options: PredicateTree.Options) {
    self.options = options
    bytes = Array(text.folded(options).utf8)
    folds = !options.isEmpty && !options.contains(.normalized)
    foldsCase = folds && options.contains(.caseInsensitive)
  }

  /// What `==`, `!=`, BEGINSWITH, ENDSWITH and CONTAINS answer for a text of these bytes; others never hold.
  ///
  /// ASCII text is folded a byte at a time while it is compared; other text is folded first, as a whole.
  func holds(_ op: PredicateTree.Operator, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard folds, text.contains(where: { $0 >= 0x80 }) else { return compare(op, text) }
    var folded = String(decoding: text, as: UTF8.self).folded(options)
    return folded.withUTF8 { compare(op, $0) }
  }

  private func compare(_ op: PredicateTree.Operator, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch op {
    case .equalTo: text.count == bytes.count && matches(text, at: 0)
    case .notEqualTo: !(text.count == bytes.count && matches(text, at: 0))
    case .beginsWith: text.count >= bytes.count && matches(text, at: 0)
    case .endsWith: text.count >= bytes.count && matches(text, at: text.count - bytes.count)
    case .contains: occurs(in: text)
    default: false
    }
  }

  private func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard text.count >= bytes.count else { return false }
    return (0...(text.count - bytes.count)).contains { fold(text[$0]) == first && matches(text, at: $0) }
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for offset in bytes.indices where fold(text[start + offset]) != bytes[offset] { return false }
    return true
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    foldsCase && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
