import TextCanvas

/// Something a person can do: one entry serves the keys, the line of keys, the help and the documents.
public struct Command: Sendable, Identifiable {
  /// Where a command's keys work.
  public enum Scope: String, CaseIterable, Hashable, Sendable {
    case everywhere, sidebar, list, inspector, prompt, help, problem, copy, viewer, columns, model, palette
    case choice, filter, entry, lineEditor, textEditor, choiceEditor, unlock, delete, discard, leave, recovery, conflict
  }

  /// The stable name: `list.sort`.
  public let id: String
  /// A word or two, as the line of keys shows it.
  public let title: String
  /// A sentence that says what happens.
  public let help: String
  /// The keys at first, in the notation of `KeyPress`, the one to show first.
  public let keys: [String]
  /// Where the keys work.
  public let scope: Scope
  /// Its place in the line of keys, the most useful first; `nil` keeps it out.
  let hint: Int?
  let reason: @Sendable (BrowserState) -> String?
  let action: Intent

  init(
    _ id: String, _ title: String, _ help: String, keys: [String], in scope: Scope = .everywhere, hint: Int? = nil,
    _ action: Intent, unless reason: @escaping @Sendable (BrowserState) -> String? = { _ in nil }
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.keys = keys
    self.scope = scope
    self.hint = hint
    self.action = action
    self.reason = reason
  }

  /// Why the command cannot be run now; `nil` when it can.
  func disabledReason(_ state: BrowserState) -> String? { reason(state) }

  /// What running the command means now: its action, or a word on why not.
  func intent(in state: BrowserState) -> Intent {
    disabledReason(state).map { .refuse($0) } ?? action
  }
}

extension Command.Scope {
  /// The scope of a pane.
  init(_ pane: Pane) {
    switch pane {
    case .sidebar: self = .sidebar
    case .list: self = .list
    case .inspector: self = .inspector
    }
  }
}
