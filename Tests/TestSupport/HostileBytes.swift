import Foundation

/// Damaged copies of good bytes, the same on every run for the same seed.
///
/// `Tests/CorpusChecks/hostile_bytes.py` does the same number by number; both are tested against one digest.
public struct HostileBytes: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers that follow from a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number of SplitMix64.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// The next number that is less than a limit.
  public mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// One of some things, which must not be none.
  public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
    choices[choices.index(choices.startIndex, offsetBy: next(below: choices.count))]
  }

  /// Whether the one case in so many has come.
  public mutating func oneIn(_ count: Int) -> Bool { next(below: count) == 0 }

  /// A copy that is cut, flipped in one to eight bits, grown, or has a run of bytes overwritten.
  public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var copy = bytes
    guard !copy.isEmpty else { return copy }
    switch next(below: 6) {
    case 0: copy.removeLast(1 + next(below: copy.count))
    case 1: copy.insert(contentsOf: copy.prefix(next(below: copy.count)), at: next(below: copy.count))
    case 2:
      let start = next(below: copy.count)
      let value = [UInt8(0), 0xFF, UInt8(next(below: 256))][next(below: 3)]
      for index in start..<min(copy.count, start + 1 + next(below: 8)) { copy[index] = value }
    default:
      for _ in 0...next(below: 8) { copy[next(below: copy.count)] ^= 1 << UInt8(next(below: 8)) }
    }
    return copy
  }

  /// As `damaged`, but half of the time within one stretch of the bytes, and then often one of the first.
  public mutating func pageDamaged(_ bytes: [UInt8], page: Int = 1_024) -> [UInt8] {
    guard bytes.count > page, next(below: 2) != 0 else { return damaged(bytes) }
    let pages = bytes.count / page
    let start = page * next(below: next(below: 2) == 0 ? min(pages, 8) : pages)
    return bytes[..<start] + damaged(Array(bytes[start..<start + page])) + bytes[(start + page)...]
  }

  /// A text damaged as bytes are, or by words of its language that stand where they do not belong.
  public mutating func damaged(_ text: [UInt8], words: [String]) -> [UInt8] {
    guard next(below: 3) != 0, !text.isEmpty else { return damaged(text) }
    var copy = text
    for _ in 0...next(below: 6) {
      let start = next(below: copy.count + 1)
      let end = min(copy.count, start + (oneIn(2) ? 0 : next(below: 20)))
      copy.replaceSubrange(start..<end, with: Array(pick(words).utf8))
    }
    return copy
  }
}
