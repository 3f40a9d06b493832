/// What stands in one cell of a screen.
public struct Cell: Hashable, Sendable {
  /// One glyph: a grapheme cluster (or one spacing part of a conjunct that takes several cells); "" is the trailing half
  /// of the wide glyph to the left.
  public var text: String
  /// What the cell means.
  public var style: Style

  /// A cell with a glyph.
  public init(_ text: String, style: Style = Style()) {
    self.text = text
    self.style = style
  }

  /// A space in plain style.
  public static let blank = Cell(" ")
}

/// A screen as a value: cells in rows, drawn afresh for each frame and compared with the frame before.
///
/// Always true: a wide glyph at (x, y) owns the empty cell at (x + 1, y), of the same style, and an empty cell has such
/// an owner. Writes outside are clipped, and what overwrites one half of a wide glyph turns the other into a space.
public struct Canvas: Equatable, Sendable {
  /// The extent, never negative.
  public let size: Size
  var cells: [Cell]

  /// A canvas of plain spaces; negative extents are taken as zero.
  public init(size: Size) {
    self.size = Size(width: max(0, size.width), height: max(0, size.height))
    cells = Array(repeating: .blank, count: self.size.width * self.size.height)
  }

  /// The whole canvas as a rectangle.
  public var bounds: Rect { Rect(size: size) }

  /// The cell at column `x` of row `y`; a plain space outside the canvas.
  public subscript(x: Int, y: Int) -> Cell {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return .blank }
    return cells[y * size.width + x]
  }

  /// Fills the part of `rect` that lies inside with one glyph, which must be one column wide (else spaces are used).
  public mutating func fill(_ rect: Rect, style: Style, text: Character = " ") {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let cell = Cell(CellWidth.width(of: text) == 1 ? String(text) : " ", style: style)
    for y in area.y..<area.maxY {
      let row = y * size.width
      releaseHalves(row: row, from: area.x, to: area.maxX)
      for index in (row + area.x)..<(row + area.maxX) { cells[index] = cell }
    }
  }

  /// Changes the style of each cell in `rect`; a wide glyph takes the style of its leading half.
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      let row = y * size.width
      for index in (row + area.x)..<(row + area.maxX) where !cells[index].text.isEmpty {
        change(&cells[index].style)
        if index + 1 < row + size.width, cells[index + 1].text.isEmpty {
          cells[index + 1].style = cells[index].style
        }
      }
    }
  }

  /// Draws a frame along the inner edge of `rect`; nothing when it has fewer than two columns or rows.
  public mutating func box(_ rect: Rect, style: Style, border: BorderSet = .rounded) {
    guard rect.width >= 2, rect.height >= 2 else { return }
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    fill(Rect(x: rect.x, y: rect.y, width: rect.width, height: 1), style: style, text: border.horizontal)
    fill(Rect(x: rect.x, y: bottom, width: rect.width, height: 1), style: style, text: border.horizontal)
    fill(Rect(x: rect.x, y: rect.y, width: 1, height: rect.height), style: style, text: border.vertical)
    fill(Rect(x: right, y: rect.y, width: 1, height: rect.height), style: style, text: border.vertical)
    fill(Rect(x: rect.x, y: rect.y, width: 1, height: 1), style: style, text: border.topLeft)
    fill(Rect(x: right, y: rect.y, width: 1, height: 1), style: style, text: border.topRight)
    fill(Rect(x: rect.x, y: bottom, width: 1, height: 1), style: style, text: border.bottomLeft)
    fill(Rect(x: right, y: bottom, width: 1, height: 1), style: style, text: border.bottomRight)
  }

  /// The text of each row, top to bottom, trailing spaces included; styles are left out.
  public func lines() -> [String] {
    (0..<size.height).map { y in
      cells[(y * size.width)..<((y + 1) * size.width)].reduce(into: "") { $0 += $1.text }
    }
  }

  /// Turns the outer half of a wide glyph cut by columns `from..<to` into a space, on either edge.
  mutating func releaseHalves(row: Int, from: Int, to: Int) {
    if from > 0, cells[row + from].text.isEmpty { cells[row + from - 1].text = " " }
    if to < size.width, cells[row + to].text.isEmpty { cells[row + to].text = " " }
  }
}

/// The glyphs of a frame, each one column wide.
public struct BorderSet: Hashable, Sendable {
  /// The top and bottom edge.
  public var horizontal: Character
  /// The left and right edge.
  public var vertical: Character
  /// A corner.
  public var topLeft: Character
  /// A corner.
  public var topRight: Character
  /// A corner.
  public var bottomLeft: Character
  /// A corner.
  public var bottomRight: Character

  /// Lines with round corners; needs Unicode.
  public static let rounded = BorderSet(
    horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯")
  /// Heavy lines; needs Unicode.
  public static let heavy = BorderSet(
    horizontal: "━", vertical: "┃", topLeft: "┏", topRight: "┓", bottomLeft: "┗", bottomRight: "┛")
  /// Dashes, bars and plus signs.
  public static let ascii = BorderSet(
    horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+")
}
