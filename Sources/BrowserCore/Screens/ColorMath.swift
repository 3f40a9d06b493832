import Foundation

extension RGB {
  /// A colour written as `0xRRGGBB`.
  init(_ hex: UInt32) {
    self.init(r: UInt8(hex >> 16 & 0xFF), g: UInt8(hex >> 8 & 0xFF), b: UInt8(hex & 0xFF))
  }

  /// This colour with a share of another, from 0 to 1.
  func blended(with other: RGB, share: Double) -> RGB {
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(max(0, min(255, (Double(from) * (1 - share) + Double(to) * share).rounded())))
    }
    return RGB(r: mix(r, other.r), g: mix(g, other.g), b: mix(b, other.b))
  }

  /// Relative luminance, as WCAG 2 defines it.
  var luminance: Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  }

  /// The contrast ratio of two colours, from 1 to 21.
  func contrast(with other: RGB) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// This colour, moved towards white or black until it can be read on another.
  func readable(on background: RGB, contrast least: Double = Theme.leastContrast) -> RGB {
    let goal = RGB(background.luminance < 0.18 ? 0xFFFFFF : 0x000000)
    for step in 0...10 {
      let color = blended(with: goal, share: Double(step) / 10)
      if color.contrast(with: background) >= least { return color }
    }
    return goal
  }

  /// The nearest colour that a terminal of some depth has.
  func reduced(to depth: ColorDepth) -> RGB {
    switch depth {
    case .truecolor, .monochrome: self
    case .indexed256: nearest(among: Self.cubeAndGreys)
    case .sixteen: nearest(among: Self.sixteen)
    }
  }

  private func nearest(among palette: [RGB]) -> RGB {
    func distance(_ other: RGB) -> Int {
      let (dr, dg, db) = (Int(r) - Int(other.r), Int(g) - Int(other.g), Int(b) - Int(other.b))
      // Weighted as the eye weighs them.
      return 3 * dr * dr + 6 * dg * dg + 2 * db * db
    }
    return palette.min { distance($0) < distance($1) } ?? self
  }

  /// The part of the palette of 256 that no user changes: a 6×6×6 cube and 24 greys.
  static let cubeAndGreys: [RGB] = {
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    var colors: [RGB] = []
    for r in levels {
      for g in levels {
        for b in levels { colors.append(RGB(r: r, g: g, b: b)) }
      }
    }
    for step in UInt8(0)..<24 {
      let level = 8 + 10 * step
      colors.append(RGB(r: level, g: level, b: level))
    }
    return colors
  }()

  /// The sixteen colours as xterm shows them, in their order.
  static let sixteen: [RGB] = {
    let colors: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    return colors.map { RGB($0) }
  }()
}
