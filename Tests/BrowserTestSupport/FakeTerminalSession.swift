import BrowserCore
import CoreData
import Dispatch
import TextCanvas

/// A whole browser over a fake service and a fake terminal.
@MainActor public final class BrowserUnderTest {
  /// The service.
  public let service: FakeService
  /// The terminal.
  public let terminal: FakeTerminal
  /// The clock.
  public let clock = ManualClock()
  /// The session.
  public let session: Session

  /// A browser that has drawn its first frame.
  public init(
    _ store: FakeStore = .festival(), size: Size = Size(width: 120, height: 36), entity: String? = nil,
    unicode: Bool = true, choices: [StoreSearch.Found] = [], prepare: (FakeService) -> Void = { _ in }
  ) throws {
    service = FakeService(store)
    prepare(service)
    terminal = FakeTerminal(size: size, unicode: unicode)
    var options = SessionOptions(storeName: store.outline.name, entity: entity, zone: .utc)
    options.stores = choices
    session = Session(service: service, terminal: terminal, options: options, clock: clock)
    // No program is run in tests.
    session.composer = { $0 }
    try session.start()
  }

  /// Waits until nothing is under way.
  public func idle() async { await session.idle() }

  /// Waits until all that is under way is held back by the service, for turns of the main queue with nothing to do.
  public func quiet() async {
    for _ in 0..<20 {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }

  /// Waits until nothing moves any more, letting time pass as far as it must.
  public func rest() async {
    await quiet()
    while let next = clock.next {
      clock.advance(by: max(0, next - clock.now))
      await quiet()
    }
    await idle()
  }

  /// Lets time pass, and waits for the frame.
  public func wait(_ seconds: Double) async {
    clock.advance(by: seconds)
    await quiet()
  }

  /// Types keys, each when the one before has been dealt with.
  public func type(_ script: KeyScript) async {
    for key in script.keys {
      terminal.send(.key(key))
      await idle()
    }
  }

  /// Types keys at once, faster than the service answers.
  public func typeAhead(_ script: KeyScript) {
    for key in script.keys { terminal.send(.key(key)) }
  }

  /// Presses the mouse at a cell.
  public func press(_ x: Int, _ y: Int, _ kind: MouseEvent.Kind = .press) async {
    terminal.send(.mouse(MouseEvent(position: Point(x: x, y: y), kind: kind)))
    await idle()
  }
}
