import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct InspectorLinesTests {
  private func record(_ fields: [(String, PropertyOutline.Kind, CellValue)]) -> RecordDetail {
    RecordDetail(
      key: ObjectKey(entity: 1, primaryKey: 42), entity: "Recipe", uri: "x", version: 7, title: nil,
      fields: fields.map {
        RecordField(property: PropertyOutline(name: $0.0, kind: $0.1, isSortable: true), value: $0.2)
      })
  }

  private func text(_ record: RecordDetail, width: Int) -> [String] {
    InspectorLines(record, width: width, formatter: ValueFormatter(zone: .utc)).lines
      .map { "\($0.label)|\($0.mark)|\($0.text)" }
  }

  @Test func `an object is a head and its properties, relationships marked as ways on`() {
    let shown = text(
      record([
        ("name", .string, .text("Apple Pie", length: 9)),
        ("tags", .toMany(entity: "Tag", ordered: false), .objects(count: 3)),
        ("category", .toOne(entity: "Category"), .object(ObjectKey(entity: 2, primaryKey: 1), title: "Dessert")),
        ("photo", .toOne(entity: "Photo"), .null),
      ]), width: 40)
    #expect(
      shown == ["||Recipe p42  v7", "||", "name||Apple Pie", "tags|▸|3 Tag", "category|▸|Dessert", "photo|▸|∅"])
  }

  @Test func `long text wraps under its first line, and its lines stay lines`() {
    let shown = text(record([("note", .string, .text("one two three\nfour", length: 18))]), width: 24)
    #expect(shown.dropFirst(2) == ["note||one two three", "||four"])
    let narrow = text(record([("note", .string, .text("one two three\nfour", length: 18))]), width: 12)
    #expect(narrow.dropFirst(2) == ["note||", "||one two", "||three", "||four"])
  }

  @Test func `very long text is not laid out whole, and says how much is missing`() throws {
    let value = CellValue.text(String(repeating: "x", count: 60_000), length: 60_000)
    let shown = text(record([("note", .string, value)]), width: 60)
    #expect(shown.count < 120)
    #expect(try #require(shown.last).hasSuffix("… 56,000 more characters"))
  }

  @Test func `a date stands beside what is stored for it, or above that where there is no room`() {
    let date = record([("made", .date, .date(Date(timeIntervalSinceReferenceDate: 700_000_000.25)))])
    let wide = InspectorLines(date, width: 60, formatter: ValueFormatter(zone: .utc)).lines[2]
    #expect(wide.text == "2023-03-08 20:26:40.25")
    #expect(wide.raw == "700000000.25")
    #expect(text(date, width: 32).dropFirst(2) == ["made||2023-03-08 20:26:40.25", "||700000000.25"])
  }

  @Test func `lines and properties point at each other`() {
    let lines = InspectorLines(
      record([("a", .string, .text("one two three four five six", length: 27)), ("b", .integer, .integer(1))]),
      width: 24, formatter: ValueFormatter(zone: .utc))
    #expect(lines.start(of: 0) == 2)
    #expect(lines.end(of: 0) == lines.start(of: 1))
    #expect(lines.end(of: 1) == lines.lines.count)
    #expect(lines.field(at: 0, towards: 1) == 0)
    #expect(lines.field(at: lines.lines.count - 1, towards: -1) == 1)
  }
}

@MainActor @Suite struct InspectorTests {
  @Test func `the inspector shows what the row knows until the whole object is there`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.record) })
    await browser.quiet()
    browser.typeAhead("jj")
    await browser.quiet()
    #expect(browser.terminal.shows("[3] Film night 3"))
    #expect(browser.session.state.inspector.record == nil)
    #expect(browser.session.state.shownRecord?.key == ObjectKey(entity: 1, primaryKey: 3))
    browser.service.release(.record)
    await browser.idle()
    #expect(browser.session.state.inspector.record?.uri.hasSuffix("/Event/p3") == true)
  }

  @Test func `a field that leads on is followed with enter, and backspace returns to it`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("j3jjj<enter>")
    #expect(browser.session.state.list?.trail == ["Café concert 2", "venue"])
    #expect(browser.session.state.focus == .list)
    await browser.type("<backspace>")
    #expect(browser.session.state.focus == .inspector)
    #expect(browser.session.state.inspector.field == 3)
    #expect(browser.session.state.inspector.key == ObjectKey(entity: 1, primaryKey: 2))
  }

  @Test func `a field taller than the pane is scrolled through before the next one is selected`() async throws {
    let browser = try BrowserUnderTest(.hostile(), size: Size(width: 40, height: 10))
    await browser.idle()
    await browser.type("jjjjjjj3jj")
    #expect(browser.session.state.inspector.field == 0)
    #expect(browser.session.state.inspector.top == 2)
    await browser.type("kk")
    #expect(browser.session.state.inspector.top == 0)
    await browser.type("gG")
    #expect(browser.session.state.inspector.field == 2)
    await browser.type("g")
    #expect(browser.session.state.inspector.top == 0)
  }
}
