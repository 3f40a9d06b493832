import CoreDataKit
import TextCanvas

/// What a delete takes along, in words.
enum DeletePreviewWords {
  /// A line for each fate: what it is, how many, and the first of them by name.
  static func lines(_ preview: DeletePreview) -> [[Piece]] {
    let others = preview.lines.filter { $0.fate != .chosen }
    var lines = preview.lines.flatMap { line -> [[Piece]] in
      if line.fate == .chosen, line.count == 1 { return [] }
      return [head(line)] + examples(line)
    }
    if others.isEmpty {
      lines.append([Piece("Nothing else is touched.", Style(.dim))])
    }
    if preview.isDenied {
      lines.append([Piece("So it cannot be deleted as long as these are there.", Style(.error))])
    } else {
      lines.append([Piece("Nothing is deleted before you save.", Style(.dim))])
    }
    return lines
  }

  private static func head(_ line: DeletePreview.Line) -> [Piece] {
    let count = Piece(ValueFormatter.grouped(line.count) + " " + SafeText.visible(line.entity), Style(.text, [.bold]))
    let way = Piece(line.relationship.map { " (\(SafeText.visible($0)))" } ?? "", Style(.dim))
    switch line.fate {
    case .chosen: return [Piece("✗ ", Style(.removed, [.bold])), Piece("deletes "), count]
    case .cascaded: return [Piece("✗ ", Style(.removed, [.bold])), Piece("deletes "), count, Piece(" too"), way]
    case .nullified:
      return [Piece("● ", Style(.changed, [.bold])), count, Piece(line.count == 1 ? " loses it" : " lose it"), way]
    case .denying:
      return [Piece("! ", Style(.error, [.bold])), count, Piece(line.count == 1 ? " forbids it" : " forbid it"), way]
    }
  }

  private static func examples(_ line: DeletePreview.Line) -> [[Piece]] {
    let names = line.examples.map { SafeText.visible($0) }
    guard !names.isEmpty else { return [] }
    let more = line.count > names.count ? ", …" : ""
    return [[Piece("  ", Style()), Piece(names.joined(separator: ", ") + more, Style(.dim))]]
  }
}
