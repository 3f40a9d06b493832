import Testing
import TextCanvas

@Suite struct CanvasSpeedTests {
  /// A bound that only a wrong order of growth breaks, on the slowest machine and without optimisation.
  @Test func `a full frame of 200 by 60 is drawn and compared in a small part of a second`() {
    let size = Size(width: 200, height: 60)
    let line = String(repeating: "Éclair 🍫 42 ", count: 16)
    let clock = ContinuousClock()
    let time = clock.measure {
      var canvas = Canvas(size: size)
      for y in 0..<60 { canvas.write(y % 4 == 0 ? line : String(repeating: "x", count: 200), at: Point(x: 0, y: y)) }
      #expect(canvas.diff(from: Canvas(size: size)).count >= 60)
    }
    #expect(time < .milliseconds(250))
  }
}
