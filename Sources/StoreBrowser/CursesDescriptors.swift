import CNcurses
import Foundation
import TextCanvas

/// Why the screen cannot be taken over.
enum CursesError: LocalizedError, Hashable {
  /// Neither standard input and output nor the controlling terminal can be used.
  case noTerminal
  /// The environment does not say what terminal this is.
  case typeMissing
  /// The machine has no terminal descriptions.
  case noDescriptions
  /// There is no description of this type.
  case unknown(type: String)
  /// The terminal cannot place its cursor.
  case unusable(type: String)

  /// What went wrong.
  var errorDescription: String? {
    switch self {
    case .noTerminal: "there is no terminal to draw on"
    case .typeMissing: "TERM is not set, so it is not known what the terminal can do"
    case .noDescriptions: "no terminal descriptions (terminfo) are installed on this machine"
    case .unknown(let type): "the terminal type “\(type)” (TERM) is not known here"
    case .unusable(let type): "a terminal of type “\(type)” (TERM) cannot show screens"
    }
  }

  /// What to do.
  var recoverySuggestion: String? {
    switch self {
    case .noTerminal: "start it in a terminal, or use --dump-screen or a command such as entities"
    case .noDescriptions: "install ncurses-base"
    case .typeMissing, .unknown, .unusable: "try TERM=xterm-256color"
    }
  }
}

/// The descriptors of the terminal: standard input and output, or else the controlling terminal.
@MainActor final class CursesDescriptors {
  private(set) var input: Int32 = -1
  private(set) var output: Int32 = -1

  /// Finds the terminal; once is enough.
  func open() throws {
    guard output < 0 else { return }
    if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
      (input, output) = (STDIN_FILENO, STDOUT_FILENO)
      return
    }
    let terminal = cn_open_controlling_terminal()
    guard terminal >= 0 else { throw CursesError.noTerminal }
    (input, output) = (terminal, terminal)
  }

  /// The size the kernel knows, if it knows one.
  func size() -> Size? {
    let packed = cn_window_size(output)
    let size = Size(width: Int(packed >> 16), height: Int(packed & 0xFFFF))
    return size.width > 0 && size.height > 0 ? size : nil
  }

  /// Writes to the terminal, after what curses has written: it leaves nothing in its buffer between updates.
  func write(_ text: String) {
    CursesModes.write(text, to: output)
  }
}

/// What is said to the terminal beside curses.
enum CursesModes {
  /// Bracketed paste, and the mouse: buttons, wheel and dragging, reported in SGR form.
  private static let ours = ["2004", "1000", "1002", "1006"]

  /// Asks whether the terminal has synchronized output (DECRQM); most answer, some do not.
  static let askSynchronized = "\u{1B}[?2026$p"
  static let beginFrame = "\u{1B}[?2026h"
  static let endFrame = "\u{1B}[?2026l"

  /// Sets our modes and the keypad's.
  static var set: String { ours.map { "\u{1B}[?\($0)h" }.joined() + capability("smkx") }

  /// Resets all modes that `set` and a frame have set.
  static var reset: String { endFrame + ours.reversed().map { "\u{1B}[?\($0)l" }.joined() + capability("rmkx") }

  /// Everything that gives the screen back, for a process that dies in the middle of a frame.
  static var farewell: String { reset + capability("sgr0") + capability("cnorm") + capability("rmcup") + "\r" }

  /// Writes all of `text`, or gives up when the terminal is gone.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { CNcurses.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if cn_errno() != EINTR {
        return
      }
    }
  }

  /// A capability's bytes without the padding marks that only hardware terminals need.
  private static func capability(_ name: String) -> String {
    guard let text = cn_string_capability(name) else { return "" }
    var result = ""
    var rest = Substring(String(cString: text))
    while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"), let end = rest.firstIndex(of: ">") {
      result += rest[..<start]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
