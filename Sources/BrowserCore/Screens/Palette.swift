import TextCanvas

/// The colours of a theme, by role.
struct Palette: Sendable {
  /// The background the colours are chosen for.
  var ground: RGB
  /// The colour of plain text, where the terminal's own cannot be relied on.
  var ink: RGB
  /// The text of roles; what is missing has the terminal's own colour.
  var inks: [Role: RGB] = [:]
  /// The backgrounds of roles.
  var washes: [Role: RGB] = [:]
  /// Backgrounds where there are 256 colours, in which a faint wash would come out as grey.
  var indexedWashes: [Role: RGB] = [:]
  /// What glyphs of a role always have.
  var attributes: [Role: Style.Attributes] = [:]

  var isLight: Bool { ground.luminance > 0.5 }

  /// A role's background; with 256 colours there is no zebra, for the next grey is too far away.
  func wash(_ role: Role, _ depth: ColorDepth) -> RGB? {
    guard depth == .indexed256 else { return washes[role] }
    return role == .zebra ? nil : indexedWashes[role] ?? washes[role]
  }

  static let dark = Palette(
    ground: RGB(0x15181E), ink: RGB(0xD6DCE6),
    inks: [
      .dim: RGB(0x838C9C), .title: RGB(0xE8ECF3), .accent: RGB(0x7CC4FF), .key: RGB(0x7FDBC4),
      .added: RGB(0x8ED88A), .changed: RGB(0xE6C667), .removed: RGB(0xF08A85), .moved: RGB(0xC3A2F5),
      .staged: RGB(0xF0A868), .error: RGB(0xFF8078), .warning: RGB(0xF0B860), .link: RGB(0x86BDF7),
      .number: RGB(0xE9BC93), .date: RGB(0x9CCFBE), .string: RGB(0xD6DCE6), .null: RGB(0x6A7282),
      .bar: RGB(0xC5CCD8), .border: RGB(0x4A5261), .header: RGB(0xA3ADBD), .match: RGB(0xFFE7A3),
      .locked: RGB(0xF0B860),
    ],
    washes: [
      .selected: RGB(0x24364F), .accent: RGB(0x345C8C), .inactiveSelection: RGB(0x22262E), .bar: RGB(0x222833),
      .match: RGB(0x5E4B12), .zebra: RGB(0x191C23), .added: RGB(0x1E3A26), .changed: RGB(0x3D3416),
      .removed: RGB(0x432226), .moved: RGB(0x33274A), .staged: RGB(0x402D19), .error: RGB(0x4A1F22),
      .warning: RGB(0x40301A), .locked: RGB(0x40301A), .unlocked: RGB(0x46301A),
    ],
    indexedWashes: [
      .unlocked: RGB(0x5F3700), .added: RGB(0x005F00), .changed: RGB(0x5F5F00), .removed: RGB(0x5F0000),
      .moved: RGB(0x5F005F),
    ]
  )

  static let light = Palette(
    ground: RGB(0xFCFCFA), ink: RGB(0x23272E),
    inks: [
      .dim: RGB(0x69717E), .title: RGB(0x14171C), .accent: RGB(0x0A62B5), .key: RGB(0x0B7261),
      .added: RGB(0x1E7A2E), .changed: RGB(0x85600A), .removed: RGB(0xB3312B), .moved: RGB(0x7140B8),
      .staged: RGB(0x9A5410), .error: RGB(0xB8261F), .warning: RGB(0x8A5A08), .link: RGB(0x1259A8),
      .number: RGB(0x8A4A16), .date: RGB(0x1B6B58), .string: RGB(0x23272E), .null: RGB(0x8A919C),
      .bar: RGB(0x333A45), .border: RGB(0xB8BFC9), .header: RGB(0x56606E), .match: RGB(0x4A3500),
      .locked: RGB(0x8A5A08),
    ],
    washes: [
      .selected: RGB(0xD3E4F7), .accent: RGB(0xA9CCF1), .inactiveSelection: RGB(0xEBEDF0), .bar: RGB(0xE6EAF0),
      .match: RGB(0xFFE49A), .zebra: RGB(0xF5F6F7), .added: RGB(0xD5F0D8), .changed: RGB(0xF8EBC0),
      .removed: RGB(0xF9D9D7), .moved: RGB(0xE6DAF8), .staged: RGB(0xF9E2CC), .error: RGB(0xF9D9D7),
      .warning: RGB(0xF8EBC0), .locked: RGB(0xF8EBC0), .unlocked: RGB(0xFADFB8),
    ],
    indexedWashes: [
      .unlocked: RGB(0xFFD7AF), .added: RGB(0xD7FFD7), .changed: RGB(0xFFFFAF), .removed: RGB(0xFFD7D7),
      .moved: RGB(0xFFD7FF),
    ]
  )

  static let highContrast = Palette(
    ground: RGB(0x000000), ink: RGB(0xFFFFFF),
    inks: [
      .text: RGB(0xFFFFFF), .dim: RGB(0xC8C8C8), .title: RGB(0xFFFFFF), .accent: RGB(0xFFFF00), .key: RGB(0x00FFFF),
      .added: RGB(0x7CFF7C), .changed: RGB(0xFFD75F), .removed: RGB(0xFF9C9C), .moved: RGB(0xE0B0FF),
      .staged: RGB(0xFFC080), .error: RGB(0xFF8C8C), .warning: RGB(0xFFD75F), .link: RGB(0x8CD2FF),
      .number: RGB(0xFFFFFF), .date: RGB(0xFFFFFF), .string: RGB(0xFFFFFF), .null: RGB(0xB0B0B0),
      .bar: RGB(0xFFFFFF), .border: RGB(0xA0A0A0), .header: RGB(0xFFFFFF), .match: RGB(0xFFFFFF),
      .locked: RGB(0xFFD75F),
    ],
    washes: [
      .selected: RGB(0x003C8F), .accent: RGB(0x7A0061), .inactiveSelection: RGB(0x333333), .bar: RGB(0x262626),
      .match: RGB(0x7A4B00), .added: RGB(0x004D00), .changed: RGB(0x5A4300), .removed: RGB(0x6B0000),
      .moved: RGB(0x44006B), .staged: RGB(0x5C3300), .error: RGB(0x6B0000), .warning: RGB(0x5A4300),
      .locked: RGB(0x5A4300), .unlocked: RGB(0x5C3300),
    ]
  )

  /// Names of sixteen colours that can be read on dark backgrounds.
  static let sixteen = Palette(
    ground: RGB(0x000000), ink: RGB(0xE5E5E5),
    inks: [
      .accent: RGB.sixteen[14], .key: RGB.sixteen[10], .added: RGB.sixteen[10], .changed: RGB.sixteen[11],
      .removed: RGB.sixteen[9], .moved: RGB.sixteen[13], .staged: RGB.sixteen[11], .error: RGB.sixteen[9],
      .warning: RGB.sixteen[11], .link: RGB.sixteen[14], .number: RGB.sixteen[3], .date: RGB.sixteen[2],
      .locked: RGB.sixteen[11], .match: RGB.sixteen[11],
    ],
    attributes: [.title: [.bold], .null: [.dim], .dim: [.dim], .border: [.dim]]
  )

  /// Names of sixteen colours that can be read on light backgrounds.
  static let sixteenOnLight = Palette(
    ground: RGB(0xFFFFFF), ink: RGB(0x000000),
    inks: [
      .accent: RGB.sixteen[4], .key: RGB.sixteen[4], .added: RGB.sixteen[2], .changed: RGB.sixteen[5],
      .removed: RGB.sixteen[1], .moved: RGB.sixteen[5], .staged: RGB.sixteen[5], .error: RGB.sixteen[1],
      .warning: RGB.sixteen[5], .link: RGB.sixteen[4], .number: RGB.sixteen[5], .date: RGB.sixteen[4],
      .locked: RGB.sixteen[1], .match: RGB.sixteen[5],
    ],
    attributes: [.title: [.bold], .null: [.dim], .dim: [.dim], .border: [.dim]]
  )
}
