import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct HostileBytesTests {
  @Test func `the damage is that of the Python checks`() {
    var numbers = HostileBytes(seed: 9)
    let content = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var digest = SHA256Digest()
    for _ in 0..<200 { digest.update(numbers.pageDamaged(content)) }
    // The digest stands in test_checks.py too.
    #expect(
      digest.finish().map { String(format: "%02x", $0) }.joined()
        == "a694bdef914722ab26d8e5d5c6e673e130b31f5cbf884200128a5dc933715c82")
  }
}
