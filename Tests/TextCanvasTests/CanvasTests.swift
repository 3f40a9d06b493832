import Testing
import TextCanvas

/// Whether every wide glyph owns the cell after it, and no cell is empty without such an owner.
func isSound(_ canvas: Canvas) -> Bool {
  (0..<canvas.size.height).allSatisfy { y in
    (0..<canvas.size.width).allSatisfy { x in
      let cell = canvas[x, y]
      if cell.text.isEmpty {
        return x > 0 && canvas[x - 1, y].text.count == 1 && CellWidth.width(of: canvas[x - 1, y].text) == 2
          && canvas[x - 1, y].style == cell.style
      }
      let wide = CellWidth.width(of: cell.text) == 2
      return CellWidth.width(of: cell.text) <= 2
        && (!wide || (x + 1 < canvas.size.width && canvas[x + 1, y].text == ""))
    }
  }
}

func scribble(on canvas: inout Canvas, using generator: inout SeededGenerator) {
  let size = canvas.size
  func rect(_ generator: inout SeededGenerator) -> Rect {
    Rect(
      x: .random(in: -2...size.width, using: &generator), y: .random(in: -1...size.height, using: &generator),
      width: .random(in: 0...size.width + 2, using: &generator), height: .random(in: 0...3, using: &generator))
  }
  let style = Style(
    Role.allCases.randomElement(using: &generator) ?? .text, wash: Bool.random(using: &generator) ? .bar : nil)
  switch Int.random(in: 0..<6, using: &generator) {
  case 0: canvas.fill(rect(&generator), style: style, text: "x")
  case 1: canvas.restyle(rect(&generator)) { $0.attributes.insert(.bold) }
  case 2: canvas.box(rect(&generator), style: style)
  case 3:
    let alignment: Alignment = [.leading, .trailing, .center].randomElement(using: &generator) ?? .leading
    canvas.write(RandomText.line(4, using: &generator), in: rect(&generator), alignment: alignment, style: style)
  default:
    let text = RandomText.line(.random(in: 0...6, using: &generator), using: &generator)
    let origin = Point(x: rect(&generator).x, y: rect(&generator).y)
    let width = Bool.random(using: &generator) ? Int.random(in: -1...9, using: &generator) : nil
    let used = canvas.write(text, at: origin, style: style, width: width)
    #expect(used >= 0 && used <= max(0, size.width - origin.x) && used <= max(0, width ?? .max))
  }
}

@Suite struct CanvasTests {
  @Test func `a wide glyph owns two cells`() {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    #expect(canvas.write("a漢b", at: Point(x: 0, y: 0), style: Style(.title)) == 4)
    #expect((0..<4).map { canvas[$0, 0].text } == ["a", "漢", "", "b"])
    #expect(canvas[2, 0].style == Style(.title))
    #expect(canvas.lines() == ["a漢b"])
  }

  @Test(arguments: [(1, ["a", "x", " ", "b"]), (2, ["a", " ", "x", "b"])])
  func `overwriting one half of a wide glyph blanks the other`(_ x: Int, _ expected: [String]) {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    canvas.write("a漢b", at: Point(x: 0, y: 0))
    canvas.write("x", at: Point(x: x, y: 0))
    #expect((0..<4).map { canvas[$0, 0].text } == expected)
  }

  @Test func `a wide glyph cut by an edge becomes a blank`() {
    var canvas = Canvas(size: Size(width: 3, height: 1))
    canvas.fill(canvas.bounds, style: Style(), text: "x")
    #expect(canvas.write("漢漢", at: Point(x: 0, y: 0)) == 3)
    #expect((0..<3).map { canvas[$0, 0].text } == ["漢", "", " "])
    canvas.write("漢z", at: Point(x: -1, y: 0))
    #expect((0..<3).map { canvas[$0, 0].text } == [" ", "z", " "])
  }

  @Test func `text is clipped to the width asked for`() {
    var canvas = Canvas(size: Size(width: 10, height: 1))
    #expect(canvas.write("abcdef", at: Point(x: 1, y: 0), width: 3) == 3)
    #expect(canvas.lines() == [" abc      "])
    #expect(canvas.write("abcdef", at: Point(x: 7, y: 0), width: .max) == 3)
    #expect(canvas.write("abc", at: Point(x: 0, y: 1)) == 0)
  }

  @Test func `controls never reach a cell`() {
    var canvas = Canvas(size: Size(width: 8, height: 1))
    canvas.write("a\u{1B}[2J\r\n\u{7}b", at: Point(x: 0, y: 0))
    #expect(canvas.lines() == ["a[2Jb   "])
  }

  @Test func `a line is fitted and aligned in its rectangle`() {
    var canvas = Canvas(size: Size(width: 9, height: 3))
    let rect = canvas.bounds.inset(horizontal: 1, vertical: 0)
    canvas.write("12", in: rect.row(0), alignment: .trailing)
    canvas.write("mid", in: rect.row(1), alignment: .center)
    canvas.write("too long for it", in: rect.row(2))
    #expect(canvas.lines() == ["      12 ", "   mid   ", " too lo… "])
  }

  @Test func `a conjunct of several spacing signs has a cell for each`() {
    var canvas = Canvas(size: Size(width: 5, height: 1))
    #expect(canvas.write("क्षिa", at: Point(x: 0, y: 0)) == 4)
    #expect(canvas[3, 0].text == "a")
    #expect(canvas.lines() == ["क्षिa "])
  }

  @Test func `a frame has four corners and needs two rows`() {
    var canvas = Canvas(size: Size(width: 4, height: 3))
    canvas.box(canvas.bounds, style: Style(.border), border: .ascii)
    #expect(canvas.lines() == ["+--+", "|  |", "+--+"])
    let before = canvas
    canvas.box(Rect(x: 0, y: 0, width: 4, height: 1), style: Style(.error))
    #expect(canvas == before)
  }

  @Test(arguments: 0...7, 0...3)
  func `applying the difference makes the old canvas the new one, and all stays sound`(_ width: Int, _ height: Int) {
    var generator = SeededGenerator(state: UInt64(width * 10 + height))
    let size = Size(width: width, height: height)
    var old = Canvas(size: size)
    for step in 0..<400 {
      var new = step % 20 == 0 ? Canvas(size: size) : old
      for _ in 0..<Int.random(in: 0...3, using: &generator) { scribble(on: &new, using: &generator) }
      #expect(isSound(new), "\(width)×\(height), step \(step): \(new.lines())")
      let runs = new.diff(from: old)
      var patched = old
      patched.apply(runs)
      #expect(patched == new)
      #expect(new.diff(from: new).isEmpty)
      for run in runs {
        #expect(run.cells.first?.text != "")
        let first = run.cells.first
        #expect(first != old[run.origin.x, run.origin.y], "a run begins with a difference")
      }
      old = new
    }
  }

  @Test func `a new size redraws every row`() {
    let old = Canvas(size: Size(width: 3, height: 2))
    let runs = Canvas(size: Size(width: 2, height: 3)).diff(from: old)
    #expect(runs.map(\.origin) == (0..<3).map { Point(x: 0, y: $0) })
    #expect(runs.allSatisfy { $0.cells.count == 2 })
  }
}
