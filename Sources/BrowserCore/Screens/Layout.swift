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

  init(size: Size, focus: Pane, isZoomed: Bool, widths: PaneWidths) {
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
      let wanted = widths.sidebar ?? (size.width >= 160 ? 28 : hasAll ? 24 : 20)
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
  var layout: Layout { Layout(size: size, focus: focus, isZoomed: isZoomed, widths: paneWidths) }

  /// How many rows of objects are on screen, or would be if the list were.
  var listHeight: Int {
    let pane = layout.list ?? Layout(size: size, focus: .list, isZoomed: isZoomed, widths: paneWidths).list
    return max(1, pane.map { Layout.rows(ofList: $0).height } ?? size.height)
  }

  /// How many columns the cells of a row have.
  var listWidth: Int {
    let pane = layout.list ?? Layout(size: size, focus: .list, isZoomed: isZoomed, widths: paneWidths).list
    return max(1, (pane.map { Layout.inside($0).width } ?? size.width) - Layout.gutter)
  }

  /// The inside of the inspector, or of where it would be.
  var inspectorSize: Size {
    let pane =
      layout.inspector ?? Layout(size: size, focus: .inspector, isZoomed: isZoomed, widths: paneWidths).inspector
    return pane.map { Layout.inside($0).size } ?? size
  }

  /// How many entities are on screen, or would be if the sidebar were.
  var sidebarHeight: Int {
    let pane = layout.sidebar ?? Layout(size: size, focus: .sidebar, isZoomed: isZoomed, widths: paneWidths).sidebar
    return max(1, pane.map { Layout.inside($0).height } ?? size.height)
  }
}
