import CNcurses
import Dispatch
import TextCanvas

/// Reads the terminal on the main queue and hands on what the bytes mean.
///
/// Curses is not asked for keys: it waits for escape sequences and knows no paste. Its terminal description is used.
@MainActor final class CursesKeys {
  private let descriptor: Int32
  private var decoder: KeyDecoder
  private var clicks = ClickTracker()
  private var source: (any DispatchSourceRead)?
  private var deadline: (any DispatchSourceTimer)?
  private let deliver: @MainActor (KeyDecoder.Item) -> Void

  /// A reader of `descriptor`; `erase` is the byte of the terminal's erase character.
  init(descriptor: Int32, erase: UInt8, deliver: @escaping @MainActor (KeyDecoder.Item) -> Void) {
    self.descriptor = descriptor
    self.deliver = deliver
    decoder = KeyDecoder(sequences: Self.describedSequences(), erase: erase)
  }

  /// Listens until `stop()` or the end of the input.
  func start() {
    guard source == nil else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { self.drain() } }
    source.activate()
    self.source = source
  }

  /// Listens no more; what is incomplete is forgotten.
  func stop() {
    source?.cancel()
    source = nil
    deadline?.cancel()
    deadline = nil
    _ = decoder.flush()
  }

  /// Reads all there is: the source fires again for as long as bytes are left.
  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while source != nil, cn_is_readable(descriptor) != 0 {
      let count = read(descriptor, &bytes, bytes.count)
      if count > 0 {
        hand(decoder.decode(bytes[..<count]))
      } else if count < 0, cn_errno() == EINTR || cn_errno() == EAGAIN {
        break
      } else {
        // A terminal that is gone stays readable for ever.
        let lost = count < 0
        hand(decoder.flush())
        stop()
        deliver(.event(lost ? .hangUp : .endOfInput))
        return
      }
    }
    waitForRest()
  }

  private func hand(_ items: [KeyDecoder.Item]) {
    for item in items {
      if case .event(.mouse(let event)) = item {
        deliver(.event(.mouse(clicks.refine(event, at: .now))))
      } else {
        deliver(item)
      }
    }
  }

  private func waitForRest() {
    deadline?.cancel()
    deadline = nil
    guard source != nil, let patience = decoder.patience else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let milliseconds = patience.components.seconds * 1_000 + patience.components.attoseconds / 1_000_000_000_000_000
    timer.schedule(deadline: .now() + .milliseconds(Int(milliseconds)))
    timer.setEventHandler {
      MainActor.assumeIsolated {
        self.deadline = nil
        self.hand(self.decoder.flush())
      }
    }
    timer.activate()
    deadline = timer
  }

  /// The keys of the terminal's description, by their byte sequences.
  private static func describedSequences() -> [[UInt8]: KeyPress] {
    var named: [(String, KeyPress)] = [
      ("kcuu1", KeyPress(.up)), ("kcud1", KeyPress(.down)), ("kcub1", KeyPress(.left)), ("kcuf1", KeyPress(.right)),
      ("khome", KeyPress(.home)), ("kend", KeyPress(.end)), ("kpp", KeyPress(.pageUp)), ("knp", KeyPress(.pageDown)),
      ("kich1", KeyPress(.insert)), ("kdch1", KeyPress(.delete)), ("kcbt", KeyPress(.tab, .shift)),
      ("kbs", KeyPress(.backspace)), ("kent", KeyPress(.enter)), ("kLFT", KeyPress(.left, .shift)),
      ("kRIT", KeyPress(.right, .shift)), ("kri", KeyPress(.up, .shift)), ("kind", KeyPress(.down, .shift)),
    ]
    named += (1...12).map { ("kf\($0)", KeyPress(.function($0))) }
    var sequences: [[UInt8]: KeyPress] = [:]
    for (name, press) in named {
      guard let text = cn_string_capability(name) else { continue }
      let bytes = Array(String(cString: text).utf8)
      if bytes.first == 0x1B { sequences[bytes] = press }
    }
    return sequences
  }
}
