import Foundation

/// Damaged copies of good bytes, the same on every run.
struct HostileBytes {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next(below limit: Int) -> Int {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(limit))
  }

  /// A copy that is cut, flipped in one to eight bits, grown, or has a run of bytes overwritten.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
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
}
