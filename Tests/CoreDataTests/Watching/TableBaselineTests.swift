import Testing

@testable import CoreData

@Suite struct TableBaselineTests {
  private func print(_ value: Int64) -> RowPrint {
    RowPrint([.integer(value), .integer(value)], isLink: [false, true])
  }

  @Test func `rows are found again after any replacement of stretches and single rows`() {
    var numbers = SeededNumbers(state: 11)
    var baseline = TableBaseline(linkCount: 1)
    var expected: [Int64: Int64] = [:]
    for step in 0..<400 {
      let first = Int64.random(in: -3_000...3_000, using: &numbers)
      if step % 4 == 0 {
        let range = first...(first + Int64.random(in: 0...2_000, using: &numbers))
        var rows = TableBaseline.Rows()
        for key in range {
          expected[key] = nil
          guard Int.random(in: 0...2, using: &numbers) > 0 else { continue }
          expected[key] = Int64(step)
          rows.append(key, print(Int64(step)), values: baseline.keepsValues ? [.integer(Int64(step))] : nil)
        }
        baseline.replace(range, with: rows)
      } else if step % 4 == 1 {
        baseline.set(first, nil)
        expected[first] = nil
      } else {
        baseline.set(first, (print(Int64(step)), [.integer(Int64(step))]))
        expected[first] = Int64(step)
      }
      #expect(baseline.count == expected.count)
    }
    #expect(baseline.keys(in: Int64.min...Int64.max) == expected.keys.sorted())
    #expect(baseline.keys(in: -100...250) == expected.keys.filter { (-100...250).contains($0) }.sorted())
    for key in Int64(-3_100)...5_100 {
      let row = baseline.row(key)
      #expect(row?.digest == expected[key].map { print($0).digest })
      #expect(row.map(\.links) == expected[key].map { [$0] })
      #expect(baseline.holds(key, print(expected[key] ?? 0)) == (expected[key] != nil))
      #expect(!baseline.holds(key, print(-1)))
    }
  }

  @Test func `values are kept while a table is small, and no longer`() {
    var baseline = TableBaseline(linkCount: 1)
    for key in Int64(1)...4_096 { baseline.set(key, (print(key), [.integer(key)])) }
    #expect(baseline.row(77)?.values == [.integer(77)])
    baseline.set(4_097, (print(1), [.integer(1)]))
    #expect(baseline.row(77)?.values == nil)
    #expect(baseline.row(77)?.digest == print(77).digest)

    var long = TableBaseline(linkCount: 1)
    for round in Int64(0)..<20 {
      long.set(1, (print(round), [.text(Array(repeating: 7, count: 600_000))]))
      #expect(long.keepsValues, "a row that is replaced takes its room once")
    }
    long.set(2, (print(2), [.text(Array(repeating: 7, count: 600_000))]))
    #expect(!long.keepsValues)
  }

  @Test func `a link is known by its value, everything else by the digest`() {
    func print(_ row: [RecordValue]) -> RowPrint { RowPrint(row, isLink: [true, false, true]) }
    let one = print([.integer(5), .text([65]), .null])
    #expect(one.links.map(RowPrint.value) == [.integer(5), .null])
    #expect(print([.integer(6), .text([65]), .integer(2)]).digest == one.digest)
    #expect(print([.integer(5), .blob([65]), .null]).digest != one.digest)
    // A link that is no integer is not kept, and shows in the digest.
    let odd = print([.text([66]), .text([65]), .null])
    #expect(odd.links.map(RowPrint.value) == [nil, .null])
    #expect(odd.digest != one.digest)
    #expect(odd.digest != print([.text([67]), .text([65]), .null]).digest)
    // Whole numbers are integers, whatever the column's affinity makes of them.
    #expect(print([.integer(5), .real(3), .null]).digest == print([.integer(5), .integer(3), .null]).digest)
  }
}
