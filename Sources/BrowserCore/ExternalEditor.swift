import Foundation

/// A person's own editor for text, run on the terminal in place of the browser.
enum ExternalEditor {
  /// Lets a person change a text in `$VISUAL`, else `$EDITOR`, else `vi`, and waits for that.
  ///
  /// The text lies in a file that nobody else may read, in a folder of its own, and both are gone afterwards. Throws when the
  /// editor cannot be run or ends with a failure, and when what it leaves is not UTF-8.
  static func edit(
    _ text: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> String {
    let command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
    let folder = try makeFolder(in: environment["TMPDIR"] ?? "/tmp")
    defer { rmdir(folder) }
    let path = folder + "/text.txt"
    defer { unlink(path) }
    try write(text, to: path)
    let status = try run(command, path, environment)
    guard status == 0 else { throw EditorError("\(command) ended with status \(status): the text is as it was") }
    guard let edited = String(data: try Data(contentsOf: URL(fileURLWithPath: path)), encoding: .utf8) else {
      throw EditorError("what \(command) left is not UTF-8: the text is as it was")
    }
    // Editors end the last line; the text may not have had that.
    return edited.hasSuffix("\n") && !text.hasSuffix("\n") ? String(edited.dropLast()) : edited
  }

  private static func makeFolder(in parent: String) throws -> String {
    var template = Array((parent + "/storebrowser.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw EditorError("no folder can be made in \(parent)") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw EditorError("\(path) cannot be written") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  /// Runs the editor in the foreground and returns its status.
  private static func run(_ command: String, _ path: String, _ environment: [String: String]) throws -> Int32 {
    // By the shell, since the variable may hold options; the path is an argument and never read as a command.
    var arguments = pointers(["/bin/sh", "-c", command + " \"$1\"", "sh", path])
    var variables = pointers(environment.map { "\($0.key)=\($0.value)" })
    defer { for pointer in arguments + variables { free(pointer) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that the browser handles mean to the editor what they always do.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, &variables) == 0 else {
      throw EditorError("\(command) cannot be run")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw EditorError("\(command) was lost") }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }

  /// Texts as C takes them, with the `nil` that ends them; whoever asks frees them.
  private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var pointers: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { pointers.append(strdup(text)) }
    pointers.append(nil)
    return pointers
  }
}

/// Why the text was not edited.
struct EditorError: LocalizedError {
  var words: String
  init(_ words: String) { self.words = words }
  var errorDescription: String? { words }
}
