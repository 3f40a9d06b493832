import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct ListColumnsTests {
  private func list(_ columns: [(String, PropertyOutline.Kind, Int)]) -> ListState {
    var list = ListState(id: 1, query: ListQuery(entity: "E"), columns: [])
    list.columns = columns.map {
      Column(property: PropertyOutline(name: $0.0, kind: $0.1, isSortable: true), natural: $0.2)
    }
    return list
  }

  /// The columns on screen: `name@x+width`.
  private func slots(_ list: ListState, _ width: Int) -> [String] {
    ColumnArrangement(list, width: width).slots.map { "\(list.columns[$0.index].name)@\($0.x)+\($0.width)" }
  }

  @Test func `columns stand side by side, and room that is left goes to text that is cut`() {
    let list = list([("name", .string, 60), ("age", .integer, 3), ("note", .string, 30)])
    #expect(slots(list, 80) == ["name@0+49", "age@51+3", "note@56+24"])
    let arrangement = ColumnArrangement(list, width: 80)
    #expect(arrangement.slots.last.map { $0.x + $0.width } == 80)
    #expect(!arrangement.hidesTrailing && !arrangement.hidesLeading)
  }

  @Test func `a number that does not fit is left out, never cut`() {
    let list = list([("name", .string, 12), ("count", .integer, 19), ("other", .integer, 19)])
    #expect(slots(list, 40) == ["name@0+12", "count@14+19"])
    #expect(ColumnArrangement(list, width: 40).hidesTrailing)
  }

  @Test func `the first column gives way to a number that needs the room`() {
    let list = list([("name", .string, 40), ("count", .integer, 19)])
    let shown = ColumnArrangement(list, width: 36).slots
    #expect(shown.map(\.width) == [15, 19])
  }

  @Test func `the first column stays while the others scroll`() {
    var list = list([("name", .string, 10), ("a", .integer, 10), ("b", .integer, 10), ("c", .integer, 10)])
    list.moveColumn(by: 3, width: 36)
    #expect(list.column == 3)
    #expect(slots(list, 36) == ["name@0+10", "b@12+10", "c@24+10"])
    #expect(ColumnArrangement(list, width: 36).hidesLeading)
    list.moveColumn(by: -3, width: 36)
    #expect(slots(list, 36) == ["name@0+10", "a@12+10", "b@24+10"])
  }

  @Test func `columns grow with longer values and never shrink by themselves`() {
    var list = list([("n", .integer, 0)])
    let key = ObjectKey(entity: 1, primaryKey: 1)
    list.widen(for: [ListRow(key: key, cells: [.integer(1_234_567)])])
    #expect(list.columns[0].natural == 7)
    list.widen(for: [ListRow(key: key, cells: [.integer(1)])])
    #expect(list.columns[0].natural == 7)
  }

  @Test func `a chosen width holds, but not below what a number needs`() {
    var list = list([("name", .string, 30), ("n", .integer, 9)])
    for _ in 0..<40 { list.resizeColumn(by: -2, width: 60) }
    #expect(list.columns[0].chosen == Column.least)
    list.column = 1
    for _ in 0..<40 { list.resizeColumn(by: -2, width: 60) }
    #expect(list.columns[1].chosen == 9)
  }

  @Test func `slots never overlap nor leave the list, whatever the columns`() {
    var random = SplitMix(seed: 3)
    let kinds: [PropertyOutline.Kind] = [.string, .integer, .date, .boolean, .toOne(entity: "E"), .binary]
    for _ in 0..<2_000 {
      var list = list(
        (0..<Int.random(in: 1...9, using: &random)).map {
          ("c\($0)", kinds[Int.random(in: 0..<kinds.count, using: &random)], Int.random(in: 0...50, using: &random))
        })
      let width = Int.random(in: 1...120, using: &random)
      list.moveColumn(by: Int.random(in: 0...9, using: &random), width: width)
      let shown = ColumnArrangement(list, width: width).slots
      for (left, right) in zip(shown, shown.dropFirst()) { #expect(left.x + left.width + 2 <= right.x) }
      #expect(shown.allSatisfy { $0.width > 0 })
      #expect(shown.last.map { $0.x + $0.width <= width } ?? false)
      #expect(shown.contains { $0.index == list.column } || width < 12)
    }
  }
}
