import TextCanvas

/// Which key runs which command where: made from the command table, with a person's own keys laid over.
public struct Keymap: Sendable {
  private var commands: [Command.Scope: [KeyPress: Command]] = [:]
  private let own: [String: [String]]

  /// The keys of a command table.
  ///
  /// `own` gives commands other keys, by their ids.
  public init(_ table: [Command] = CommandTable.all, own: [String: [String]] = [:]) {
    self.own = own
    for command in table {
      for key in own[command.id] ?? command.keys {
        guard let press = KeyPress(notation: key) else { continue }
        commands[command.scope, default: [:]][press] = command
      }
    }
  }

  /// The command that a key runs in a scope.
  public func command(for press: KeyPress, in scope: Command.Scope) -> Command? {
    commands[scope]?[press]
  }

  /// The keys of a command, the one to show first.
  public func keys(of command: Command) -> [String] { own[command.id] ?? command.keys }

  /// The keys of a command as a person reads them: `↵`, `^D`, `PgDn`.
  func labels(of command: Command, unicode: Bool) -> [String] {
    keys(of: command).map { Self.label($0, unicode: unicode) }
  }

  private static func label(_ notation: String, unicode: Bool) -> String {
    switch notation.lowercased() {
    case "<enter>": unicode ? "↵" : "Enter"
    case "<up>": unicode ? "↑" : "Up"
    case "<down>": unicode ? "↓" : "Down"
    case "<left>": unicode ? "←" : "Left"
    case "<right>": unicode ? "→" : "Right"
    case "<backspace>": unicode ? "⌫" : "Backspace"
    case "<tab>": unicode ? "⇥" : "Tab"
    case "<s-tab>": unicode ? "⇤" : "S-Tab"
    case "<esc>": "Esc"
    case "<pgdn>": "PgDn"
    case "<pgup>": "PgUp"
    case "<home>": "Home"
    case "<end>": "End"
    case "<del>": "Del"
    case "<lt>": "<"
    case "<space>": "Space"
    default: KeyPress(notation: notation)?.notation ?? notation
    }
  }
}
