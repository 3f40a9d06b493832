import Testing

@testable import CoreData

/// The sets of objects that wait to be saved and to be told, as a value (reference/CONTEXT.md 18).
@Suite struct PendingChangesTests {
  private typealias Pending = PendingChanges<Int>

  @Test func `CONTEXT 18: inserted, updated and deleted are exclusive, and insert with delete vanishes`() {
    var pending = Pending()
    pending.insert(1)
    pending.update(1)
    pending.update(2)
    pending.update(3)
    pending.delete(3)
    #expect(pending.keys(.inserted) == [1])
    #expect(pending.keys(.updated) == [2])
    #expect(pending.keys(.deleted) == [3])
    pending.delete(1)
    #expect(pending.keys == [2, 3])
    #expect(pending.takeEvents() == [2: .updated, 3: .deleted])
  }

  @Test func `an object that was told of and then deleted is told as deleted, though nothing is left to save`() {
    var pending = Pending()
    pending.insert(1)
    #expect(pending.takeEvents() == [1: .inserted])
    pending.delete(1)
    #expect(pending.isEmpty)
    #expect(pending.takeEvents() == [1: .deleted])
  }

  @Test func `objects keep the order in which they were first touched`() {
    var pending = Pending()
    for key in [5, 3, 9, 1] { pending.update(key) }
    pending.delete(3)
    pending.update(5)
    #expect(pending.keys == [5, 3, 9, 1])
    #expect(pending.keys(.updated) == [5, 9, 1])
  }

  @Test func `what is taken back is told: new objects go, deleted ones come, changed ones are refreshed`() {
    var pending = Pending()
    pending.insert(1)
    pending.update(2)
    pending.delete(3)
    _ = pending.takeEvents()
    pending.forgetInsertion(1)
    pending.forgetUpdate(2)
    pending.forgetDeletion(3)
    #expect(pending.isEmpty)
    #expect(pending.takeEvents() == [1: .deleted, 2: .refreshed, 3: .inserted])
    pending.insert(1)
    pending.delete(3)
    pending.forgetInsertion(1)
    pending.forgetDeletion(3)
    #expect(pending.takeEvents() == [3: .refreshed])
  }

  @Test func `whatever the steps, each object waits in one way, as its history says`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      var pending = Pending()
      // What the record should say, by the plainest rules.
      var saved: Set<Int> = [0, 1, 2, 3]
      var (inserted, updated, deleted): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
      for _ in 0..<30 {
        let key = Int.random(in: 0..<8, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !saved.contains(key) && !inserted.contains(key):
          pending.insert(key)
          inserted.insert(key)
        case 1 where (saved.contains(key) && !deleted.contains(key)) || inserted.contains(key):
          pending.update(key)
          if !inserted.contains(key) { updated.insert(key) }
        case 2 where (saved.contains(key) && !deleted.contains(key)) || inserted.contains(key):
          pending.delete(key)
          if inserted.remove(key) == nil {
            updated.remove(key)
            deleted.insert(key)
          }
        case 3 where Int.random(in: 0..<6, using: &random) == 0:
          for key in pending.keys { pending.saved(key) }
          saved = saved.union(inserted).subtracting(deleted)
          (inserted, updated, deleted) = ([], [], [])
        default: continue
        }
        #expect(Set(pending.keys(.inserted)) == inserted)
        #expect(Set(pending.keys(.updated)) == updated)
        #expect(Set(pending.keys(.deleted)) == deleted)
        #expect(pending.count == inserted.count + updated.count + deleted.count)
      }
    }
  }
}
