/// A string to look for in many others: folded once, compared as bytes.
struct StringNeedle {
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

  func equals(_ text: String) -> Bool {
    withFolded(text) { $0.count == bytes.count && matches($0, at: 0) }
  }

  func begins(_ text: String) -> Bool {
    withFolded(text) { $0.count >= bytes.count && matches($0, at: 0) }
  }

  func ends(_ text: String) -> Bool {
    withFolded(text) { $0.count >= bytes.count && matches($0, at: $0.count - bytes.count) }
  }

  func isContained(in text: String) -> Bool {
    withFolded(text) { text in
      guard let first = bytes.first else { return true }
      guard text.count >= bytes.count else { return false }
      for start in 0...(text.count - bytes.count) where fold(text[start]) == first && matches(text, at: start) {
        return true
      }
      return false
    }
  }

  /// ASCII text is folded a byte at a time while it is compared; other text is folded first, as a whole.
  private func withFolded(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    var text = text
    if folds, !text.utf8.allSatisfy({ $0 < 0x80 }) { text = text.folded(options) }
    return text.withUTF8(body)
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for offset in bytes.indices where fold(text[start + offset]) != bytes[offset] { return false }
    return true
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    foldsCase && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
