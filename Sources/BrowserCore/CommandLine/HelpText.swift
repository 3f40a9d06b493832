/// The help of the program and of each command, made from the command table.
enum HelpText {
  static func program() -> String {
    let commands = CommandSpec.all.map { (($0.name), $0.summary) }
    return """
      storebrowser: look into Core Data stores

      usage: storebrowser [STORE] [options]
             storebrowser COMMAND …

      Without a command the browser opens: on STORE, or on the demo.

      commands
      \(table(commands))

      options
      \(table(CommandSpec.browse.options.map(row) + [row(.help), row(.version)]))

      storebrowser COMMAND --help tells more of a command. In the browser, ? lists all keys.
      """
  }

  static func command(_ spec: CommandSpec) -> String {
    let words = ["storebrowser", spec.name] + spec.operands.map(\.usage) + (spec.options.isEmpty ? [] : ["[options]"])
    let operands = spec.operands.isEmpty ? "" : "\n" + table(spec.operands.map { ($0.name, $0.help) }) + "\n"
    return """
      storebrowser \(spec.name): \(spec.summary)

      usage: \(words.joined(separator: " "))
      \(operands)
      options
      \(table(spec.options.map(row) + [row(.help)]))
      """
  }

  private static func row(_ option: OptionSpec) -> (String, String) {
    ("--" + option.name + (option.value.map { " " + $0 } ?? ""), option.help)
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 2) + $1 }.joined(separator: "\n")
  }
}
