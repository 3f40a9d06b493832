import BrowserCore
import CNcurses
import TextCanvas

/// Colours of a theme as colours and pairs of curses.
@MainActor struct CursesColors {
  /// How many colours there are.
  let depth: ColorDepth
  private let pairLimit: Int
  private var pairs: [Pair: Int32] = [:]
  private var numbers: [RGB: Int32] = [:]
  /// True once there are no pairs left: the next frame should begin with `forget()`.
  private(set) var isExhausted = false

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// Starts colours, unless `monochrome` is asked for.
  ///
  /// The screen must have been taken over.
  init(monochrome: Bool) {
    let limit = monochrome ? 0 : Int(cn_start_colors())
    let colors = Int(cn_colors())
    depth =
      switch limit > 1 ? colors : 0 {
      case ..<8: .monochrome
      case ..<256: .sixteen
      case ..<(1 << 24): .indexed256
      default: .truecolor
      }
    hasBright = colors >= 16
    // Pair numbers beyond 32,767 are asking for trouble in a C short somewhere.
    pairLimit = min(limit, 32_767)
  }

  private let hasBright: Bool

  /// The pair for an appearance, and whether bold must stand in for a bright colour.
  mutating func pair(_ appearance: Appearance) -> (number: Int32, bold: Bool) {
    guard depth != .monochrome, appearance.foreground != nil || appearance.background != nil else { return (0, false) }
    var foreground = appearance.foreground.map { number(of: $0) } ?? -1
    var background = appearance.background.map { number(of: $0) } ?? -1
    var bold = false
    if !hasBright {
      bold = foreground >= 8
      foreground = foreground >= 8 ? foreground - 8 : foreground
      background = background >= 8 ? background - 8 : background
    }
    return (pairNumber(Pair(foreground: foreground, background: background)), bold)
  }

  /// Begins with no pairs; every cell on the screen must be painted again.
  mutating func forget() {
    pairs = [:]
    isExhausted = false
    reset_color_pairs()
  }

  private mutating func pairNumber(_ pair: Pair) -> Int32 {
    if let known = pairs[pair] { return known }
    let next = Int32(pairs.count + 1)
    guard next < pairLimit, init_extended_pair(next, pair.foreground, pair.background) != ERR else {
      isExhausted = true
      // The text stays readable: its own colour on the plain background, or no colours at all.
      return pairs[Pair(foreground: pair.foreground, background: -1)] ?? 0
    }
    pairs[pair] = next
    return next
  }

  private mutating func number(of color: RGB) -> Int32 {
    if let known = numbers[color] { return known }
    let number =
      switch depth {
      case .truecolor: Self.direct(color)
      case .indexed256: Self.nearest256(color)
      case .sixteen, .monochrome: Self.nearest16(color)
      }
    numbers[color] = number
    return number
  }

  /// A colour by its value; the eight lowest values stand for the palette and must be kept clear of.
  private static func direct(_ color: RGB) -> Int32 {
    let value = Int32(color.r) << 16 | Int32(color.g) << 8 | Int32(color.b)
    return value < 8 ? (value == 0 ? 0 : 8) : value
  }

  /// The nearest of the 6×6×6 cube and the 24 greys of a palette of 256; the first 16 are the user's and left alone.
  static func nearest256(_ color: RGB) -> Int32 {
    let levels = [0, 95, 135, 175, 215, 255]
    func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
    let (r, g, b) = (step(color.r), step(color.g), step(color.b))
    let grey = min(23, max(0, (Int(color.r) + Int(color.g) + Int(color.b) - 9) / 30))
    let cubeDistance = distance(color, levels[r], levels[g], levels[b])
    let greyDistance = distance(color, 8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey)
    return Int32(greyDistance < cubeDistance ? 232 + grey : 16 + 36 * r + 6 * g + b)
  }

  /// The nearest of the sixteen colours as terminals commonly show them.
  static func nearest16(_ color: RGB) -> Int32 {
    let palette = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
      (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
      (255, 255, 255),
    ]
    let distances = palette.map { distance(color, $0.0, $0.1, $0.2) }
    return Int32(distances.indices.min { distances[$0] < distances[$1] } ?? 7)
  }

  private static func distance(_ color: RGB, _ r: Int, _ g: Int, _ b: Int) -> Int {
    let (dr, dg, db) = (Int(color.r) - r, Int(color.g) - g, Int(color.b) - b)
    // Weighted as the eye weighs them.
    return 3 * dr * dr + 6 * dg * dg + 2 * db * db
  }
}
