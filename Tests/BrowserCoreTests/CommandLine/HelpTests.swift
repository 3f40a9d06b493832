import Foundation
import Testing

@testable import BrowserCore

/// Help as text files in `Goldens`; `GOLDEN=record` writes them.
@Suite struct HelpTests {
  private func check(_ words: [String], _ name: String) throws {
    let run = CommandRun(words)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/\(name).help")
    if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
      try run.output.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == run.output)
  }

  @Test func `the program's help lists every command and the browser's options`() throws {
    try check(["--help"], "storebrowser")
    let text = CommandRun("--help").output
    for spec in CommandSpec.all { #expect(text.contains("  \(spec.name) "), "\(spec.name)") }
    for option in CommandSpec.browse.options { #expect(text.contains("--\(option.name)"), "\(option.name)") }
  }

  @Test(arguments: CommandSpec.all.map(\.name))
  func `each command's help lists its words and options`(name: String) throws {
    try check([name, "--help"], name)
    let spec = try #require(CommandSpec.all.first { $0.name == name })
    let text = CommandRun(name, "-h").output
    for option in spec.options { #expect(text.contains("--\(option.name)"), "\(option.name)") }
    for operand in spec.operands { #expect(text.contains(operand.name)) }
  }

  @Test func `help wins over what is missing, and the version is one line`() {
    #expect(CommandRun("fetch", "--help", "--limit", "3").status == 0)
    #expect(CommandRun("--version").output == "storebrowser \(Program.version)\n")
    #expect(CommandRun("fetch", "-V").output == "storebrowser \(Program.version)\n")
  }
}
