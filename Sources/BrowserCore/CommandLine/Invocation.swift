import CoreData

/// A command line, understood: which command, its operands, its options.
struct Invocation: Equatable {
  /// The command's name; empty for the browser.
  var command: String
  var operands: [String] = []
  /// By name; an option without a value has an empty one.
  var options: [String: String] = [:]

  /// Reads the words after the program's name.
  init(_ words: [String]) throws(UsageError) {
    let (spec, rest) = Self.command(of: words)
    command = spec.name
    var index = 0
    var optionsAreOver = false
    while index < rest.count {
      let word = rest[index]
      index += 1
      if optionsAreOver || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        optionsAreOver = true
      } else {
        try take(option: word, next: index < rest.count ? rest[index] : nil, used: &index, of: spec)
      }
    }
    if options["help"] == nil && options["version"] == nil { try checkOperands(of: spec) }
  }

  /// The command that the first word names, and the words left for it.
  private static func command(of words: [String]) -> (CommandSpec, [String]) {
    if let first = words.first, let spec = CommandSpec.all.first(where: { $0.name == first }) {
      return (spec, Array(words.dropFirst()))
    }
    return (.browse, words)
  }

  private mutating func take(option word: String, next: String?, used index: inout Int, of spec: CommandSpec)
    throws(UsageError)
  {
    let known = spec.options + [.help, .version]
    let short = ["-h": "--help", "-V": "--version"][word] ?? word
    let parts = short.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard short.hasPrefix("--"), let name = parts.first, let option = known.first(where: { $0.name == name }) else {
      let near = nearestSpelling(of: String(word.drop { $0 == "-" }), among: known.map(\.name))
      throw UsageError(
        "unknown option \(word)",
        near.map { "did you mean --\($0)? see " + spec.helpCommand } ?? "see " + spec.helpCommand)
    }
    if option.value == nil {
      guard parts.count == 1 else { throw UsageError("--\(name) takes no value", "leave out =\(parts[1])") }
      options[name] = ""
    } else if parts.count == 2 {
      options[name] = parts[1]
    } else if let next {
      options[name] = next
      index += 1
    } else {
      throw UsageError("--\(name) needs a value", "give \(option.value ?? "one") after it; see " + spec.helpCommand)
    }
  }

  private func checkOperands(of spec: CommandSpec) throws(UsageError) {
    if operands.count > spec.operands.count, spec.operands.last?.isRepeated != true {
      let surplus = operands[spec.operands.count]
      if spec.name.isEmpty, let near = nearestSpelling(of: operands[0], among: CommandSpec.all.map(\.name)) {
        throw UsageError("unknown command \(operands[0])", "did you mean \(near)? see storebrowser --help")
      }
      throw UsageError("one word too many: \(surplus)", "see " + spec.helpCommand)
    }
    // The browser opens the demo when no store is named.
    let needed = spec.operands.prefix { !$0.isOptional }.count
    if !spec.name.isEmpty, operands.count < needed {
      throw UsageError("\(spec.name) needs \(spec.operands[operands.count].name)", "see " + spec.helpCommand)
    }
  }

  /// A whole number of at least `minimum` given to an option.
  func number(_ option: OptionSpec, atLeast minimum: Int = 0) throws(UsageError) -> Int? {
    guard let text = options[option.name] else { return nil }
    guard let number = Int(text), number >= minimum else {
      throw UsageError("--\(option.name) \(text) is no number", "give a whole number of at least \(minimum)")
    }
    return number
  }

  /// Changes a second given to the demo.
  func rate() throws(UsageError) -> Double? {
    guard let text = options[OptionSpec.rate.name] else { return nil }
    guard let rate = Double(text), (0...1_000).contains(rate) else {
      throw UsageError("--rate \(text) is no rate", "give changes a second from 0 to 1000, such as 0.5")
    }
    return rate
  }

  /// One of some words given to an option.
  func choice(_ option: OptionSpec, of choices: [String]) throws(UsageError) -> String? {
    guard let text = options[option.name] else { return nil }
    guard choices.contains(text) else {
      throw UsageError("--\(option.name) \(text) is not known", "give one of " + choices.joined(separator: ", "))
    }
    return text
  }
}

extension CommandSpec {
  /// The command that shows this command's help.
  var helpCommand: String { name.isEmpty ? "storebrowser --help" : "storebrowser \(name) --help" }
}
