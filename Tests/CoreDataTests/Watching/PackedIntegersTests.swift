import Testing

@testable import CoreData

@Suite struct PackedIntegersTests {
  @Test(
    arguments: [
      [], [7], [7, 7, 7], [.min, .min], [.min, .min + 1], [.min, 5, .min + 1, 258], [1, 255], [0, 253], [0, 254],
      [-3, 65_530],
      [0, 65_536], [1, 4_294_967_290], [1, 4_294_967_297], [.min, .max], [.min + 2, .max], [.max, .max - 1],
      [-1, 0, 1],
    ] as [[Int64]])
  func `integers come out as they went in`(integers: [Int64]) {
    let packed = PackedIntegers(integers)
    #expect(packed.count == integers.count)
    #expect(integers.indices.map { packed[$0] } == integers)
  }

  @Test func `integers of any spread come out as they went in`() {
    var numbers = SeededNumbers(state: 5)
    for _ in 0..<2_000 {
      let low = Int64.random(in: .min ... .max, using: &numbers)
      let spread = Int64(1) << Int64.random(in: 0...62, using: &numbers)
      let high = low.addingReportingOverflow(spread)
      let range = low...(high.overflow ? Int64.max : high.partialValue)
      let integers = (0..<20).map { _ in
        Int.random(in: 0...5, using: &numbers) == 0
          ? Int64.min + Int64.random(in: 0...1, using: &numbers) : Int64.random(in: range, using: &numbers)
      }
      let packed = PackedIntegers(integers)
      #expect(integers.indices.map { packed[$0] } == integers)
    }
  }
}
