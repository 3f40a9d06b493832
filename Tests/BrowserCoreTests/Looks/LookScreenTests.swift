import BrowserTestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// The column chooser, frozen columns, the palette and the screen of the model, at every size.
@MainActor @Suite struct LookScreenTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var keys: String
    var unicode = true
    var testDescription: String { name }
  }

  nonisolated static let scenes = [
    Scene(name: "columns", keys: "c"),
    Scene(name: "columns-hidden", keys: "cjj<space>jJJ"),
    Scene(name: "columns-frozen", keys: "lll|llll"),
    Scene(name: "palette", keys: ":"),
    Scene(name: "palette-typed", keys: ":ven"),
    Scene(name: "palette-nothing", keys: ":zzzz"),
    Scene(name: "model", keys: "M"),
    Scene(name: "model-properties", keys: "M<tab>GG"),
    Scene(name: "model-ascii", keys: "M<tab>j", unicode: false),
  ]

  @Test(arguments: scenes, ScreenTests.sizes) func `screens are as their golden files show them`(
    scene: Scene, size: Size
  ) async throws {
    let browser = try BrowserUnderTest(size: size, unicode: scene.unicode)
    await browser.idle()
    await browser.type(KeyScript(scene.keys))
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor, name: scene.name, beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }

  @Test(arguments: ["c", ":", "M", "M<tab>"]) func `every size shows some of it, and steps end at the ends`(
    keys: String
  ) async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type(KeyScript(keys))
    for size in [Size(width: 3, height: 2), Size(width: 20, height: 5), Size(width: 200, height: 60)] {
      browser.terminal.resize(size)
      await browser.idle()
      await browser.type("<pgdn><pgdn><down><pgup><pgup><pgup><up>")
      #expect(browser.session.state.overlay != nil)
    }
  }
}
