import Foundation
import Testing

@testable import CoreData

@Suite struct DeflateTests {
  @Test(arguments: [0, 1, 100, 65_536, 1_000_000]) func `what is deflated inflates to the same bytes`(count: Int) throws
  {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    #expect(try Deflate.inflate(try Deflate.deflate(bytes)) == bytes)
  }

  @Test func `every truncation of a stream is detected`() throws {
    let stream = try Deflate.deflate(Array("a model, a model, my kingdom for a model".utf8))
    for count in 0..<stream.count {
      #expect(throws: ArchiveError.self, "\(count)") { try Deflate.inflate(Array(stream.prefix(count))) }
    }
  }

  @Test func `a bomb is stopped at the limit`() throws {
    let bomb = try Deflate.deflate([UInt8](repeating: 0, count: 4 << 20))
    #expect(bomb.count < 8_192)
    #expect(throws: ArchiveError.self) { try Deflate.inflate(bomb, limit: (4 << 20) - 1) }
    #expect(try Deflate.inflate(bomb, limit: 4 << 20).count == 4 << 20)
  }

  @Test func `an empty stream is refused`() {
    #expect(throws: ArchiveError.self) { try Deflate.inflate([]) }
  }
}
