import TextCanvas

/// Text and its style, one piece of a line.
struct Piece: Equatable {
  var text: String
  var style: Style

  init(_ text: String, _ style: Style = Style()) {
    self.text = text
    self.style = style
  }
}

extension Canvas {
  /// Writes pieces one after another into the first row of `rect`, shortened with "…" where they do not fit.
  ///
  /// Returns the columns used.
  @discardableResult
  mutating func write(_ pieces: [Piece], in rect: Rect) -> Int {
    var rest = rect
    for (index, piece) in pieces.enumerated() where rest.width > 0 {
      let isLast = index == pieces.count - 1
      let width = CellWidth.width(of: piece.text)
      let fits = width < rest.width || (isLast && width == rest.width)
      write(fits ? piece.text : CellWidth.fit(piece.text, columns: rest.width).text, in: rest, style: piece.style)
      rest = rest.leading(min(width, rest.width)).rest
    }
    return rect.width - rest.width
  }
}

extension [Piece] {
  /// Columns needed.
  var width: Int { reduce(0) { $0 + CellWidth.width(of: $1.text) } }
}

/// The frame of a pane: a coloured one tells where the keys go.
struct Frame {
  var number: Int
  var title: [Piece]
  var footer: [Piece] = []
  var isFocused: Bool
  /// At the right end of the upper line.
  var corner: [Piece] = []
  /// At the left end of the lower line.
  var band: [Piece] = []

  /// The style of the frame's lines.
  var lines: Style { isFocused ? Style(.accent, [.bold]) : Style(.border) }
  /// The style of the pane's name.
  static func name(isFocused: Bool) -> Style { isFocused ? Style(.accent, [.bold]) : Style(.title) }

  /// Draws the frame where there is room for one.
  func draw(in rect: Rect, into canvas: inout Canvas) {
    guard Layout.hasFrame(rect) else { return }
    canvas.box(rect, style: lines)
    let room = Rect(x: rect.x + 2, y: rect.y, width: rect.width - 4, height: 1)
    let key = Style(.key, isFocused ? [.bold] : [])
    let head = [Piece("[", lines), Piece("\(number)", key), Piece("] ", lines)] + title + [Piece(" ")]
    canvas.write(head, in: room)
    if !corner.isEmpty, corner.width + 2 + min(head.width, room.width / 2) <= room.width {
      canvas.write([Piece(" ")] + corner + [Piece(" ")], in: room.trailing(corner.width + 2).part)
    }
    if !band.isEmpty, band.width <= rect.width - 4 {
      canvas.write(band, in: Rect(x: rect.x + 2, y: rect.maxY - 1, width: band.width, height: 1))
    }
    guard !footer.isEmpty, footer.width + 2 <= rect.width - 4 else { return }
    let bottom = Rect(x: rect.x + 2, y: rect.maxY - 1, width: rect.width - 4, height: 1)
    canvas.write([Piece(" ")] + footer + [Piece(" ")], in: bottom.trailing(footer.width + 2).part)
  }
}

/// A few calm lines in the middle of an empty place.
struct Notice {
  var lines: [Piece]

  static func opening(_ state: BrowserState) -> Notice {
    let name = SafeText.visible(state.storeName)
    return Notice(lines: [Piece(name.isEmpty ? "opening…" : "opening \(name)…", Style(.dim))])
  }

  static func failed(_ problem: Problem) -> Notice {
    Notice(lines: [
      Piece("✗ " + SafeText.visible(problem.summary), Style(.error, [.bold])), Piece(""),
      Piece("! shows it in full, q quits", Style(.dim)),
    ])
  }

  /// Draws the lines in the middle of a rectangle, wrapped where they are long.
  func draw(in rect: Rect, into canvas: inout Canvas) {
    let width = rect.width - min(4, rect.width / 4)
    let wrapped = lines.flatMap { line in
      TextWrap.lines(line.text, width: max(1, width)).map { Piece($0, line.style) }
    }
    let top = max(0, (rect.height - wrapped.count) * 2 / 5)
    for (index, line) in wrapped.enumerated() {
      canvas.write(line.text, in: rect.row(top + index), alignment: .center, style: line.style)
    }
  }
}

/// Text broken into lines at spaces, and within words that are longer than a line.
enum TextWrap {
  /// The lines of a text without line breaks; at least one.
  static func lines(_ text: String, width: Int) -> [String] {
    guard width > 0, CellWidth.width(of: text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let columns = CellWidth.width(of: word)
      if used > 0, used + 1 + columns > width {
        lines.append(line)
        (line, used) = ("", 0)
      } else if used > 0 || !line.isEmpty {
        line += " "
        used += 1
      }
      guard columns > width else {
        line += word
        used += columns
        continue
      }
      for character in word {
        let own = CellWidth.width(of: character)
        if used + own > width, used > 0 {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += own
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }
}
