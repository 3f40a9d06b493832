import CoreData
import Testing

@Suite("Sorting by keys")
struct SortDescriptorTests {
  private func sorted(_ values: [Any?], _ descriptor: NSSortDescriptor) -> [String] {
    values.map { ["v": $0 ?? NSNull()] as [String: Any] }
      .sorted { descriptor.compare($0, to: $1) == .orderedAscending }
      .map { $0["v"] is NSNull ? "nil" : "\($0["v"] ?? "nil")" }
  }

  @Test func `nil comes first ascending and last descending (rule 38)`() {
    #expect(sorted([2, nil, 1], NSSortDescriptor(key: "v", ascending: true)) == ["nil", "1", "2"])
    #expect(sorted([2, nil, 1], NSSortDescriptor(key: "v", ascending: false)) == ["2", "1", "nil"])
  }

  @Test func `strings sort by code units, or by the method named`() {
    let names = ["b", "A", "a10", "B", "a9"]
    #expect(sorted(names, NSSortDescriptor(key: "v", ascending: true)) == ["A", "B", "a10", "a9", "b"])
    let ignoringCase = NSSortDescriptor(key: "v", ascending: true, selector: "caseInsensitiveCompare:")
    #expect(sorted(["b", "A", "C"], ignoringCase) == ["A", "b", "C"])
    let standard = NSSortDescriptor(key: "v", ascending: true, selector: "localizedStandardCompare:")
    #expect(sorted(["a10", "b", "a9"], standard) == ["a9", "a10", "b"])
  }

  @Test func `a descriptor tells its key, direction and reverse, and equals its like`() throws {
    let descriptor = NSSortDescriptor(key: "owner.name", ascending: true)
    #expect(descriptor.key == "owner.name" && descriptor.ascending)
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.key == "owner.name" && !reversed.ascending)
    #expect(descriptor == NSSortDescriptor(key: "owner.name", ascending: true) && descriptor != reversed)
    #expect(descriptor.sortKey == SortKey(key: "owner.name", ascending: true))
    #expect(descriptor.compare(["owner": ["name": "a"]], to: ["owner": ["name": "b"]]) == .orderedAscending)
  }

  @Test func `a closure sorts in memory, and is no order for a store`() {
    let byLength = NSSortDescriptor(key: "v", ascending: false) { left, right in
      let lengths = ((left as? String)?.count ?? 0, (right as? String)?.count ?? 0)
      return lengths.0 < lengths.1 ? .orderedAscending : lengths.0 > lengths.1 ? .orderedDescending : .orderedSame
    }
    #expect(sorted(["a", "ccc", "bb"], byLength) == ["ccc", "bb", "a"])
    #expect(byLength.sortKey == nil)
  }
}
