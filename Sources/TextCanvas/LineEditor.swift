/// One line of text being typed, with a cursor between its characters.
public struct LineEditor: Equatable, Sendable {
  /// The text so far.
  public private(set) var text: String
  /// The characters before the cursor: 0 … `text.count`.
  public private(set) var cursor: Int

  /// An editor with the cursor behind `text`.
  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// An editor with the cursor after `cursor` characters, held within the text.
  public init(_ text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(0, cursor), text.count)
  }

  /// Types `addition` at the cursor, which ends up behind it.
  public mutating func insert(_ addition: String) {
    let (head, tail) = (String(text[..<position]), String(text[position...]))
    text = head + addition + tail
    // Not by adding counts: a combining mark joins the character before it.
    cursor = min((head + addition).count, text.count)
  }

  /// Does what `press` means to a line editor and returns true; false, and no change, when it means nothing here.
  ///
  /// Characters, left, right, home, end, backspace and delete; `^A ^E ^B ^F` move, `^K ^U` delete to the end and to the
  /// start, `^W` and `<a-backspace>` the word before, `<a-d>` the word after, `^D` and `^H` as delete and backspace;
  /// `<a-b> <a-f>` and left and right with control or alt move by words.
  public mutating func handle(_ press: KeyPress) -> Bool {
    let byWord = !press.modifiers.isDisjoint(with: [.control, .alt])
    switch press.key {
    case .left: cursor = byWord ? wordStart : max(0, cursor - 1)
    case .right: cursor = byWord ? wordEnd : min(text.count, cursor + 1)
    case .home: cursor = 0
    case .end: cursor = text.count
    case .backspace: remove(from: byWord ? wordStart : max(0, cursor - 1), to: cursor)
    case .delete: remove(from: cursor, to: byWord ? wordEnd : min(text.count, cursor + 1))
    case .character(let character): return handle(character, press.modifiers)
    default: return false
    }
    return true
  }

  /// The part around the cursor that fits `columns` columns, and the column of the cursor in it (less than `columns`).
  ///
  /// Characters without a glyph are shown as by `SafeText`. The view is a function of text and cursor alone.
  public func view(columns: Int) -> (text: String, cursorColumn: Int) {
    guard columns > 0 else { return ("", 0) }
    // The character under the cursor must be seen too; at the end that is an empty cell.
    let here = position
    let under = here < text.endIndex ? max(1, glyph(at: here).columns) : 1
    var (start, before) = (here, 0)
    while start > text.startIndex {
      let previous = text.index(before: start)
      let width = glyph(at: previous).columns
      guard before + width + min(under, columns) <= columns else { break }
      (start, before) = (previous, before + width)
    }
    var (shown, used) = ("", 0)
    while start < text.endIndex {
      let (glyph, width) = glyph(at: start)
      guard used + width <= columns else { break }
      shown += glyph
      used += width
      start = text.index(after: start)
    }
    return (shown, before)
  }

  private func glyph(at index: String.Index) -> (text: String, columns: Int) {
    let visible = SafeText.visible(String(text[index]))
    return (visible, CellWidth.width(of: visible))
  }

  private mutating func handle(_ character: Character, _ modifiers: KeyPress.Modifiers) -> Bool {
    switch (modifiers, character) {
    case ([], _), (.shift, _): insert(String(character))
    case (.control, "a"): cursor = 0
    case (.control, "e"): cursor = text.count
    case (.control, "b"): cursor = max(0, cursor - 1)
    case (.control, "f"): cursor = min(text.count, cursor + 1)
    case (.control, "k"): remove(from: cursor, to: text.count)
    case (.control, "u"): remove(from: 0, to: cursor)
    case (.control, "w"): remove(from: wordStart, to: cursor)
    case (.control, "h"): remove(from: max(0, cursor - 1), to: cursor)
    case (.control, "d"): remove(from: cursor, to: min(text.count, cursor + 1))
    case (.alt, "b"): cursor = wordStart
    case (.alt, "f"): cursor = wordEnd
    case (.alt, "d"): remove(from: cursor, to: wordEnd)
    default: return false
    }
    return true
  }

  private var position: String.Index { text.index(text.startIndex, offsetBy: cursor) }

  private mutating func remove(from start: Int, to end: Int) {
    guard start < end else { return }
    let characters = Array(text)
    let head = String(characters[..<start])
    text = head + String(characters[end...])
    cursor = min(start, text.count)
  }

  /// The start of the word before the cursor.
  private var wordStart: Int {
    let characters = Array(text)
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  /// The end of the word after the cursor.
  private var wordEnd: Int {
    let characters = Array(text)
    var index = cursor
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return index
  }
}
