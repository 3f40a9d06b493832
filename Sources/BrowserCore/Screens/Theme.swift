import Synchronization
import TextCanvas

/// What roles look like: from role and wash to colours and attributes.
public struct Theme: Sendable {
  /// Text on any wash keeps at least this contrast (WCAG 2, level AA).
  static let leastContrast = 4.5

  /// The name it is asked for by.
  public let name: String
  /// How many colours it uses.
  public let depth: ColorDepth
  /// The background it is made for.
  ///
  /// The terminal's own is used where there is no wash.
  let ground: RGB
  private let palette: Palette
  /// What was asked for before: a first frame needs a dozen of a thousand combinations.
  private let found = FoundAppearances()

  /// The names of all themes.
  public static let names = ["dark", "light", "high-contrast", "sixteen", "monochrome"]

  /// A theme by its name for a terminal with so many colours; `nil` for an unknown name.
  ///
  /// Terminals with fewer colours get the nearest ones; those with sixteen or none get the theme made for them.
  public init?(named name: String, depth: ColorDepth) {
    let palettes = ["dark": Palette.dark, "light": .light, "high-contrast": .highContrast]
    switch (palettes[name], depth) {
    case (_, .monochrome) where palettes[name] != nil || name == "sixteen": self = .monochrome
    case (let palette?, .indexed256), (let palette?, .truecolor): self.init(name: name, palette, depth: depth)
    case (let palette?, .sixteen):
      self.init(name: name, palette.isLight ? .sixteenOnLight : .sixteen, depth: .sixteen)
    default:
      switch name {
      case "sixteen": self.init(name: name, .sixteen, depth: .sixteen)
      case "monochrome": self = .monochrome
      default: return nil
      }
    }
  }

  /// For dark backgrounds.
  public static let dark = Theme(name: "dark", .dark, depth: .truecolor)
  /// For light backgrounds.
  public static let light = Theme(name: "light", .light, depth: .truecolor)
  /// For dark backgrounds, with nothing faint.
  public static let highContrast = Theme(name: "high-contrast", .highContrast, depth: .truecolor)
  /// For terminals with sixteen colours.
  public static let sixteen = Theme(name: "sixteen", .sixteen, depth: .sixteen)
  /// For terminals without colours, and for `NO_COLOR`.
  public static let monochrome = Theme(
    name: "monochrome", Palette(ground: RGB(0), ink: RGB(0xFFFFFF)), depth: .monochrome)

  private init(name: String, _ palette: Palette, depth: ColorDepth) {
    self.name = name
    self.depth = depth
    self.palette = palette
    ground = palette.ground
  }

  /// What a style looks like.
  public func appearance(of style: Style) -> Appearance {
    var appearance: Appearance
    if style.wash == nil || style.strength == 8 {
      appearance = found.withLock { found in
        let key = AppearanceKey(role: style.role, wash: style.wash)
        if let known = found[key] { return known }
        let made = Self.appearance(style.role, wash: style.wash, strength: 8, palette, depth)
        found[key] = made
        return made
      }
    } else {
      appearance = Self.appearance(style.role, wash: style.wash, strength: style.strength, palette, depth)
    }
    appearance.attributes.formUnion(style.attributes)
    if depth != .truecolor, style.attributes.contains(.italic) { appearance.attributes.remove(.italic) }
    return appearance
  }

  private static func appearance(
    _ role: Role, wash: Role?, strength: UInt8, _ palette: Palette, _ depth: ColorDepth
  ) -> Appearance {
    var appearance = Appearance(attributes: palette.attributes[role] ?? [])
    if depth <= .sixteen {
      if depth == .sixteen { appearance.foreground = palette.inks[role] }
      if let wash, strength > 0 {
        let isChange = [.added, .changed, .removed, .moved].contains(wash)
        // Two steps: the text in the colour of the change, bold and then not.
        if isChange, depth == .sixteen { appearance.foreground = palette.inks[wash] ?? appearance.foreground }
        let marks = isChange && (depth == .monochrome || strength <= 4) ? [] : Self.marks(of: wash)
        appearance.attributes.formUnion(marks)
        // Colours exchanged with the background would make the bar change its colour from cell to cell.
        if marks.contains(.reverse) { appearance.foreground = wash == .unlocked ? palette.inks[.locked] : nil }
      }
      if depth == .monochrome { appearance.attributes.formUnion(Self.plainMarks(of: role)) }
      return appearance
    }
    let share = Double(strength) / 8
    guard let wash, strength > 0, let full = palette.wash(wash, depth) else {
      appearance.foreground = palette.inks[role]?.reduced(to: depth)
      return appearance
    }
    let background = palette.ground.blended(with: full, share: share).reduced(to: depth)
    let ink = palette.inks[role] ?? palette.ink
    // The nearest colour of a palette can fall short of what was asked for.
    let foreground =
      stride(from: leastContrast, through: 21, by: 0.5).lazy
      .map { ink.readable(on: background, contrast: $0).reduced(to: depth) }
      .first { $0.contrast(with: background) >= leastContrast } ?? palette.ink
    appearance.background = background
    appearance.foreground = foreground
    return appearance
  }

  /// What stands for a wash where there are no colours to spare.
  private static func marks(of wash: Role) -> Style.Attributes {
    switch wash {
    case .selected, .bar, .unlocked: [.reverse]
    case .accent: [.reverse, .bold, .underline]
    case .match: [.reverse]
    case .inactiveSelection, .added, .changed, .moved, .staged: [.bold]
    case .removed: [.dim]
    default: []
    }
  }

  /// What stands for a role without any colour.
  private static func plainMarks(of role: Role) -> Style.Attributes {
    switch role {
    case .dim, .null, .border, .zebra, .removed: [.dim]
    case .title, .accent, .key, .error, .warning, .added, .changed, .moved, .staged, .match: [.bold]
    case .link: [.underline]
    default: []
    }
  }
}

/// A role on a wash at its full strength.
private struct AppearanceKey: Hashable {
  let role: Role
  let wash: Role?
}

/// The appearances that a theme has worked out, shared by its copies.
private final class FoundAppearances: Sendable {
  private let table = Mutex<[AppearanceKey: Appearance]>([:])

  func withLock(_ body: (inout [AppearanceKey: Appearance]) -> Appearance) -> Appearance {
    table.withLock { body(&$0) }
  }
}
