import BrowserTestSupport
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct ScreenDumpTests {
  private var canvas: Canvas {
    var canvas = Canvas(size: Size(width: 8, height: 2))
    canvas.write("a<日", at: Point(x: 0, y: 0), style: Style(.error, [.bold]))
    canvas.write("─╮", at: Point(x: 6, y: 1), style: Style(.accent, wash: .selected))
    return canvas
  }

  @Test func `text has the rows without what is blank at their ends`() {
    #expect(ScreenDump.text.render(canvas, theme: .dark) == "a<日\n      ─╮\n")
  }

  @Test func `escape sequences appear only where the look changes, and never spill over a line`() {
    let shown = ScreenDump.ansi.render(canvas, theme: .sixteen)
    #expect(shown == "\u{1B}[0;1;91ma<日\u{1B}[0m    \n      \u{1B}[0;7m─╮\u{1B}[0m\n")
  }

  @Test func `a picture is well-formed, escapes text and draws lines as shapes`() throws {
    let svg = ScreenDump.svg.render(canvas, theme: .dark, title: "a & b")
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("a&lt;") && svg.contains("a &amp; b"))
    #expect(svg.contains("<path d=\"M") && !svg.contains("─"))
    #expect(svg.components(separatedBy: "<text").count == svg.components(separatedBy: "</text>").count)
  }

  @Test func `a frame of 200×60 is drawn quickly`() async throws {
    let browser = try BrowserUnderTest(.festival(events: 700), size: Size(width: 200, height: 60))
    await browser.idle()
    await browser.type("fe<enter>")
    let compositor = Compositor(keymap: Keymap())
    let state = browser.session.state
    var glyphs = 0
    let start = ContinuousClock.now
    for _ in 0..<20 { glyphs += compositor.draw(state).canvas.size.width }
    let frame = (ContinuousClock.now - start) / 20
    #expect(glyphs == 4_000)
    print("a frame of 200×60 takes \(frame)")
  }
}
