@testable import BrowserCore

/// One run of the program without a terminal: what it wrote where, and how it ended.
struct CommandRun {
  var status: Int32 = -1
  var output = ""
  var errors = ""
  /// Set when the browser would have been shown.
  var launch: BrowserLaunch?

  init(_ words: String..., isTerminal: Bool = false, environment: [String: String] = [:]) {
    self.init(words, isTerminal: isTerminal, environment: environment)
  }

  init(_ words: [String], isTerminal: Bool = false, environment: [String: String] = [:]) {
    var (output, errors) = ("", "")
    let program = Program(
      environment: environment, isTerminal: isTerminal, output: { output += $0 }, errors: { errors += $0 })
    switch program.run(words) {
    case .exit(let status): self.status = status
    case .browser(let launch): self.launch = launch
    }
    (self.output, self.errors) = (output, errors)
  }

  /// The output's lines.
  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }
}
