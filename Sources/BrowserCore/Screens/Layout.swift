import CoreData
import TextCanvas

/// Where everything is on a screen of a given size: a pure function of the size and of what is focused.
///
/// Narrow screens show one pane at a time, 80 columns show the list with one other pane, 100 and more show all three.
struct Layout: Equatable {
  /// The line at the top; `nil` where there is no room for it.
  var title: Rect?
  var sidebar: Rect?
  var list: Rect?
  var inspector: Rect?
  /// The line for messages, prompts and what is under the cursor.
  var message: Rect?
  /// The line of keys; the message line takes its place where there is room for one line only.
  var keys: Rect?

  static let leastSidebar = 14
  static let leastList = 24
  static let leastInspector = 18

  /// `sidebarContent` is the width that the entities would need.
  init(size: Size, focus: Pane, isZoomed: Bool, widths: PaneWidths, sidebarContent: Int = 0) {
    var body = Rect(size: size)
    if size.height >= 6 { (title, body) = Self.take(body.top(1)) }
    if size.height >= 8 { (keys, body) = Self.take(body.bottom(1)) }
    if size.height >= 14 {
      (message, body) = Self.take(body.bottom(1))
    } else {
      message = keys
    }

    let isNarrow = size.width < 60 || size.height < 12
    if isZoomed || isNarrow {
      switch focus {
      case .sidebar: sidebar = body
      case .list: list = body
      case .inspector: inspector = body
      }
      return
    }
    let hasAll = size.width >= 100
    if hasAll || focus != .inspector {
      let usual = size.width >= 160 ? 24...36 : hasAll ? 20...28 : 18...22
      let wanted = widths.sidebar ?? min(max(sidebarContent, usual.lowerBound), usual.upperBound)
      let most = max(Self.leastSidebar, size.width - Self.leastList - (hasAll ? Self.leastInspector : 0))
      (sidebar, body) = Self.take(body.leading(min(max(wanted, Self.leastSidebar), most)))
    }
    if hasAll || focus == .inspector {
      let wanted = widths.inspector ?? (hasAll ? min(max(34, size.width * 3 / 10), 52) : size.width * 9 / 20)
      let most = max(Self.leastInspector, body.width - Self.leastList)
      (inspector, body) = Self.take(body.trailing(min(max(wanted, Self.leastInspector), most)))
    }
    list = body
  }

  private static func take(_ cut: (part: Rect, rest: Rect)) -> (Rect?, Rect) { (cut.part, cut.rest) }

  /// The rectangle of a pane, where it is on screen.
  func rect(of pane: Pane) -> Rect? {
    switch pane {
    case .sidebar: sidebar
    case .list: list
    case .inspector: inspector
    }
  }

  /// The inside of a pane's frame, where there is room for one.
  static func inside(_ pane: Rect) -> Rect {
    hasFrame(pane) ? pane.inset(by: 1) : pane
  }

  /// Whether a pane is large enough for a frame.
  static func hasFrame(_ pane: Rect) -> Bool { pane.width >= 8 && pane.height >= 4 }

  /// The rows of the list below its heading.
  static func rows(ofList pane: Rect) -> Rect {
    let inside = inside(pane)
    return inside.height >= 2 ? inside.top(1).rest : inside
  }

  /// The columns left of a row's cells, for the mark of the selection.
  static let gutter = 2
}

extension BrowserState {
  /// Where everything is.
  var layout: Layout { layout(focus: focus) }

  /// Where everything would be if a pane had the keys.
  private func layout(focus: Pane) -> Layout {
    Layout(size: size, focus: focus, isZoomed: isZoomed, widths: paneWidths, sidebarContent: sidebarContent)
  }

  /// A pane, or where it would be if it had the keys.
  private func rect(of pane: Pane) -> Rect {
    layout.rect(of: pane) ?? layout(focus: pane).rect(of: pane) ?? Rect(size: size)
  }

  /// The width that the names of the entities need, with room for their numbers and the frame.
  private var sidebarContent: Int {
    let counts = 6
    let frame = 6
    let names = outline?.entities.map { $0.depth * 2 + CellWidth.width(of: SafeText.visible($0.name)) } ?? []
    return (names.max() ?? 0) + counts + frame
  }

  /// How many rows of objects are on screen, or would be if the list were.
  var listHeight: Int { max(1, listAreas(in: rect(of: .list)).rows.height) }

  /// How many columns the cells of a row have.
  var listWidth: Int { max(1, Layout.inside(rect(of: .list)).width - Layout.gutter) }

  /// The inside of the inspector, or of where it would be.
  var inspectorSize: Size { Layout.inside(rect(of: .inspector)).size }

  /// How many entities are on screen, or would be if the sidebar were.
  var sidebarHeight: Int { max(1, Layout.inside(rect(of: .sidebar)).height) }
}

extension Layout {
  /// What is left between the title line and the lines at the bottom.
  func body(in size: Size) -> Rect {
    let top = title == nil ? 0 : 1
    let bottom = [message, keys].compactMap { $0?.y }.min() ?? size.height
    return Rect(x: 0, y: top, width: size.width, height: bottom - top)
  }
}
