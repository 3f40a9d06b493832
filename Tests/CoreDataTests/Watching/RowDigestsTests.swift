import Testing

@testable import CoreData

@Suite struct RowDigestsTests {
  private func rows(_ content: [Int64: Int]) -> RowDigests {
    var rows = RowDigests()
    for key in content.keys.sorted() { rows.append(key, digest: content[key] ?? 0) }
    return rows
  }

  @Test func `two readings of random rows differ in what was inserted, updated and deleted`() {
    var numbers = SeededNumbers(state: 3)
    for _ in 0..<500 {
      func some() -> [Int64: Int] {
        var content: [Int64: Int] = [:]
        for _ in 0..<Int.random(in: 0...12, using: &numbers) {
          content[Int64.random(in: -8...8, using: &numbers)] = Int.random(in: 0...2, using: &numbers)
        }
        return content
      }
      let (before, after) = (some(), some())
      var expected: [String] = []
      for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
        let kind = before[key] == nil ? "inserted" : after[key] == nil ? "deleted" : "updated"
        expected.append("\(key) \(kind)")
      }
      #expect(rows(after).changes(since: rows(before)).map { "\($0.key) \($0.kind)" } == expected)
    }
  }
}
