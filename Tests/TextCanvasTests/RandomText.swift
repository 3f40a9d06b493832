import TextCanvas

/// A small generator with a seed (SplitMix64), so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

enum RandomText {
  /// Clusters of every kind: plain, wide, combining, conjunct, joined, flags, keycaps, jamo.
  static let clusters: [String] = [
    "a", "Z", " ", "7", "~", "é", "e\u{301}", "─", "漢", "字", "한", "\u{1112}\u{1161}\u{11AB}", "🍫", "👍🏽", "❤️", "❤",
    "👨‍👩‍👧", "🇩🇪", "1️⃣", "कि", "क्षि", "กำ", "ﷺ", "Ａ", "√", "…", "\u{301}", "\u{200B}", "\n", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ש\u{5C1}\u{5B8}",
  ]

  static func line(_ count: Int, using generator: inout SeededGenerator) -> String {
    (0..<count).map { _ in clusters.randomElement(using: &generator) ?? "" }.joined()
  }

  /// Any scalars at all, with a liking for those that make trouble.
  static func scalars(_ count: Int, using generator: inout SeededGenerator) -> String {
    var view = String.UnicodeScalarView()
    for _ in 0..<count {
      let value: UInt32 =
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: .random(in: 0...0x10FFFF, using: &generator)
        case 1: .random(in: 0...0x2FF, using: &generator)
        case 2: .random(in: 0x2000...0x206F, using: &generator)
        case 3: .random(in: 0xE0000...0xE01EF, using: &generator)
        case 4: .random(in: 0x300...0x36F, using: &generator)
        case 5: [0x200D, 0x200C, 0xFE0F, 0xFE0E, 0x94D, 0x1F3FB, 0x1F3F4].randomElement(using: &generator) ?? 0
        case 6: .random(in: 0x1F300...0x1F64F, using: &generator)
        default: .random(in: 0x600...0x9FF, using: &generator)
        }
      if let scalar = Unicode.Scalar(value) { view.append(scalar) }
    }
    return String(view)
  }
}
