import TextCanvas

/// A frame as a document: plain text, text with escape sequences, or a picture.
public enum ScreenDump: String, CaseIterable, Sendable {
  case text, ansi, svg

  /// The document of a canvas, ending with a line break.
  public func render(_ canvas: Canvas, theme: Theme, title: String = "") -> String {
    switch self {
    case .text: canvas.lines().map { Self.trimmed($0) + "\n" }.joined()
    case .ansi: Self.ansi(canvas, theme)
    case .svg: ScreenPicture(canvas, theme: theme, title: title).document
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func ansi(_ canvas: Canvas, _ theme: Theme) -> String {
    var output = ""
    for y in 0..<canvas.size.height {
      var current = Appearance()
      for x in 0..<canvas.size.width where !canvas[x, y].text.isEmpty {
        let cell = canvas[x, y]
        let next = theme.appearance(of: cell.style)
        if next != current {
          output += sequence(next, theme.depth)
          current = next
        }
        output += cell.text
      }
      output += current == Appearance() ? "\n" : "\u{1B}[0m\n"
    }
    return output
  }

  private static func sequence(_ appearance: Appearance, _ depth: ColorDepth) -> String {
    var codes = ["0"]
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
    ]
    codes += attributes.filter { appearance.attributes.contains($0.0) }.map(\.1)
    if let color = appearance.foreground { codes.append(code(color, depth, base: 30)) }
    if let color = appearance.background { codes.append(code(color, depth, base: 40)) }
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func code(_ color: RGB, _ depth: ColorDepth, base: Int) -> String {
    switch depth {
    case .truecolor, .monochrome: return "\(base + 8);2;\(color.r);\(color.g);\(color.b)"
    case .indexed256:
      let index = RGB.cubeAndGreys.firstIndex(of: color.reduced(to: depth)) ?? 0
      return "\(base + 8);5;\(index + 16)"
    case .sixteen:
      let index = RGB.sixteen.firstIndex(of: color.reduced(to: depth)) ?? 7
      return String(index < 8 ? base + index : base + 60 + index - 8)
    }
  }
}

/// A terminal that shows nothing and keeps the last frame, for `--dump-screen`.
@MainActor public final class DumpTerminal: Terminal {
  /// The size it was made with.
  public let size: Size
  /// All a terminal can have, as far as wanted.
  public let capabilities: TerminalCapabilities
  /// Called for every event; none come by themselves.
  public var onEvent: (@MainActor (InputEvent) -> Void)?
  /// The last frame.
  public private(set) var canvas: Canvas
  /// Where the cursor was in it.
  public private(set) var cursor: Point?

  /// A terminal of some size.
  public init(size: Size, unicode: Bool = true) {
    self.size = size
    capabilities = TerminalCapabilities(colors: .truecolor, unicode: unicode, synchronizedOutput: false)
    canvas = Canvas(size: size)
  }

  /// Does nothing.
  public func start() {}
  /// Does nothing.
  public func stop() {}
  /// Does nothing.
  public func suspendAndResume() {}

  /// Keeps the frame.
  public func present(_ canvas: Canvas, cursor: Point?, appearance: (Style) -> Appearance) {
    self.canvas = canvas
    self.cursor = cursor
  }
}
