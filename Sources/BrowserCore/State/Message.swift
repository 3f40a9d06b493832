import Foundation
import TextCanvas

/// Something that went wrong: one calm line, and all there is to know for `!`.
struct Problem: Hashable, Sendable {
  /// What went wrong and what to do about it, in one line.
  var summary: String
  /// Everything that is known, in lines.
  var detail: String

  init(summary: String, detail: String) {
    self.summary = summary
    self.detail = detail
  }

  /// The one funnel from errors to words.
  init(_ error: any Error) {
    let described = error as NSError
    let text = (error as? any LocalizedError)?.errorDescription ?? described.localizedDescription
    summary = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "Unknown error"
    var lines = [text]
    if let suggestion = (error as? any LocalizedError)?.recoverySuggestion { lines.append(suggestion) }
    lines.append("\(described.domain) \(described.code)")
    for (key, value) in described.userInfo.sorted(by: { $0.key < $1.key }) where key != NSLocalizedDescriptionKey {
      lines.append("\(key): \(value)")
    }
    detail = lines.joined(separator: "\n")
  }
}

/// What the message line says until the next key.
struct Message: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case note, warning, error }

  var text: String
  var kind = Kind.note
}

/// A line being typed below the panes.
struct Prompt: Equatable, Sendable {
  enum Purpose: Hashable, Sendable {
    case find
    /// A text that some string attribute contains.
    case filterText
    /// The name of a filter.
    case saveFilter
    /// The value of a template's variable.
    case template(TemplateQuestion)
  }

  var purpose: Purpose
  var editor: LineEditor
}

/// What lies over the panes and takes all keys.
enum Overlay: Equatable, Sendable {
  case help(HelpState)
  case problem(ProblemState)
  case question(Question)
  case conflict(ConflictState)
  case copy(CopyMenu)
  case viewer(ViewerState)
  case columns(ColumnChooser)
  case model(ModelScreenState)
  case palette(PaletteState)
}

extension Overlay {
  /// Where its keys come from.
  var scope: Command.Scope {
    switch self {
    case .help: .help
    case .problem: .problem
    case .question(let question): question.scope
    case .conflict: .conflict
    case .copy: .copy
    case .viewer: .viewer
    case .columns: .columns
    case .model: .model
    case .palette: .palette
    }
  }
}

/// The searchable list of commands.
struct HelpState: Equatable, Sendable {
  var editor = LineEditor()
  var selected = 0
  var top = 0
}

/// An error in full.
struct ProblemState: Equatable, Sendable {
  var problem: Problem
  var top = 0
}
