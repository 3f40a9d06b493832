import BrowserCore
import CNcurses
import Foundation
import TextCanvas

/// The terminal the program was started in, drawn on by curses.
///
/// All of it happens on the main thread. `onEvent` is called from the main queue, never from within `present`.
@MainActor final class CursesTerminal {
  private(set) var size = Size(width: 80, height: 24)
  private(set) var capabilities = TerminalCapabilities(colors: .monochrome, unicode: false, synchronizedOutput: false)
  var onEvent: (@MainActor (InputEvent) -> Void)?
  /// Called before SIGTERM or SIGINT end the process: the last chance to put something in safety, quickly.
  var onTermination: (@MainActor () -> Void)?

  private enum State { case untouched, taken, given }

  private var state = State.untouched
  private let descriptors: CursesDescriptors
  private let signals = CursesSignals()
  private var keys: CursesKeys?
  private var painter: CursesPainter?
  private var cooked = termios()
  private var modesAreSet = false
  /// When the terminal was asked for what it has not answered yet.
  private var asked: ContinuousClock.Instant?
  private var hasEnded = false

  /// A terminal that is not touched before `start()`.
  init() {
    descriptors = CursesDescriptors()
  }

  /// Takes the screen over.
  ///
  /// Throws `CursesError`, with the terminal as it was, where there is no usable terminal.
  func start() throws {
    guard state != .taken else { return }
    if state == .given {
      takeAgain()
      return
    }
    let unicode = cn_adopt_locale(Self.spareLocale()) != 0
    try descriptors.open()
    let type = try CursesType.choose(output: descriptors.output)
    guard tcgetattr(descriptors.output, &cooked) == 0 else { throw CursesError.noTerminal }
    guard cn_open_screen(type, descriptors.output, descriptors.input) != nil else {
      throw CursesError.unusable(type: type)
    }
    state = .taken
    let painter = CursesPainter(monochrome: !CursesType.environment("NO_COLOR").isEmpty, unicode: unicode)
    self.painter = painter
    capabilities.colors = painter.colors.depth
    capabilities.unicode = unicode
    // Some descriptions say so; other terminals are asked once the first frame is there.
    capabilities.synchronizedOutput = cn_string_capability("Sync") != nil
    readSize()
    signals.start { [unowned self] in handle(signal: $0) }
    arm()
    keys = CursesKeys(descriptor: descriptors.input, erase: Self.eraseByte(of: cooked)) { [unowned self] in
      handle(item: $0)
    }
    keys?.start()
  }

  /// Gives the screen back as it was, and the signals too; nothing when it is not taken.
  func stop() {
    guard state == .taken else { return }
    keys?.stop()
    giveBack()
    signals.stop()
  }

  /// Gives the screen back, stops the process as `^Z` asks, and takes the screen again when it continues.
  func suspendAndResume() {
    guard state == .taken else { return }
    keys?.stop()
    giveBack()
    signals.stopProcess()
    takeAgain()
  }

  /// How many bytes wait to be taken by the terminal, as the kernel counts them.
  var backlog: Int { state == .taken ? Int(cn_output_queue(descriptors.output)) : 0 }

  /// Puts a text on the clipboard by the terminal's own means (OSC 52); terminals that do not know it ignore it.
  func copy(_ text: String) {
    guard state == .taken else { return }
    descriptors.write("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
  }

  /// Shows a frame: the cells that differ are handed to curses, which updates the terminal once.
  func present(_ canvas: Canvas, cursor: Point?, appearance: (Style) -> Appearance) {
    guard state == .taken, let painter else { return }
    let wrap = capabilities.synchronizedOutput ? descriptors.output : nil
    painter.present(canvas, cursor: cursor, synchronized: wrap, appearance: appearance)
    setModes()
  }

  // MARK: Taking and giving

  /// Mouse, paste and keypad modes: after the first frame, so that nothing delays it.
  private func setModes() {
    guard !modesAreSet else { return }
    modesAreSet = true
    descriptors.write(CursesModes.set)
    // Old consoles without a second screen print what they do not understand.
    if !capabilities.synchronizedOutput, cn_string_capability("smcup") != nil {
      descriptors.write(CursesModes.askSynchronized)
      asked = .now
    }
  }

  private func giveBack() {
    signals.disarm()
    descriptors.write(CursesModes.reset)
    endwin()
    // An answer still on its way must not end up in the shell; later, what is typed ahead is the shell's.
    let answerIsComing = asked.map { $0.duration(to: .now) < .milliseconds(300) } ?? false
    _ = tcsetattr(descriptors.output, answerIsComing ? TCSAFLUSH : TCSADRAIN, &cooked)
    modesAreSet = false
    state = .given
  }

  private func takeAgain() {
    state = .taken
    _ = tcgetattr(descriptors.output, &cooked)
    reset_prog_mode()
    signals.start { [unowned self] in handle(signal: $0) }
    arm()
    keys?.start()
    let before = size
    readSize()
    painter?.repaint()
    setModes()
    if size != before { onEvent?(.resize(size)) }
  }

  private func arm() {
    signals.arm(terminal: descriptors.output, cooked: cooked, farewell: CursesModes.farewell)
  }

  private func readSize() {
    size = descriptors.size() ?? Size(width: max(1, Int(tigetnum("cols"))), height: max(1, Int(tigetnum("lines"))))
    resize_term(Int32(size.height), Int32(size.width))
  }

  // MARK: Events

  private func handle(item: KeyDecoder.Item) {
    switch item {
    case .event(.key(KeyPress(.character("z"), .control))): suspendAndResume()
    case .event(.endOfInput): end(.endOfInput)
    case .event(.hangUp): end(.hangUp)
    case .event(let event): onEvent?(event)
    case .modeReport(let mode, let setting):
      guard mode == 2026 else { return }
      asked = nil
      capabilities.synchronizedOutput = setting == 1 || setting == 2
    }
  }

  private func handle(signal: Int32) {
    switch signal {
    case SIGWINCH:
      let before = size
      readSize()
      guard size != before else { return }
      painter?.clear()
      onEvent?(.resize(size))
    case SIGTSTP: suspendAndResume()
    case SIGCONT:
      // Stopped by SIGSTOP, which nobody sees coming: the shell may have changed everything.
      guard state == .taken else { return }
      reset_prog_mode()
      modesAreSet = false
      readSize()
      painter?.repaint()
      setModes()
    case SIGHUP: end(.hangUp)
    case SIGTERM, SIGINT:
      onTermination?()
      stop()
      exit(128 + signal)
    default: break
    }
  }

  /// No more input will come: says so once, and sees to it that the process ends.
  private func end(_ event: InputEvent) {
    guard !hasEnded else { return }
    hasEnded = true
    keys?.stop()
    signals.endWithin(seconds: 10)
    guard let onEvent else {
      stop()
      exit(128 + SIGHUP)
    }
    onEvent(event)
  }

  // MARK: Environment

  /// The locale to fall back on when the environment names one in UTF-8 that this machine does not have.
  private static func spareLocale() -> String? {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map(CursesType.environment).first { !$0.isEmpty } ?? ""
    let lowered = name.lowercased()
    return lowered.hasSuffix("utf-8") || lowered.hasSuffix("utf8") ? "C.UTF-8" : nil
  }

  private static func eraseByte(of modes: termios) -> UInt8 {
    withUnsafeBytes(of: modes.c_cc) { $0[Int(VERASE)] }
  }
}

extension CursesTerminal: Terminal {}
