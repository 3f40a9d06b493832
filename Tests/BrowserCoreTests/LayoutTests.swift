import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct LayoutTests {
  /// A layout drawn with a letter for each part.
  private func drawn(_ width: Int, _ height: Int, _ focus: Pane = .list, zoomed: Bool = false) -> [String] {
    let layout = Layout(
      size: Size(width: width, height: height), focus: focus, isZoomed: zoomed, widths: PaneWidths(),
      sidebarContent: 24)
    var canvas = Canvas(size: Size(width: width, height: height))
    let parts: [(Rect?, Character)] = [
      (layout.title, "t"), (layout.sidebar, "s"), (layout.list, "l"), (layout.inspector, "i"), (layout.message, "m"),
      (layout.keys, "k"),
    ]
    for (rect, letter) in parts {
      if let rect { canvas.fill(rect, style: Style(), text: letter) }
    }
    return canvas.lines()
  }

  @Test func `a small screen shows one pane and one line for messages and keys`() {
    let list = drawn(40, 10)
    #expect(list.first == String(repeating: "t", count: 40))
    #expect(list.dropFirst().dropLast().allSatisfy { $0 == String(repeating: "l", count: 40) })
    #expect(list.last == String(repeating: "k", count: 40))
    #expect(drawn(40, 10, .sidebar)[4] == String(repeating: "s", count: 40))
    #expect(drawn(40, 10, .inspector)[4] == String(repeating: "i", count: 40))
  }

  @Test func `80 columns show the list and one other pane`() {
    let row = drawn(80, 24)[10]
    #expect(row == String(repeating: "s", count: 22) + String(repeating: "l", count: 58))
    #expect(drawn(80, 24)[22] == String(repeating: "m", count: 80))
    #expect(drawn(80, 24)[23] == String(repeating: "k", count: 80))
    let inspecting = drawn(80, 24, .inspector)[10]
    #expect(inspecting == String(repeating: "l", count: 44) + String(repeating: "i", count: 36))
  }

  @Test func `120 columns show all three panes`() {
    let row = drawn(120, 36)[10]
    #expect(
      row == String(repeating: "s", count: 24) + String(repeating: "l", count: 60) + String(repeating: "i", count: 36))
  }

  @Test func `a zoomed pane has the screen to itself`() {
    #expect(drawn(120, 36, .inspector, zoomed: true)[10] == String(repeating: "i", count: 120))
  }

  @Test func `panes cover every size without gaps or overlaps`() {
    for width in 1...130 {
      for height in [1, 2, 5, 6, 7, 8, 11, 12, 13, 14, 40] {
        for focus in Pane.allCases {
          let lines = drawn(width, height, focus)
          #expect(lines.joined().allSatisfy { $0 != " " }, "\(width)×\(height)")
          let layout = Layout(
            size: Size(width: width, height: height), focus: focus, isZoomed: false,
            widths: PaneWidths(sidebar: 500, inspector: 500))
          #expect(layout.rect(of: focus) != nil)
          let panes = Pane.allCases.compactMap { layout.rect(of: $0) }
          #expect(panes.allSatisfy { $0.maxX <= width && $0.maxY <= height && !$0.isEmpty })
        }
      }
    }
  }
}
