import Combine
import CoreData
import TextCanvas

/// What a session is started with.
public struct SessionOptions: Sendable {
  /// The file's name, shown until the store is open.
  public var storeName: String
  /// The entity to show first; `nil` takes the first that has rows.
  public var entity: String?
  /// The filter of that list at first, as a text that is known to be one.
  public var filter: String?
  /// The order of that list at first.
  public var sort: [ListSortKey]
  /// The stores to choose one from first; none where the store is known.
  public var stores: [StoreSearch.Found] = []
  /// The clock that dates are shown by.
  public var zone: DateZone
  /// What roles look like.
  public var theme: Theme
  /// The keys.
  public var keymap: Keymap
  /// Whether changes move and fade; where not, their marks appear and disappear.
  public var animation: Bool
  /// Whether the store is unlocked for editing as soon as it is open.
  public var opensUnlocked: Bool

  /// Options; everything can be left out.
  public init(
    storeName: String = "", entity: String? = nil, filter: String? = nil, sort: [ListSortKey] = [],
    zone: DateZone = .local, theme: Theme = .dark,
    keymap: Keymap = Keymap(), animation: Bool = true, opensUnlocked: Bool = false
  ) {
    self.storeName = storeName
    self.entity = entity
    self.filter = filter
    self.sort = sort
    self.zone = zone
    self.theme = theme
    self.keymap = keymap
    self.animation = animation
    self.opensUnlocked = opensUnlocked
  }
}

/// Runs the browser: events become actions, actions change the state, effects go to the service, and every turn of the
/// run loop in which something changed ends with one frame.
///
/// All on the main thread; queries run elsewhere and answer here. The first frame is drawn by `start()` itself.
@MainActor public final class Session {
  /// Called once when the browser ends.
  public var onEnd: (() -> Void)?
  /// Called whenever nothing is under way any more: no query, no frame to draw.
  public var onIdle: (() -> Void)?
  /// How many frames were drawn.
  public private(set) var frames = 0

  private(set) var state: BrowserState
  /// Lets a person change a text while the terminal is given back: `$VISUAL` or `$EDITOR`.
  public var composer: (String) throws -> String = { try ExternalEditor.edit($0) }
  /// Puts a text on the desktop's clipboard too, beside the terminal's own way.
  public var clipboard: (String) -> Void = { _ in }
  private let terminal: any Terminal
  private let compositor: Compositor
  private let theme: Theme
  private let clock: any SessionClock
  private lazy var runner = EffectRunner(service: service) { [weak self] answer in
    guard let answer else { return self?.endTurnLater() ?? () }
    self?.send(.answer(answer))
  }
  private let service: any BrowserService
  private var hasEnded = false
  private var hasStarted = false
  private var needsFrame = false
  private var owesFrame = false
  private var isTurnPending = false
  private var patience: (any Cancellable)?
  private lazy var frameTimer = FrameTimer(clock: clock) { [weak self] in self?.send(.tick) }
  private var link: LinkSpeed

  /// A blank frame that the next rows would replace at once is held back for so long.
  static let patienceSeconds = 0.04

  /// A session over a service and a terminal.
  public init(
    service: any BrowserService, terminal: any Terminal, options: SessionOptions = SessionOptions(),
    clock: any SessionClock = DispatchClock()
  ) {
    self.service = service
    self.terminal = terminal
    self.clock = clock
    theme = options.theme
    link = LinkSpeed(usual: options.animation ? AnimationLevel(options.theme.depth) : .off)
    compositor = Compositor(keymap: options.keymap)
    state = BrowserState(
      size: terminal.size, unicode: terminal.capabilities.unicode, zone: options.zone, storeName: options.storeName,
      wantedEntity: options.entity)
    (state.wantedFilter, state.wantedSort) = (options.filter, options.sort)
    state.editing.opensUnlocked = options.opensUnlocked
    if !options.stores.isEmpty { state.phase = .choosing(StoreChoice(stores: options.stores)) }
  }

  /// True when no query is under way, nothing waits to be drawn, and nothing moves.
  public var isIdle: Bool {
    hasEnded || (runner.openWork == 0 && !needsFrame && !isTurnPending && frameTimer.due == nil)
  }

  /// Whether the browser has ended.
  public var isOver: Bool { hasEnded }

  /// Waits until nothing is under way.
  ///
  /// Takes `onIdle` for itself until then.
  public func idle() async {
    while !isIdle {
      await withCheckedContinuation { continuation in
        onIdle = { [self] in
          onIdle = nil
          continuation.resume()
        }
      }
    }
  }

  /// Types keys, each when what the one before began has ended.
  public func type(_ keys: [KeyPress]) async {
    for key in keys where !isOver {
      handle(.key(key))
      await idle()
    }
  }

  /// Takes the terminal, draws the first frame at once, and opens the store.
  public func start() throws {
    terminal.onEvent = { [weak self] in self?.handle($0) }
    try terminal.start()
    hasStarted = true
    state.size = terminal.size
    state.unicode = terminal.capabilities.unicode
    draw()
    if state.choice == nil { run([.open]) }
    endTurnLater()
  }

  /// Takes an event from the terminal.
  public func handle(_ event: InputEvent) {
    switch event {
    case .resize(let size): send(.resized(size))
    case .endOfInput, .hangUp, .interrupt: end()
    default:
      if let intent = compositor.intent(for: event, state) { send(.intent(intent)) }
      // Also after an event that means nothing, for who waits to be told that nothing is under way.
      endTurnLater()
    }
  }

  /// Changes the state and runs what follows from it.
  func send(_ action: Action) {
    guard !hasEnded else { return }
    state.now = clock.now
    let effects = reduce(&state, action)
    // Changes that pour in do not make more frames than an eye can follow.
    if action.isLive, clock.now < frameTimer.earliest { owesFrame = true } else { needsFrame = true }
    run(effects)
    endTurnLater()
  }

  /// Ends the browser: gives the terminal back and stops all queries.
  public func end() {
    guard !hasEnded else { return }
    hasEnded = true
    runner.cancelAll()
    patience?.cancel()
    frameTimer.cancel()
    terminal.onEvent = nil
    terminal.stop()
    onEnd?()
    onIdle?()
  }

  /// Gives the terminal to the person's own editor until that ends.
  private func compose(_ target: EditTarget, _ text: String) {
    terminal.stop()
    let edited = Result { try composer(text) }
    do { try terminal.start() } catch { return end() }
    needsFrame = true
    switch edited {
    case .success(let text): send(.answer(.editing(.composed(target, text))))
    case .failure(let error): send(.answer(.editing(.composeFailed(target, Problem(error)))))
    }
  }

  private func run(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .quit: end()
      case .suspend:
        terminal.suspendAndResume()
        needsFrame = true
      case .compose(let target, let text): compose(target, text)
      case .copy(let text):
        terminal.copy(text)
        clipboard(text)
      default: runner.run(effect)
      }
    }
  }

  /// One frame a turn of the run loop, however many events and answers came in it.
  private func endTurnLater() {
    guard !isTurnPending, !hasEnded else { return }
    isTurnPending = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.endTurn() }
    }
  }

  private func endTurn() {
    isTurnPending = false
    guard !hasEnded else { return }
    if needsFrame { drawUnlessRowsAreNear() }
    frameTimer.set(to: owesFrame ? frameTimer.earliest : AnimationPlan(state).next)
    if isIdle { onIdle?() }
  }

  /// A list whose first rows are on their way would flash up empty: its frame waits a moment for them.
  private func drawUnlessRowsAreNear() {
    guard state.list?.awaitsFirstRows == true else { return draw() }
    guard patience == nil else { return }
    patience = clock.after(seconds: Self.patienceSeconds) { [weak self] in
      guard let self, !self.hasEnded else { return }
      self.draw()
      if self.isIdle { self.onIdle?() }
    }
  }

  private func draw() {
    patience?.cancel()
    patience = nil
    (needsFrame, owesFrame) = (false, false)
    guard hasStarted else { return }
    state.now = clock.now
    state.animation = link.level
    let frame = compositor.draw(state)
    frames += 1
    frameTimer.drew()
    let start = clock.now
    terminal.present(frame.canvas, cursor: frame.cursor, appearance: theme.appearance(of:))
    link.note(backlog: terminal.backlog, presenting: clock.now - start, at: clock.now)
  }
}
