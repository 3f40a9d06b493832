import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct ThemeTests {
  private static let names = ["dark", "light", "high-contrast"]

  @Test(arguments: names, [ColorDepth.truecolor, .indexed256])
  func `text on every wash can be read`(name: String, depth: ColorDepth) throws {
    let theme = try #require(Theme(named: name, depth: depth))
    for role in Role.allCases {
      for wash in Role.allCases {
        for strength in [UInt8(8), 4, 1] {
          let shown = theme.appearance(of: Style(role, wash: wash, strength: strength))
          guard let ground = shown.background, let ink = shown.foreground else { continue }
          #expect(ink.contrast(with: ground) >= 4.5, "\(role) on \(wash) \(strength)/8")
        }
      }
    }
  }

  @Test(arguments: names) func `text without a wash can be read`(name: String) throws {
    let theme = try #require(Theme(named: name, depth: .truecolor))
    // Frames are decoration, and absence is meant to be faint.
    let faint: Set<Role> = [.border, .null]
    for role in Role.allCases {
      guard let ink = theme.appearance(of: Style(role)).foreground else { continue }
      let contrast = ink.contrast(with: theme.ground)
      #expect(contrast >= (faint.contains(role) ? 1.7 : 4.5), "\(role)")
    }
  }

  @Test func `without colours everything is still told apart by attributes`() {
    let plain = Theme.monochrome.appearance(of: Style(.text))
    #expect(plain == Appearance())
    for style in [Style(.text, wash: .selected), Style(.error), Style(.dim), Style(.match, wash: .match), Style(.key)] {
      let shown = Theme.monochrome.appearance(of: style)
      #expect(shown.foreground == nil && shown.background == nil)
      #expect(!shown.attributes.isEmpty)
    }
    #expect(
      Theme.monochrome.appearance(of: Style(.text, wash: .selected))
        != Theme.monochrome.appearance(of: Style(.text, wash: .accent, [.bold])))
  }

  @Test func `sixteen colours are the terminal's own and no others`() {
    for name in ["dark", "light", "sixteen"] {
      let theme = Theme(named: name, depth: .sixteen)
      #expect(theme?.depth == .sixteen)
      for role in Role.allCases {
        let shown = theme?.appearance(of: Style(role, wash: .selected))
        #expect(shown?.background == nil)
        if let ink = theme?.appearance(of: Style(role)).foreground { #expect(RGB.sixteen.contains(ink)) }
      }
    }
  }

  @Test func `with 256 colours only colours of the cube and its greys are used, and changes keep their hue`() {
    let theme = Theme(named: "dark", depth: .indexed256)
    for role in Role.allCases {
      for wash in [nil] + Role.allCases.map({ Optional($0) }) {
        let shown = theme?.appearance(of: Style(role, wash: wash))
        if let ink = shown?.foreground { #expect(RGB.cubeAndGreys.contains(ink)) }
        if let ground = shown?.background { #expect(RGB.cubeAndGreys.contains(ground)) }
      }
    }
    #expect(theme?.appearance(of: Style(.text, wash: .added)).background == RGB(0x005F00))
    #expect(theme?.appearance(of: Style(.text, wash: .zebra)).background == nil)
  }

  @Test func `names that are none give no theme`() {
    #expect(Theme(named: "paisley", depth: .truecolor) == nil)
    for name in Theme.names {
      for depth in ColorDepth.allCases { #expect(Theme(named: name, depth: depth) != nil) }
    }
  }

  @Test func `colours are reduced to the nearest`() {
    #expect(RGB(0xFE0203).reduced(to: .sixteen) == RGB(0xFF0000))
    #expect(RGB(0x5E5F01).reduced(to: .indexed256) == RGB(0x5F5F00))
    #expect(RGB(0x808080).reduced(to: .indexed256) == RGB(0x808080))
    #expect(RGB(0xFFFFFF).contrast(with: RGB(0x000000)) == 21)
  }
}
