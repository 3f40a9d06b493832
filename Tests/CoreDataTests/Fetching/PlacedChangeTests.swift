import TestSupport
import Testing

@testable import CoreData

/// What is told of changed objects, from their places before and after.
@Suite struct PlacedChangeTests {
  private func kinds(_ changes: PlacedChange...) -> [PlacedChange.Kind?] { PlacedChange.kinds(of: changes) }

  @Test func `FRC 33 and 34: an insert has the place after, a delete the place before`() {
    #expect(
      kinds(.init(old: nil, new: 2), .init(old: 5, new: nil), .init(old: nil, new: nil))
        == [.insert(at: 2), .delete(at: 5), nil])
  }

  @Test func `FRC 37: an object that shifts because others came or went is not moved`() {
    #expect(
      kinds(.init(old: 0, new: nil), .init(old: 3, new: 4), .init(old: nil, new: 0), .init(old: nil, new: 1))
        == [.delete(at: 0), .update(from: 3, to: 4), .insert(at: 0), .insert(at: 1)])
  }

  @Test func `FRC 39: a change that is none of a sort value is an update, even if others move past it`() {
    #expect(
      kinds(.init(old: 0, new: 2), .init(old: 1, new: 0, keepsPlace: true), .init(old: 2, new: 1, keepsPlace: true))
        == [.move(from: 0, to: 2), .update(from: 1, to: 0), .update(from: 2, to: 1)])
  }

  @Test func `FRC 42: of two that change places both are moved`() {
    #expect(kinds(.init(old: 3, new: 4), .init(old: 4, new: 3)) == [.move(from: 3, to: 4), .move(from: 4, to: 3)])
    // One in the middle of a turned row has the place that it had.
    #expect(
      kinds(.init(old: 0, new: 2), .init(old: 1, new: 1), .init(old: 2, new: 0))
        == [.move(from: 0, to: 2), .update(from: 1, to: 1), .move(from: 2, to: 0)])
  }

  /// Applies changes and compares with the new list.
  private func check(_ changes: ListChanges, _ old: [ObjectKey], _ new: [ObjectKey]) {
    var keys = old
    let gone = (changes.deletes.map(\.position) + changes.moves.map(\.from)).sorted(by: >)
    for position in gone { keys.remove(at: position) }
    let come = changes.inserts.map { ($0.position, $0.key) } + changes.moves.map { ($0.to, $0.key) }
    for (position, key) in come.sorted(by: { $0.0 < $1.0 }) { keys.insert(key, at: position) }
    #expect(keys == new)
    for step in changes.updates { #expect(old[step.from] == step.key && new[step.to] == step.key) }
  }

  /// Each seed is 50 scripts.
  @Test(arguments: 0..<(LongRun.isOn ? 400 : 40)) func `FRC 43: changes applied to the old list give the new one`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<50 {
      // Sort values with ties, which the number decides.
      var values = (0..<Int.random(in: 0...12, using: &random)).map { ($0, Int.random(in: 0...5, using: &random)) }
      func sorted() -> [Int] { values.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0) }
      let old = sorted()
      var changed: [Int: Bool] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let index = values.indices.randomElement(using: &random)
        switch (Int.random(in: 0..<4, using: &random), index) {
        case (0, let index?): changed[values.remove(at: index).0] = false
        case (1, let index?): changed[values[index].0] = changed[values[index].0] ?? true
        case (2, let index?):
          values[index].1 = Int.random(in: 0...5, using: &random)
          changed[values[index].0] = false
        default:
          let number = (values.map(\.0).max() ?? 0) + 100
          values.append((number, Int.random(in: 0...5, using: &random)))
          changed[number] = false
        }
      }
      let new = sorted()
      func key(_ number: Int) -> ObjectKey { ObjectKey(entity: 1, primaryKey: Int64(number)) }
      let changes = ListChanges(
        changed.sorted { $0.key < $1.key }.map { number, keeps in
          (
            key(number),
            PlacedChange(old: old.firstIndex(of: number), new: new.firstIndex(of: number), keepsPlace: keeps)
          )
        })
      check(changes, old.map(key), new.map(key))
      for number in changed.filter({ $0.value }).keys { #expect(!changes.moves.contains { $0.key == key(number) }) }
      // The same without knowing places, and without knowing what changed.
      let (left, right) = (KeyList(old.map(key)), KeyList(new.map(key)))
      check(ListChanges(from: left, to: right, changed: Set(changed.keys.map(key))), old.map(key), new.map(key))
      check(ListChanges(from: left, to: right), old.map(key), new.map(key))
    }
  }

  @Test func `as few objects as can be are told as moved when it is not known which changed`() {
    let keys = (1...9).map { ObjectKey(entity: 1, primaryKey: $0) }
    var moved = keys
    moved.insert(moved.remove(at: 7), at: 1)
    let changes = ListChanges(from: KeyList(keys), to: KeyList(moved))
    #expect(changes == ListChanges(moves: [.init(keys[7], from: 7, to: 1)]))
    let told = ListChanges(from: KeyList(keys), to: KeyList(moved), changed: [keys[0], keys[8], keys[3]])
    #expect(told.moves == changes.moves)
    #expect(told.updates.map(\.key) == [keys[0], keys[3], keys[8]])
  }

  @Test func `a longest ascent is found`() {
    #expect(PlacedChange.longestAscent([]) == [])
    #expect(PlacedChange.longestAscent([3, 1, 2, 5, 4, 6]).count == 4)
    #expect(PlacedChange.longestAscent([5, 4, 3]).count == 1)
  }
}
