import Foundation

/// The desktop's clipboard, by the programs that every desktop has for it: `wl-copy` under Wayland, else `xclip`, else `xsel`.
///
/// A terminal may not pass on what is copied by its own means (OSC 52), and does not say so: both ways are gone.
public enum DesktopClipboard {
  /// Copies a text in the background; where there is no desktop, or no program for its clipboard, nothing happens.
  public static func copy(_ text: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard let command = command(environment) else { return }
    DispatchQueue.global(qos: .userInitiated).async { try? run(command, text, environment) }
  }

  /// The program and its arguments; `nil` where there is none.
  static func command(_ environment: [String: String]) -> [String]? {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    let candidates =
      (isSet("WAYLAND_DISPLAY") ? [["wl-copy"]] : [])
      + (isSet("DISPLAY") ? [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]] : [])
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for candidate in candidates {
      for folder in folders {
        let path = folder + "/" + candidate[0]
        if FileManager.default.isExecutableFile(atPath: path) { return [path] + candidate.dropFirst() }
      }
    }
    return nil
  }

  /// Runs the program with the text as its input, and waits for it.
  ///
  /// The input is a file that nobody else may read and that has no name any more: a program that reads nothing of it, or not
  /// at once, holds nothing up.
  static func run(_ command: [String], _ text: String, _ environment: [String: String]) throws {
    // Where temporary files go by convention when nobody says otherwise.
    var template = Array(((environment["TMPDIR"] ?? "/tmp") + "/storebrowser.XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    unlink(template)
    let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try input.write(contentsOf: Data(text.utf8))
    try input.seek(toOffset: 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = environment
    process.standardInput = input
    // What it says is not meant for the screen.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
