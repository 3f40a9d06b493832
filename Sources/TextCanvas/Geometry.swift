/// A cell position: column `x` and row `y`, counted from the top left corner at (0, 0).
public struct Point: Hashable, Sendable {
  /// The column, growing to the right.
  public var x: Int
  /// The row, growing downwards.
  public var y: Int

  /// A position; negative numbers lie outside every canvas.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// An extent in cells.
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// An extent in cells.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells; `maxX` and `maxY` are exclusive.
public struct Rect: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// Columns; a rectangle without columns is empty.
  public var width: Int
  /// Rows; a rectangle without rows is empty.
  public var height: Int

  /// A rectangle; negative extents are taken as zero.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// The rectangle of everything in `size`.
  public init(size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The first column to the right of the rectangle.
  public var maxX: Int { x + width }
  /// The first row below the rectangle.
  public var maxY: Int { y + height }
  /// The top left cell.
  public var origin: Point { Point(x: x, y: y) }
  /// Width and height.
  public var size: Size { Size(width: width, height: height) }
  /// True when no cell lies inside.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Whether the cell at `point` lies inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The rectangle with `amount` cells taken away on every side, never smaller than empty.
  public func inset(by amount: Int) -> Rect {
    inset(horizontal: amount, vertical: amount)
  }

  /// The rectangle with cells taken away left and right (`horizontal`) and above and below (`vertical`).
  public func inset(horizontal: Int, vertical: Int) -> Rect {
    Rect(
      x: x + min(horizontal, width / 2), y: y + min(vertical, height / 2), width: width - 2 * horizontal,
      height: height - 2 * vertical)
  }

  /// The cells that both rectangles cover; empty when they do not meet.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// One row of the rectangle, counted from its own top; empty when `index` is outside.
  public func row(_ index: Int) -> Rect {
    let inside = index >= 0 && index < height
    return Rect(x: x, y: y + index, width: inside ? width : 0, height: inside ? 1 : 0)
  }

  /// The first `columns` columns, and what is left of them to the right.
  public func leading(_ columns: Int) -> (part: Rect, rest: Rect) {
    let taken = min(max(0, columns), width)
    return (
      Rect(x: x, y: y, width: taken, height: height), Rect(x: x + taken, y: y, width: width - taken, height: height)
    )
  }

  /// The last `columns` columns, and what is left of them to the left.
  public func trailing(_ columns: Int) -> (part: Rect, rest: Rect) {
    let taken = min(max(0, columns), width)
    let (rest, part) = leading(width - taken)
    return (part, rest)
  }

  /// The first `rows` rows, and what is left below them.
  public func top(_ rows: Int) -> (part: Rect, rest: Rect) {
    let taken = min(max(0, rows), height)
    return (
      Rect(x: x, y: y, width: width, height: taken), Rect(x: x, y: y + taken, width: width, height: height - taken)
    )
  }

  /// The last `rows` rows, and what is left above them.
  public func bottom(_ rows: Int) -> (part: Rect, rest: Rect) {
    let taken = min(max(0, rows), height)
    let (rest, part) = top(height - taken)
    return (part, rest)
  }
}
