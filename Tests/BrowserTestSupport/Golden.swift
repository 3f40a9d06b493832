import Foundation
import TextCanvas

/// A screen as a text file beside its test: the text in rows between bars, the cursor, then a second grid with a letter
/// for each style, and what the letters mean.
///
/// Styles are roles, so that themes do not churn the files.
public enum Golden {
  /// Compares a screen with its file.
  ///
  /// Returns what to print when they differ, `nil` when they are the same.
  ///
  /// With `GOLDEN=record` in the environment the file is written instead.
  public static func mismatch(_ canvas: Canvas, cursor: Point?, name: String, beside test: String) -> String? {
    let size = "\(canvas.size.width)x\(canvas.size.height)"
    let folder = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent("\(name)-\(size).screen")
    let actual = text(canvas, cursor: cursor, name: name)
    if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try actual.write(to: file, atomically: true, encoding: .utf8)
        return nil
      } catch { return "\(file.lastPathComponent) could not be written: \(error)" }
    }
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      return "\(file.lastPathComponent) is missing; GOLDEN=record writes it. The screen is:\n\(actual)"
    }
    // By bytes: the equality of strings takes canonically equivalent ones for one.
    if expected.utf8.elementsEqual(actual.utf8) { return nil }
    return "\(file.lastPathComponent) differs.\nExpected:\n\(expected)\nActual:\n\(actual)"
  }

  /// The file of a screen.
  public static func text(_ canvas: Canvas, cursor: Point?, name: String) -> String {
    var legend: [(style: Style, letter: Character)] = []
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    func letter(_ style: Style) -> Character {
      if style == Style() { return "." }
      if let known = legend.first(where: { $0.style == style }) { return known.letter }
      let next = legend.count < letters.count ? letters[legend.count] : "?"
      legend.append((style, next))
      return next
    }
    let styles = (0..<canvas.size.height).map { y in
      String((0..<canvas.size.width).map { letter(canvas[$0, y].style) })
    }
    var lines = ["# \(name) · \(canvas.size.width)×\(canvas.size.height)"]
    lines += canvas.lines().map { "|\($0)|" }
    lines.append(cursor.map { "cursor \($0.x),\($0.y)" } ?? "no cursor")
    lines += styles.map { "|\($0)|" }
    lines += legend.map { "\($0.letter) \(words($0.style))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ style: Style) -> String {
    var words = ["\(style.role)"]
    if let wash = style.wash { words.append("on \(wash)" + (style.strength == 8 ? "" : " \(style.strength)/8")) }
    let names: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.underline, "underline"), (.reverse, "reverse"), (.italic, "italic"),
      (.strikethrough, "struck"),
    ]
    words += names.filter { style.attributes.contains($0.0) }.map(\.1)
    return words.joined(separator: " ")
  }
}
