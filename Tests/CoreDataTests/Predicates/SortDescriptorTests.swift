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

  @Test(arguments: SortKey.Comparison.allCases)
  func `every method of strings is known by its name, in the spellings of both languages`(
    _ comparison: SortKey.Comparison
  ) {
    let stem = comparison.rawValue.dropLast()
    for name in [comparison.rawValue, "\(stem)", "\(stem)(_:)"] {
      let descriptor = NSSortDescriptor(key: "v", ascending: false, selector: name)
      #expect(descriptor.sortKey == SortKey(key: "v", ascending: false, comparison: comparison))
      #expect(descriptor.selector == comparison.rawValue && descriptor.refusal == nil)
    }
  }

  @Test func `a descriptor tells its key, direction and reverse, and equals its like`() throws {
    let descriptor = NSSortDescriptor(key: "owner.name", ascending: true)
    #expect(descriptor.key == "owner.name" && descriptor.ascending)
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.key == "owner.name" && !reversed.ascending)
    let like = NSSortDescriptor(key: "owner.name", ascending: true)
    #expect(descriptor == like && descriptor.hash == like.hash && descriptor != reversed)
    #expect(descriptor.copy() as? NSSortDescriptor == descriptor)
    #expect(descriptor != NSSortDescriptor(key: "owner.name", ascending: true, selector: "localizedCompare:"))
    #expect(descriptor.sortKey == SortKey(key: "owner.name", ascending: true))
    #expect(descriptor.compare(["owner": ["name": "a"]], to: ["owner": ["name": "b"]]) == .orderedAscending)
    descriptor.allowEvaluation()
  }

  @Test func `a closure sorts in memory, and is no order for a store (rule 34)`() throws {
    let byLength = NSSortDescriptor(key: "v", ascending: false) { left, right in
      let lengths = ((left as? String)?.count ?? 0, (right as? String)?.count ?? 0)
      return lengths.0 < lengths.1 ? .orderedAscending : lengths.0 > lengths.1 ? .orderedDescending : .orderedSame
    }
    #expect(sorted(["a", "ccc", "bb"], byLength) == ["ccc", "bb", "a"])
    let reversed = try #require(byLength.reversedSortDescriptor as? NSSortDescriptor)
    #expect(sorted(["a", "ccc", "bb"], reversed) == ["a", "bb", "ccc"])
    for descriptor in [byLength, NSSortDescriptor(keyPath: \SortedPet.age, ascending: true) { _, _ in .orderedSame }] {
      #expect(descriptor.sortKey == nil && descriptor.selector == nil)
      #expect(descriptor.refusal == "unsupported NSSortDescriptor (comparator blocks are not supported)")
    }
  }

  @Test func `an unknown method keeps its name and is no natural order`() async {
    let unknown = NSSortDescriptor(key: "v", ascending: true, selector: "foo:")
    #expect(unknown.sortKey == nil && unknown.selector == "foo:")
    #expect(unknown.refusal == "unsupported NSSortDescriptor selector: foo:")
    #expect(unknown == NSSortDescriptor(key: "v", ascending: true, selector: "foo:"))
    await #expect(processExitsWith: .failure) {
      _ = NSSortDescriptor(key: "v", ascending: true, selector: "foo:").compare(["v": 1], to: ["v": 2])
    }
  }

  @Test func `a Swift key path sorts by the property's name, however it is spelled`() {
    let spelled: [NSSortDescriptor] = [
      NSSortDescriptor(keyPath: \SortedPet.name, ascending: true), .init(keyPath: \SortedPet.name, ascending: true),
      NSSortDescriptor(keyPath: \SortedPet.title, ascending: true), .init(keyPath: \SortedPet.title, ascending: true),
      NSSortDescriptor(keyPath: \SortedPet.owner?.age, ascending: false),
      .init(keyPath: \SortedPet.age, ascending: false),
    ]
    #expect(spelled.map(\.key) == ["name", "name", "title", "title", "owner.age", "age"])
    #expect(
      spelled.map(\.sortKey)
        == ["name", "name", "title", "title"].map { SortKey(key: $0, ascending: true) }
        + ["owner.age", "age"].map { SortKey(key: $0, ascending: false) })
    #expect(
      NSSortDescriptor(keyPath: \SortedPet.name, ascending: true) == NSSortDescriptor(key: "name", ascending: true))
    let nameless = NSSortDescriptor(keyPath: \SortedPet.trimmed, ascending: true)
    #expect(nameless.sortKey == nil && nameless.key == nil)
    #expect(nameless.refusal?.hasSuffix("names no property)") == true)
  }

  @Test func `a SortDescriptor sorts by the property's name, and strings by the method of its comparator`() {
    let descriptors: [SortDescriptor<SortedPet>] = [
      SortDescriptor(\.age, order: .reverse), SortDescriptor(\.born), SortDescriptor(\.title),
      SortDescriptor(\.name, comparator: .localizedStandard, order: .reverse),
      SortDescriptor(\.name, comparator: .localized), SortDescriptor(\.name, comparator: .lexical),
    ]
    #expect(
      descriptors.map { NSSortDescriptor($0).sortKey } == [
        SortKey(key: "age", ascending: false), SortKey(key: "born", ascending: true),
        SortKey(key: "title", ascending: true, comparison: .localizedStandard),
        SortKey(key: "name", ascending: false, comparison: .localizedStandard),
        SortKey(key: "name", ascending: true, comparison: .localized), SortKey(key: "name", ascending: true),
      ])
    let request = NSFetchRequest<SortedPet>(entityName: "Pet")
    request.sortDescriptors = descriptors.map(NSSortDescriptor.init)
    #expect(request.sortDescriptors?.map(\.key) == ["age", "born", "title", "name", "name", "name"])
  }

  @Test func `Foundation's collections sort by descriptors with keys`() {
    let people = [["n": "b", "a": 1], ["n": "a", "a": 2], ["n": "a", "a": 1]] as [[String: Any]]
    let order = [NSSortDescriptor(key: "n", ascending: true), NSSortDescriptor(key: "a", ascending: false)]
    func ages(_ sorted: [Any]) -> [Int] { sorted.compactMap { ($0 as? [String: Any])?["a"] as? Int } }
    #expect(ages(NSArray(array: people).sortedArray(using: order)) == [2, 1, 1])
    #expect(ages(NSSet(array: people.map { NSDictionary(dictionary: $0) }).sortedArray(using: order)).count == 3)
    let mutable = NSMutableArray(array: people)
    mutable.sort(using: order)
    #expect(ages(mutable.map { $0 }) == [2, 1, 1])
  }
}
