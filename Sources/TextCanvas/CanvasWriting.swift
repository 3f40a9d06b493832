/// Where a line of text stands in its rectangle.
public enum Alignment: Hashable, Sendable {
  /// At the left edge.
  case leading
  /// At the right edge.
  case trailing
  /// In the middle; the odd column goes to the right.
  case center
}

extension Canvas {
  /// Writes one line from `point` to the right and returns the columns it took.
  ///
  /// Text is clipped at `width` columns and at the edges of the canvas; a wide glyph that is cut becomes spaces. Clusters
  /// without a width of their own (controls, line breaks, lone combining marks) are left out: use `SafeText` to show them.
  /// Outside the rows of the canvas nothing is written and the result is 0.
  @discardableResult
  public mutating func write(_ text: String, at point: Point, style: Style = Style(), width: Int? = nil) -> Int {
    guard point.y >= 0, point.y < size.height else { return 0 }
    let room = size.width - point.x
    let limit = point.x + min(room, max(0, width ?? room))
    guard point.x < limit else { return 0 }

    let row = point.y * size.width
    var x = point.x
    let ascii = Self.asciiPrefix(of: text, limit: limit - x)
    if ascii > 0 {
      x = writeASCII(text, count: ascii, row: row, from: x, limit: limit, style: style)
    }
    guard ascii < text.utf8.count, x < limit else { return x - point.x }

    for character in text[text.utf8.index(text.startIndex, offsetBy: ascii)...] {
      let columns = CellWidth.width(of: character)
      if columns == 0 { continue }
      if x + columns > limit || (x < 0 && x + columns > 0) {
        // Cut by the right or the left edge: what remains visible of it is blank.
        for column in max(0, x)..<max(0, x, min(limit, x + columns)) {
          put(" ", columns: 1, row: row, x: column, style: style)
        }
      } else if x >= 0 {
        place(character, columns: columns, row: row, x: x, style: style)
      }
      x = min(limit, x + columns)
      if x >= limit { break }
    }
    return x - point.x
  }

  /// Writes one line into the first row of `rect`, shortened with "…" where it does not fit.
  ///
  /// Only the glyphs are written: the rest of the row keeps what it had.
  public mutating func write(
    _ text: String, in rect: Rect, alignment: Alignment = .leading, style: Style = Style()
  ) {
    guard !rect.isEmpty else { return }
    let fitted = CellWidth.fit(text, columns: rect.width)
    let space = rect.width - fitted.columns
    let offset =
      switch alignment {
      case .leading: 0
      case .trailing: space
      case .center: space / 2
      }
    write(fitted.text, at: Point(x: rect.x + offset, y: rect.y), style: style, width: rect.width - offset)
  }

  /// How many leading bytes stand each for one character of their own, looking no further than `limit` columns need.
  ///
  /// The last ASCII byte before other text is not counted, for a combining mark may follow it.
  private static func asciiPrefix(of text: String, limit: Int) -> Int {
    var count = 0
    for byte in text.utf8 {
      if byte >= 0x80 { return max(0, count - 1) }
      if byte < 0x20 || byte == 0x7F { return count }
      count += 1
      if count > limit { return count - 1 }
    }
    return count
  }

  private mutating func writeASCII(
    _ text: String, count: Int, row: Int, from start: Int, limit: Int, style: Style
  ) -> Int {
    let end = min(limit, start + count)
    let first = max(0, start)
    guard first < end else { return end }
    releaseHalves(row: row, from: first, to: end)
    let glyphs = Self.asciiGlyphs
    var x = start
    for byte in text.utf8 {
      if x >= end { break }
      if x >= 0 {
        cells[row + x] = Cell(glyphs[Int(byte)], style: style)
      }
      x += 1
    }
    return end
  }

  private mutating func place(_ character: Character, columns: Int, row: Int, x: Int, style: Style) {
    let scalars = character.unicodeScalars
    if columns <= 2, columns == 1 || CellWidth.isOneGlyph(character) {
      put(String(character), columns: columns, row: row, x: x, style: style)
      return
    }
    // A conjunct of several spacing signs: each sign has a cell of its own, as terminals lay it out.
    var column = x
    var part = String.UnicodeScalarView()
    var partColumns = 0
    for scalar in scalars {
      let own = CellWidth.width(of: scalar)
      if own > 0, partColumns > 0 {
        put(String(part), columns: partColumns, row: row, x: column, style: style)
        column += partColumns
        part = String.UnicodeScalarView()
        partColumns = 0
      }
      part.append(scalar)
      partColumns += own
    }
    put(String(part), columns: partColumns, row: row, x: column, style: style)
  }

  private mutating func put(_ text: String, columns: Int, row: Int, x: Int, style: Style) {
    releaseHalves(row: row, from: x, to: x + columns)
    cells[row + x] = Cell(text, style: style)
    if columns == 2 { cells[row + x + 1] = Cell("", style: style) }
  }

  private static let asciiGlyphs: [String] = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
}
