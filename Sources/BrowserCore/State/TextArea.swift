import TextCanvas

/// Several lines of text being typed, wrapped to a width, with a cursor between characters.
struct TextArea: Equatable, Sendable {
  private(set) var characters: [Character]
  /// The characters before the cursor.
  private(set) var cursor: Int
  /// The first line on screen.
  private(set) var top = 0
  /// The column that steps up and down keep to.
  private var goal: Int?

  /// An area with the cursor after `cursor` characters, at the end unless given.
  init(_ text: String, cursor: Int? = nil) {
    characters = Array(text)
    self.cursor = min(max(0, cursor ?? characters.count), characters.count)
  }

  /// What is typed.
  var text: String { String(characters) }

  /// The characters of each line on screen, line breaks left out.
  func lines(width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, columns, lastBreak) = (0, 0, 0)
    for (index, character) in characters.enumerated() {
      if character.isNewline {
        lines.append(start..<index)
        (start, columns, lastBreak) = (index + 1, 0, index + 1)
        continue
      }
      let own = Self.columns(of: character)
      if columns + own > width, index > start {
        // A word that is longer than a line is broken.
        let end = lastBreak > start ? lastBreak : index
        lines.append(start..<end)
        columns = characters[end..<index].reduce(0) { $0 + Self.columns(of: $1) }
        start = end
      }
      columns += own
      if character == " " { lastBreak = index + 1 }
    }
    lines.append(start..<characters.count)
    return lines
  }

  /// The line and the column of the cursor.
  func place(in lines: [Range<Int>]) -> (line: Int, column: Int) {
    let line = max(0, lines.partitioningIndex { $0.lowerBound > cursor } - 1)
    return (line, characters[lines[line].lowerBound..<cursor].reduce(0) { $0 + Self.columns(of: $1) })
  }

  /// The first line to show so that the cursor is on screen.
  func firstLine(width: Int, height: Int) -> Int {
    let lines = lines(width: width)
    return BrowserState.reveal(place(in: lines).line, from: top, height: height, count: lines.count)
  }

  /// Types text at the cursor.
  mutating func insert(_ text: String) {
    let added = Array(text)
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
    goal = nil
  }

  /// Does what a key means here; false, and no change, when it means nothing.
  ///
  /// As in a line, where home and end are those of the line on screen, with up, down and pages; Enter breaks the line.
  mutating func handle(_ press: KeyPress, width: Int, height: Int) -> Bool {
    let byWord = !press.modifiers.isDisjoint(with: [.control, .alt])
    switch press.key {
    case .up: step(-1, width: width)
    case .down: step(1, width: width)
    case .pageUp: step(-max(1, height - 1), width: width)
    case .pageDown: step(max(1, height - 1), width: width)
    case .left: go(to: byWord ? wordStart : cursor - 1)
    case .right: go(to: byWord ? wordEnd : cursor + 1)
    case .home: go(to: byWord ? 0 : lineStart(width))
    case .end: go(to: byWord ? characters.count : lineEnd(width))
    case .enter: insert("\n")
    case .tab: insert("\t")
    case .backspace: remove(byWord ? wordStart : cursor - 1, cursor)
    case .delete: remove(cursor, byWord ? wordEnd : cursor + 1)
    case .character(let character):
      guard handle(character, press.modifiers, width: width) else { return false }
    default: return false
    }
    top = firstLine(width: width, height: height)
    return true
  }

  private mutating func handle(_ character: Character, _ modifiers: KeyPress.Modifiers, width: Int) -> Bool {
    switch (modifiers, character) {
    case ([], _), (.shift, _): insert(String(character))
    case (.control, "a"): go(to: lineStart(width))
    case (.control, "e"): go(to: lineEnd(width))
    case (.control, "b"): go(to: cursor - 1)
    case (.control, "f"): go(to: cursor + 1)
    case (.control, "k"): remove(cursor, max(lineEnd(width), min(cursor + 1, characters.count)))
    case (.control, "u"): remove(lineStart(width), cursor)
    case (.control, "w"): remove(wordStart, cursor)
    case (.control, "h"): remove(cursor - 1, cursor)
    case (.control, "d"): remove(cursor, cursor + 1)
    case (.alt, "b"): go(to: wordStart)
    case (.alt, "f"): go(to: wordEnd)
    case (.alt, "d"): remove(cursor, wordEnd)
    default: return false
    }
    return true
  }

  private mutating func go(to target: Int) {
    cursor = min(max(0, target), characters.count)
    goal = nil
  }

  /// Lines up or down, in the column where the first such step began.
  private mutating func step(_ count: Int, width: Int) {
    let lines = lines(width: width)
    let here = place(in: lines)
    let wanted = goal ?? here.column
    let line = min(max(0, here.line + count), lines.count - 1)
    var (index, column) = (lines[line].lowerBound, 0)
    // The end of a wrapped line is the start of the next one.
    let isWrapped = line + 1 < lines.count && lines[line + 1].lowerBound == lines[line].upperBound
    let end = isWrapped ? max(index, lines[line].upperBound - 1) : lines[line].upperBound
    while index < end, column + Self.columns(of: characters[index]) <= wanted {
      column += Self.columns(of: characters[index])
      index += 1
    }
    cursor = index
    goal = wanted
  }

  private mutating func remove(_ start: Int, _ end: Int) {
    let range = max(0, start)..<min(max(0, end), characters.count)
    guard !range.isEmpty else { return }
    characters.removeSubrange(range)
    cursor = range.lowerBound
    goal = nil
  }

  private func lineStart(_ width: Int) -> Int {
    let lines = lines(width: width)
    return lines[place(in: lines).line].lowerBound
  }

  private func lineEnd(_ width: Int) -> Int {
    let lines = lines(width: width)
    let line = place(in: lines).line
    let isWrapped = line + 1 < lines.count && lines[line + 1].lowerBound == lines[line].upperBound
    return max(cursor, lines[line].upperBound - (isWrapped ? 1 : 0))
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return index
  }

  /// The columns of a character as it is shown.
  static func columns(of character: Character) -> Int {
    character.isASCII && character >= " " ? 1 : CellWidth.width(of: SafeText.visible(String(character)))
  }
}
