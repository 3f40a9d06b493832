import CNcurses
import TextCanvas

/// The text of a canvas cell as the wide characters of one or two curses cells.
///
/// Curses counts columns by the C library's `wcwidth` and cannot be told otherwise, and terminals do not agree on emoji
/// sequences. So only what all of them lay out alike is sent: a base with the marks on it. Joined emoji show their first
/// picture, flags their letters, text emoji lose the selector; the columns taken are always those of the canvas.
@MainActor struct CursesGlyphs {
  private let unicode: Bool
  private var known: [String: [[wchar_t]]] = [:]

  /// Glyphs for a UTF-8 locale, or ASCII alone.
  init(unicode: Bool) {
    self.unicode = unicode
  }

  /// The wide characters, each list ended by 0, of the curses cells that show `text` in `columns` (1 or 2) columns.
  mutating func cells(for text: String, columns: Int) -> [[wchar_t]] {
    if let cells = known[text] { return cells }
    let cells = make(text, columns: columns)
    if known.count > 4_096 { known = [:] }
    known[text] = cells
    return cells
  }

  private func make(_ text: String, columns: Int) -> [[wchar_t]] {
    let scalars = Array(text.unicodeScalars)
    let space: [wchar_t] = [0x20, 0]
    guard let first = scalars.first else { return [space] }
    let padding = Array(repeating: space, count: columns - 1)
    guard unicode else { return [[Self.ascii(first), 0]] + padding }

    let letters = scalars.prefix(2).filter { (0x1F1E6...0x1F1FF).contains($0.value) }
    if !letters.isEmpty {
      return Array((letters.map { [wchar_t($0.value - 0x1F1E6 + 0x41), 0] } + padding).prefix(columns))
    }
    let width = Int(cn_columns(wchar_t(first.value)))
    guard width > 0, width <= columns else { return [[columns == 1 ? 0xB7 : 0x3F, 0]] + padding }
    // Marks beyond what a cell holds are left out; so is anything that would take columns.
    let marks = scalars.dropFirst().filter { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .otherLetter:
        return cn_columns(wchar_t(scalar.value)) == 0 && !scalar.properties.isDefaultIgnorableCodePoint
      default: return false
      }
    }
    var cell = [wchar_t(first.value)]
    for mark in marks.prefix(Int(CCHARW_MAX) - 1) { cell.append(wchar_t(mark.value)) }
    cell.append(0)
    return width < columns ? [cell] + padding : [cell]
  }

  /// A stand-in where the locale has no more than ASCII.
  private static func ascii(_ scalar: Unicode.Scalar) -> wchar_t {
    let character: Unicode.Scalar =
      switch scalar {
      case " "..."~": scalar
      case "─", "━", "╌", "┄", "–", "—": "-"
      case "│", "┃", "▌", "▎", "▏", "▐", "┆": "|"
      case "╭", "╮", "╰", "╯", "┌", "┐", "└", "┘", "├", "┤", "┬", "┴", "┼", "┏", "┓", "┗", "┛": "+"
      case "▸", "▶", "›", "→", "⟩": ">"
      case "◂", "◀", "‹", "←", "⟨": "<"
      case "▾", "▼", "↓": "v"
      case "▴", "▲", "↑": "^"
      case "●", "•", "·", "◆": "*"
      case "◌", "○": "o"
      case "↕": "m"
      case "…": "~"
      case "█", "▓", "▒", "░", "■": "#"
      default: "?"
      }
    return wchar_t(character.value)
  }
}
