import BrowserCore
import BrowserTestSupport
import CoreData
import Foundation
import TextCanvas

/// What a frame costs while forty rows animate on a screen of 200×60: from the state to the cells that differ.
@MainActor enum FrameFigures {
  /// Prints the median, the 99th percentile and the bytes of a frame.
  static func measure() async throws {
    let terminal = MeasuringTerminal(size: Size(width: 200, height: 60))
    let service = FakeService(.festival(events: 400))
    let clock = ManualClock()
    let session = Session(
      service: service, terminal: terminal, options: SessionOptions(storeName: "Festival.sqlite", zone: .utc),
      clock: clock)
    try session.start()
    await turns()
    var frames: [Double] = []
    var bytes: [Int] = []
    for round in 0..<40 {
      // Sixteen rows are the most that do not make a storm; three such changes, apart, make forty and more animate.
      for part in 0..<3 {
        service.change(by: "importer") { store in
          for number in 0..<14 {
            let key = ObjectKey(entity: 1, primaryKey: Int64(1 + part * 14 + number))
            store.set(key, "rating", .real(Double(round * 50 + number)))
            store.set(key, "priority", .integer(Int64(round * 3 + number)))
          }
        }
        await turns()
        clock.advance(by: 0.11)
        await turns()
      }
      while clock.now.truncatingRemainder(dividingBy: 10) < 9 {
        let before = terminal.frames
        clock.advance(by: 1.0 / 30)
        let start = ContinuousClock.now
        await turns(1)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if terminal.frames > before {
          frames.append(seconds)
          bytes.append(terminal.bytes)
        }
      }
      clock.advance(by: 1)
      await turns()
    }
    report(frames, bytes)
    session.end()
  }

  private static func report(_ frames: [Double], _ bytes: [Int]) {
    guard !frames.isEmpty else { return print("no frames were drawn") }
    let sorted = frames.sorted()
    let sizes = bytes.sorted()
    let median = sorted[sorted.count / 2] * 1_000
    let high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)] * 1_000
    print("frames of 200×60 with 42 rows animating: \(frames.count)")
    print(String(format: "  median %.2f ms (at most 2), 99th percentile %.2f ms (at most 8)", median, high))
    print("  bytes a frame: median \(sizes[sizes.count / 2]), most \(sizes.last ?? 0)")
  }

  private static func turns(_ count: Int = 12) async {
    for _ in 0..<count {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }
}

/// A terminal that works out what it would write, as a plain painter would: positions, colours and text of what differs.
@MainActor private final class MeasuringTerminal: Terminal {
  let size: Size
  let capabilities = TerminalCapabilities(colors: .truecolor, unicode: true, synchronizedOutput: true)
  var onEvent: (@MainActor (InputEvent) -> Void)?
  private(set) var frames = 0
  private(set) var bytes = 0
  private var shown: Canvas

  init(size: Size) {
    self.size = size
    shown = Canvas(size: size)
  }

  func start() {}
  func stop() {}
  func suspendAndResume() {}

  func present(_ canvas: Canvas, cursor: Point?, appearance: (Style) -> Appearance) {
    var output: [UInt8] = []
    output.reserveCapacity(1 << 14)
    func put(_ text: String) { output.append(contentsOf: text.utf8) }
    func color(_ kind: String, _ color: RGB?) {
      guard let color else { return }
      put(kind)
      for (end, channel) in zip([";", ";", "m"], [color.r, color.g, color.b]) {
        put(String(channel))
        put(end)
      }
    }
    put("\u{1B}[?2026h")
    for run in canvas.diff(from: shown) {
      put("\u{1B}[\(run.origin.y + 1);\(run.origin.x + 1)H")
      var last: Style?
      for cell in run.cells {
        if cell.style != last {
          last = cell.style
          let look = appearance(cell.style)
          color("\u{1B}[38;2;", look.foreground)
          color("\u{1B}[48;2;", look.background)
        }
        put(cell.text)
      }
    }
    put("\u{1B}[?2026l")
    shown = canvas
    bytes = output.count
    frames += 1
  }
}
