import Testing

@testable import CoreData

/// Edited key lists against edited arrays.
@Suite struct KeyListEditingTests {
  private func key(_ number: Int64, _ entity: Int32 = 1) -> ObjectKey { ObjectKey(entity: entity, primaryKey: number) }

  private func check(_ list: KeyList, _ expected: [ObjectKey], _ comment: Comment) {
    #expect(list.count == expected.count, comment)
    #expect(list[0..<list.count] == expected, comment)
    #expect(list == KeyList(expected), comment)
    for (left, right) in zip(list.chunks, list.chunks.dropFirst()) {
      #expect(left.count + right.count > KeyChunk.capacity / 2, comment)
    }
    #expect(list.chunks.allSatisfy { (1...KeyChunk.capacity).contains($0.count) }, comment)
    for position in stride(from: 0, to: expected.count, by: max(1, expected.count / 7)) {
      #expect(list[position] == expected[position], comment)
      #expect(list.position(of: expected[position]) == expected.firstIndex(of: expected[position]), comment)
    }
  }

  @Test(arguments: 0..<12) func `edits of a list are the same edits of an array`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let spread: Int64 = [3, 40_000, 10_000_000, .max / 2][seed % 4]
    func some(_ random: inout SeededGenerator) -> ObjectKey {
      key(
        Int64.random(in: -spread...spread, using: &random),
        Int32(seed % 3 == 0 ? Int.random(in: 1...3, using: &random) : 1))
    }
    var expected = (0..<Int.random(in: 0...20_000, using: &random)).map { _ in some(&random) }
    if seed % 2 == 0 { expected = expected.indices.map { key(Int64($0)) } }
    var list = KeyList(expected)
    for round in 0..<12 {
      let before = (list: list, keys: expected)
      let share = [0, 1, 1, 10, 5_000].randomElement(using: &random) ?? 1
      let removals = expected.indices.shuffled(using: &random).prefix(share == 5_000 ? expected.count / 2 : share)
        .sorted()
      for position in removals.reversed() { expected.remove(at: position) }
      var insertions: [ListChanges.Place] = []
      let end = expected.count + share
      for position in (0..<end).shuffled(using: &random).prefix(share).sorted() where position <= expected.count {
        insertions.append(.init(some(&random), at: position))
        expected.insert(insertions[insertions.count - 1].key, at: position)
      }
      list.edit(removing: removals, inserting: insertions)
      check(list, expected, "round \(round)")
      #expect(before.list == KeyList(before.keys), "a copy is not changed")
    }
    while list.count > 0 {
      let position = Int.random(in: 0..<list.count, using: &random)
      if list.count > 40 {
        list.edit(removing: Array(0..<(list.count - 40)), inserting: [])
        expected.removeFirst(expected.count - 40)
      } else {
        #expect(list.remove(at: position) == expected.remove(at: position))
      }
      check(list, expected, "taking away")
    }
  }

  @Test func `single keys are put in, taken out and replaced`() {
    var list = KeyList()
    list.insert(key(5), at: 0)
    list.insert(key(7), at: 1)
    list.insert(key(6, 2), at: 1)
    list.replace(at: 0, with: key(4))
    #expect(list == KeyList([key(4), key(6, 2), key(7)]))
    #expect(list.remove(at: 1) == key(6, 2))
    list.append(key(9))
    #expect(list == KeyList([key(4), key(7), key(9)]))
  }

  @Test func `a key added in the middle of a full chunk splits it, and neighbours that shrink become one`() {
    var list = KeyList((0..<8_192).map { key($0) })
    list.insert(key(10_000), at: 4_000)
    #expect(list.chunks.map(\.count) == [2_048, 2_049, 4_096])
    list.edit(removing: Array(0..<1_900) + Array(2_148..<4_097), inserting: [])
    #expect(list.chunks.map(\.count) == [248, 4_096])
  }

  @Test func `a million keys without gaps stay packed but where they were changed`() {
    var list = KeyList((1...1_000_000).lazy.map { key($0) })
    #expect(list.chunks.dropLast().allSatisfy { $0.isRun })
    list.remove(at: 500_000)
    list.insert(key(2_000_000), at: 3)
    #expect(list.chunks.filter { !$0.isRun }.count <= 4)
    #expect(list.position(of: key(999_999)) == 999_998)
    #expect(list.position(of: key(500_001)) == nil)
  }

  @Test func `places of many keys are found in one walk`() {
    var random = SeededGenerator(seed: 3)
    let keys = (0..<30_000).map { key(Int64($0 * 3), Int32($0 % 2 + 1)) }.shuffled(using: &random)
    let list = KeyList(keys)
    let sought = Array(keys.prefix(50)) + [key(1), key(-4), key(keys[0].primaryKey, 9)]
    let found = list.positions(of: sought)
    #expect(found.count == 50)
    for (place, key) in keys.prefix(50).enumerated() { #expect(found[key] == place) }
    #expect(list.positions(of: Array(sought.suffix(4)))[keys[49]] == 49)
  }
}
