import Foundation

/// Another program, run to its end.
public struct ProcessRun: Sendable {
  /// The exit status, or the signal's number negated.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String

  /// Runs a program found on `PATH` (or by path), feeds it text, and waits for its end.
  public init(
    _ program: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
  ) throws {
    let scratch = try TemporaryDirectory()
    // Files instead of pipes: neither side can block on a full pipe.
    let files = try ["in", "out", "err"].map { name in
      let url = scratch.url.appending(path: name)
      try Data(name == "in" ? Array(input.utf8) : []).write(to: url)
      return try FileHandle(forUpdating: url)
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (files[0], files[1], files[2])
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: scratch.url.appending(path: name)), as: UTF8.self)
    }
    (output, errors) = (try text("out"), try text("err"))
  }
}

/// A program that should have succeeded and did not.
public struct ProcessFailure: Error, CustomStringConvertible {
  /// The run.
  public let run: ProcessRun

  /// The status and what the program said.
  public var description: String { "exit status \(run.status): \(run.errors)" }
}
