import Testing
import TextCanvas

@Suite struct GeometryTests {
  let rect = Rect(x: 2, y: 3, width: 10, height: 4)

  @Test func `the far edges are exclusive`() {
    #expect(rect.maxX == 12 && rect.maxY == 7)
    #expect(rect.contains(Point(x: 11, y: 6)) && !rect.contains(Point(x: 12, y: 6)))
  }

  @Test(arguments: -1...12) func `a split loses and doubles no cell`(_ n: Int) {
    for (part, rest) in [rect.leading(n), rect.trailing(n), rect.top(n), rect.bottom(n)] {
      #expect(part.intersection(rest).isEmpty)
      #expect(part.width * part.height + rest.width * rest.height == 40)
      #expect(part.isEmpty || rect.intersection(part) == part)
      #expect(rest.isEmpty || rect.intersection(rest) == rest)
    }
    #expect(rect.trailing(n).part.width == min(10, max(0, n)))
    #expect(rect.bottom(n).part.maxY == 7)
  }

  @Test func `an inset never turns a rectangle inside out`() {
    #expect(rect.inset(by: 1) == Rect(x: 3, y: 4, width: 8, height: 2))
    #expect(rect.inset(by: 3).isEmpty)
    #expect(rect.inset(by: 3).width == 4)
  }

  @Test func `rows are counted from the rectangle's own top`() {
    #expect(rect.row(1) == Rect(x: 2, y: 4, width: 10, height: 1))
    #expect(rect.row(4).isEmpty && rect.row(-1).isEmpty)
  }

  @Test func `rectangles that do not meet have an empty intersection`() {
    #expect(rect.intersection(Rect(x: 12, y: 3, width: 5, height: 5)).isEmpty)
    #expect(rect.intersection(Rect(x: 0, y: 0, width: 4, height: 4)) == Rect(x: 2, y: 3, width: 2, height: 1))
  }
}
