import BrowserCore
import Foundation
import TextCanvas

/// The program: reads its arguments and either ends or runs the browser on the main thread's run loop.
///
/// `main` is synchronous and ends in the run loop, so that main queue, main actor and curses share one thread.
@main
@MainActor
enum Main {
  static func main() {
    let program = Program(
      isTerminal: isatty(STDOUT_FILENO) != 0, output: { [output] in output.write($0) },
      flush: { [output] in output.flush() }, outputDescriptor: STDOUT_FILENO,
      errors: { text in
        let errors = OutputFile(STDERR_FILENO)
        errors.write(text)
        errors.flush()
      })
    switch program.run(Array(CommandLine.arguments.dropFirst())) {
    case .exit(let status): end(status)
    case .browser(let launch):
      do {
        activity = launch.activity
        if let dump = launch.dump {
          try print(dump, launch)
        } else {
          try browse(launch)
        }
      } catch {
        if case .exit(let status) = program.fail(error) { end(status) }
      }
      RunLoop.main.run()
    }
  }

  private static let output = OutputFile(STDOUT_FILENO)
  /// Lives as long as the program does.
  private static var session: Session?
  /// What changes the demo while it is shown.
  private static var activity: (any DemoActivity)?

  private static func browse(_ launch: BrowserLaunch) throws {
    let terminal = CursesTerminal()
    try terminal.start()
    var options = launch.options
    if let theme = Theme(named: launch.themeName ?? "dark", depth: terminal.capabilities.colors) {
      options.theme = theme
    }
    // Consoles that repaint whole screens, or can do nothing else, are spared the motion.
    if ["dumb", "linux"].contains(CursesType.environment("TERM")) { options.animation = false }
    let session = Session(service: launch.service, terminal: terminal, options: options)
    session.onEnd = { end(0) }
    session.clipboard = { DesktopClipboard.copy($0) }
    self.session = session
    try session.start()
    try activity?.start()
  }

  /// Prints the screen as it is when the browser is idle and all keys were pressed.
  private static func print(_ dump: ScreenDumpRequest, _ launch: BrowserLaunch) throws {
    let terminal = DumpTerminal(size: dump.size)
    var options = launch.options
    if let theme = launch.themeName.flatMap({ Theme(named: $0, depth: .truecolor) }) { options.theme = theme }
    let session = Session(service: launch.service, terminal: terminal, options: options)
    var keys = dump.keys[...]
    let finish = {
      output.write(dump.format.render(terminal.canvas, theme: options.theme, title: options.storeName))
      end(0)
    }
    session.onEnd = finish
    session.onIdle = {
      guard !session.isOver else { return }
      if let key = keys.popFirst() { session.handle(.key(key)) } else { finish() }
    }
    self.session = session
    try activity?.start()
    try session.start()
  }

  private static func end(_ status: Int32) -> Never {
    activity?.stop()
    output.flush()
    exit(status)
  }
}
