import TextCanvas

/// A layer that lies over the panes as a sheet: its keys are those of its scope, the wheel scrolls, and a click beside the sheet
/// closes it.
protocol SheetLayer: Layer {
  /// Where its keys come from.
  static var scope: Command.Scope { get }
  /// Whether keys that no command takes are typed into a line.
  static var isTypedInto: Bool { get }
  /// Where the sheet lies.
  func frame(_ state: BrowserState) -> Rect
  /// What a click on the sheet means.
  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent?
}

extension SheetLayer {
  static var isTypedInto: Bool { false }

  func frame(_ state: BrowserState) -> Rect { OverlayLayout(size: state.size).frame }

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? { nil }

  func answer(to event: InputEvent, _ state: BrowserState, _ keymap: Keymap) -> LayerAnswer {
    switch event {
    case .key(let press):
      let command = keymap.command(for: press, in: Self.scope)?.intent(in: state)
      return .taken(command ?? (Self.isTypedInto ? .edit(press) : nil))
    case .paste(let text): return .taken(Self.isTypedInto ? .paste(text) : nil)
    case .mouse(let mouse):
      switch mouse.kind {
      case .wheelUp: return .taken(.move(.up))
      case .wheelDown: return .taken(.move(.down))
      case .press, .doublePress:
        guard frame(state).contains(mouse.position) else { return .taken(.escape) }
        return .taken(intent(at: mouse.position, isDouble: mouse.kind == .doublePress, state))
      default: return .taken(nil)
      }
    default: return .taken(nil)
    }
  }
}
