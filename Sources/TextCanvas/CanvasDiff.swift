/// Neighbouring cells of one row that differ from the frame before.
public struct Run: Hashable, Sendable {
  /// The place of the first cell.
  public var origin: Point
  /// The new cells, left to right; whole glyphs only.
  public var cells: [Cell]

  /// A run of cells from `origin` to the right.
  public init(origin: Point, cells: [Cell]) {
    self.origin = origin
    self.cells = cells
  }
}

extension Canvas {
  /// The shortest runs of whole glyphs that turn `old` into this canvas, in reading order; every row when the sizes
  /// differ.
  public func diff(from old: Canvas) -> [Run] {
    let width = size.width
    guard width > 0 else { return [] }
    guard old.size == size else {
      return (0..<size.height).map { y in
        Run(origin: Point(x: 0, y: y), cells: Array(cells[(y * width)..<((y + 1) * width)]))
      }
    }
    var runs: [Run] = []
    cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        if new.baseAddress == old.baseAddress { return }
        for y in 0..<size.height {
          let end = (y + 1) * width
          var index = y * width
          while index < end {
            if new[index] == old[index] {
              index += 1
              continue
            }
            let start = index
            // A trailing half belongs to the run of its glyph, even when it was a trailing half before.
            while index < end, new[index] != old[index] || (index > start && new[index].text.isEmpty) { index += 1 }
            runs.append(Run(origin: Point(x: start - y * width, y: y), cells: Array(new[start..<index])))
          }
        }
      }
    }
    return runs
  }

  /// Writes the cells of `runs` in place: `old.apply(new.diff(from: old))` makes `old` equal `new` for equal sizes.
  ///
  /// Cells outside are left out. Runs from elsewhere must consist of whole glyphs.
  public mutating func apply(_ runs: [Run]) {
    for run in runs where run.origin.y >= 0 && run.origin.y < size.height {
      for (offset, cell) in run.cells.enumerated() {
        let x = run.origin.x + offset
        if x >= 0, x < size.width { cells[run.origin.y * size.width + x] = cell }
      }
    }
  }
}
