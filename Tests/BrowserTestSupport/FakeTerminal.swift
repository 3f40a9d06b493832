import BrowserCore
import TextCanvas

/// A terminal that keeps every frame and is fed by the test.
@MainActor public final class FakeTerminal: Terminal {
  /// The size of the moment.
  public private(set) var size: Size
  /// What it can show.
  public let capabilities: TerminalCapabilities
  /// Where events go.
  public var onEvent: (@MainActor (InputEvent) -> Void)?
  /// Every frame, the newest last.
  public private(set) var frames: [Canvas] = []
  /// Where the cursor was in the newest frame.
  public private(set) var cursor: Point?
  /// Whether the screen is taken.
  public private(set) var isStarted = false
  /// How often the program was suspended.
  public private(set) var suspensions = 0
  /// Thrown by `start()`.
  public var startFailure: (any Error)?

  /// A terminal of some size.
  public init(size: Size, unicode: Bool = true) {
    self.size = size
    capabilities = TerminalCapabilities(colors: .truecolor, unicode: unicode, synchronizedOutput: true)
  }

  /// Takes the screen, or throws `startFailure`.
  public func start() throws {
    if let startFailure { throw startFailure }
    isStarted = true
  }

  /// Gives the screen back.
  public func stop() { isStarted = false }

  /// What was put on the clipboard.
  public private(set) var copied: [String] = []

  /// Keeps what is copied.
  public func copy(_ text: String) { copied.append(text) }

  /// Counts the suspension.
  public func suspendAndResume() { suspensions += 1 }

  /// Keeps a frame.
  public func present(_ canvas: Canvas, cursor: Point?, appearance: (Style) -> Appearance) {
    frames.append(canvas)
    self.cursor = cursor
  }

  /// The newest frame.
  public var canvas: Canvas { frames.last ?? Canvas(size: size) }

  /// The newest frame as text.
  public var lines: [String] { canvas.lines() }

  /// Whether some text is on screen.
  public func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// Something comes from the terminal.
  public func send(_ event: InputEvent) { onEvent?(event) }

  /// The window is resized.
  public func resize(_ size: Size) {
    self.size = size
    onEvent?(.resize(size))
  }
}
