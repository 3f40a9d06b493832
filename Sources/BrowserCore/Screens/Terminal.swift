import TextCanvas

/// Where frames go and where keys come from: curses, a fake in tests, or a dump that prints one frame.
@MainActor public protocol Terminal: AnyObject {
  /// The size in cells at this moment.
  var size: Size { get }
  /// What the terminal can show.
  var capabilities: TerminalCapabilities { get }
  /// Shows a whole frame; only the cells that differ from the last one are written.
  func present(_ canvas: Canvas, cursor: Point?, appearance: (Style) -> Appearance)
  /// Puts a text on the clipboard, where the terminal lets programs do that.
  func copy(_ text: String)
  /// How many bytes of earlier frames the other end has not taken yet.
  var backlog: Int { get }
  /// Called for every key, mouse event, paste, resize, and for the end of the input.
  var onEvent: (@MainActor (InputEvent) -> Void)? { get set }
  /// Takes the screen over.
  func start() throws
  /// Gives the screen back as it was; does nothing when it is not taken.
  func stop()
  /// Gives the screen back, stops the process as `^Z` asks, and takes the screen again when it continues.
  func suspendAndResume()
}

extension Terminal {
  /// Nothing waits.
  public var backlog: Int { 0 }
  /// There is no clipboard.
  public func copy(_ text: String) {}
}

/// What a terminal can show.
public struct TerminalCapabilities: Hashable, Sendable {
  /// How many colours there are.
  public var colors: ColorDepth
  /// Whether the locale is UTF-8, so that box drawing and wide glyphs come out.
  public var unicode: Bool
  /// Whether frames can be wrapped in synchronized output.
  public var synchronizedOutput: Bool

  /// Capabilities.
  public init(colors: ColorDepth, unicode: Bool, synchronizedOutput: Bool) {
    self.colors = colors
    self.unicode = unicode
    self.synchronizedOutput = synchronizedOutput
  }
}

/// How many colours a terminal has.
public enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
  case monochrome, sixteen, indexed256, truecolor

  /// Fewer colours come first.
  public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// How a style looks: what a theme makes of a role.
public struct Appearance: Hashable, Sendable {
  /// The colour of the text; `nil` is the terminal's own.
  public var foreground: RGB?
  /// The colour behind the text; `nil` is the terminal's own.
  public var background: RGB?
  /// Bold, dim, underline and so on.
  public var attributes: Style.Attributes

  /// An appearance.
  public init(foreground: RGB? = nil, background: RGB? = nil, attributes: Style.Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// A colour of eight bits a channel.
public struct RGB: Hashable, Sendable {
  /// Red.
  public var r: UInt8
  /// Green.
  public var g: UInt8
  /// Blue.
  public var b: UInt8

  /// A colour.
  public init(r: UInt8, g: UInt8, b: UInt8) {
    self.r = r
    self.g = g
    self.b = b
  }
}
