import Testing

@testable import CoreData

/// Packed keys against a plain array.
@Suite struct KeyListTests {
  /// Some shapes that keys come in: without gaps, with small ones, in no order, far apart, and of two entities.
  private enum Shape: CaseIterable { case sequence, gaps, shuffled, wide, twoEntities, backwards, repeated }

  private func keys(_ shape: Shape, count: Int) -> [ObjectKey] {
    var random = SeededGenerator(seed: 11)
    return (0..<count).map { number in
      let key: Int64 =
        switch shape {
        case .sequence, .twoEntities: Int64(number) + 1
        case .gaps: Int64(number) * 9 + 3
        case .shuffled: Int64.random(in: 0..<5_000_000, using: &random)
        case .wide: Int64.random(in: .min ... .max, using: &random)
        case .backwards: Int64(count - number)
        case .repeated: Int64(number % 4_096 / 2)
        }
      return ObjectKey(entity: shape == .twoEntities && number % 4_500 == 4_400 ? 9 : 4, primaryKey: key)
    }
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 20_000])
  func `a list gives the keys it was given, at every position`(count: Int) {
    for shape in Shape.allCases {
      let expected = keys(shape, count: count)
      let list = KeyList(expected)
      #expect(list.count == count)
      #expect(list[0..<count] == expected)
      #expect(list == KeyList(expected))
    }
  }

  @Test func `the position of a key is the first it has`() {
    for shape in Shape.allCases {
      let expected = keys(shape, count: 9_000)
      let list = KeyList(expected)
      for position in stride(from: 0, to: 9_000, by: 450) {
        #expect(list.position(of: expected[position]) == expected.firstIndex(of: expected[position]))
      }
      #expect(list.position(of: ObjectKey(entity: 5, primaryKey: expected[17].primaryKey)) == nil)
      #expect(list.position(of: ObjectKey(entity: 4, primaryKey: -77)) == nil)
    }
  }
}
