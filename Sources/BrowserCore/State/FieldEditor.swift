import CoreData
import Foundation
import TextCanvas

/// The editor of one value: what is typed, and what is known of it.
struct FieldEditor: Equatable, Sendable {
  /// What keys change.
  enum Input: Equatable, Sendable {
    case line(LineEditor)
    case area(TextArea)
    /// One of true and false.
    case choice(Bool)
  }

  /// What is known of the value typed so far.
  enum Verdict: Hashable, Sendable {
    /// It is what it was when the editor opened.
    case unchanged
    /// The model is being asked.
    case checking(PropertyValue)
    case valid(PropertyValue)
    /// It cannot be saved, and why.
    case invalid(PropertyValue, String)
    /// It is no value, and why.
    case unreadable(String)
  }

  /// Text longer than this, or of several lines, opens in a box of its own.
  static let longestLine = 120

  let target: EditTarget
  /// The value when the editor opened.
  let original: PropertyValue
  /// Its text.
  let originalText: String
  var input: Input
  /// Whether the value is `nil`, whatever was typed before.
  var isNil: Bool
  var verdict = Verdict.unchanged

  /// An editor fitted to the kind of a property.
  ///
  /// A boolean opens with the other value chosen, so that Enter toggles it.
  init(_ target: EditTarget, value: PropertyValue, text: String) {
    self.target = target
    original = value
    originalText = text
    isNil = value == .null
    switch target.property.kind {
    case .boolean:
      input = .choice(value != .boolean(true))
      isNil = false
    case .string where text.count > Self.longestLine || text.contains(where: \.isNewline): input = .area(TextArea(text))
    default: input = .line(LineEditor(text))
    }
  }

  /// What is typed.
  var text: String {
    switch input {
    case .line(let editor): editor.text
    case .area(let area): area.text
    case .choice(let isTrue): isTrue ? "true" : "false"
    }
  }

  /// The column that the popup of this editor is titled by: name and kind.
  var isWide: Bool { if case .area = input { true } else { false } }

  /// Takes a key; false when it means nothing here.
  mutating func handle(_ press: KeyPress, width: Int, height: Int) -> Bool {
    switch input {
    case .line(var editor):
      let before = editor.text
      if isNil { editor = LineEditor() }
      guard editor.handle(press) else { return false }
      if editor.text != (isNil ? "" : before) || (isNil && press.key == .backspace) { isNil = false }
      if !isNil { input = .line(editor) }
    case .area(var area):
      if isNil { area = TextArea("") }
      let before = area.text
      guard area.handle(press, width: width, height: height) else { return false }
      if isNil, area.text != before || press.key == .backspace { isNil = false }
      if !isNil { input = .area(area) }
    case .choice(let isTrue):
      switch press {
      case KeyPress("t"), KeyPress("y"), KeyPress("1"): input = .choice(true)
      case KeyPress("f"), KeyPress("n"), KeyPress("0"): input = .choice(false)
      case KeyPress(.left), KeyPress(.right), KeyPress(.up), KeyPress(.down), KeyPress("h"), KeyPress("l"),
        KeyPress(" "), KeyPress(.tab):
        // From nil the first step goes back to what was chosen.
        input = .choice(isNil ? isTrue : !isTrue)
      default: return false
      }
      isNil = false
    }
    return true
  }

  /// Takes pasted text; lines of it open the box for several lines where the value may have them.
  mutating func paste(_ text: String) {
    switch input {
    case .line(var editor):
      // A pasted URI is a whole one.
      if isNil || target.property.kind.isToOne { editor = LineEditor() }
      if target.property.kind == .string, text.contains(where: \.isNewline) {
        let head = String(editor.text.prefix(editor.cursor))
        input = .area(TextArea(head + text + editor.text.dropFirst(editor.cursor), cursor: (head + text).count))
      } else {
        editor.insert(text.split(whereSeparator: \.isNewline).joined(separator: " "))
        input = .line(editor)
      }
    case .area(var area):
      if isNil { area = TextArea("") }
      area.insert(text)
      input = .area(area)
    case .choice: return
    }
    isNil = false
  }

  /// Takes a text that was written elsewhere.
  mutating func replace(_ text: String) {
    input = .area(TextArea(text))
    isNil = false
  }

  /// Goes on in a box for several lines.
  mutating func openLines() {
    guard case .line(let editor) = input, target.property.kind == .string else { return }
    input = .area(TextArea(editor.text, cursor: editor.cursor))
  }
}
