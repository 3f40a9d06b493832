import Foundation
import Synchronization

/// Tells which objects of a store change, by whomever, and how closely the store is followed.
///
/// Ours, Apple has no such class. It reads beside the store's connections and hinders no writer: reads are short, the log is
/// never checkpointed. It ends with `stop()` or when released. Safe to share.
public final class StoreWatcher: Sendable {
  /// What tests and unusual places want otherwise.
  struct Settings: Sendable {
    /// How often a store is looked at where notices cannot be trusted.
    var polling = Duration.seconds(2)
    /// Whether notices can be trusted on a file system of that name.
    var isTrusted: @Sendable (_ fileSystem: String) -> Bool = { !MountTable.isShared($0) }
    /// More changed pages than this are left to the full comparison.
    var pageLimit = 4_096
    /// How the baseline is made.
    var pace = StoreFollower.Pace()
    /// Called once every row is known and no look is due any more without a notice, on the watcher's queue.
    var didBuildBaseline: @Sendable () -> Void = {}
  }

  private let queue = DispatchQueue(label: "StoreWatcher", qos: .userInitiated)
  private let report: @Sendable (StoreEvent) -> Void
  private let initial: StoreLiveness
  private let didBuildBaseline: @Sendable () -> Void
  private let state: Mutex<State>

  private struct State: ~Copyable {
    var signal: StoreSignal?
    /// nil once the watcher is stopped.
    var follower: (any StoreFollowing)?
    /// Whether a snapshot or a copy is read: a commit makes it outdated.
    let isFrozen: Bool
    /// nil once the watcher is stopped.
    var liveness: StoreLiveness?
    /// When to look next without a notice.
    var next: ContinuousClock.Instant?
    var failures = 0
    var isBaselineTold = false
  }

  /// Begins to watch a store that a coordinator has opened: what changes after this returns is reported.
  ///
  /// The first event is the liveness that the store begins with. After `.disconnected` nothing more is reported, unless a
  /// file that was moved away comes back: whoever wants to go on opens the store anew.
  ///
  /// - Parameters:
  ///   - store: an open SQLite store; it must stay open until `stop()`.
  ///   - memory: what an earlier watcher of the same store knew. The first changes then tell, and be it that there are none,
  ///     how the store differs from that; they are not complete where it can no longer be compared.
  ///   - report: takes the events, in order, on a serial queue of the watcher's own.
  /// - Throws: an error of the Cocoa domain when the store is of another kind, or its files cannot be read.
  public convenience init(
    store: NSPersistentStore, remembering memory: StoreMemory? = nil, report: @escaping @Sendable (StoreEvent) -> Void
  ) throws {
    try self.init(store: store, settings: Settings(), remembering: memory, report: report)
  }

  init(
    store: NSPersistentStore, settings: Settings, remembering memory: StoreMemory? = nil,
    report: @escaping @Sendable (StoreEvent) -> Void
  ) throws {
    guard let store = store as? SQLiteStore, let path = store.url?.path else {
      throw NSError.coreData(NSPersistentStoreInvalidTypeError, "only SQLite stores can be watched")
    }
    (self.report, didBuildBaseline) = (report, settings.didBuildBaseline)
    let follower: any StoreFollowing
    var (isFrozen, isOutdated) = (false, false)
    let probe: @Sendable () -> Bool
    let version: @Sendable () -> Int64?
    var liveness: StoreLiveness
    switch store.ladder?.access {
    case .live, nil:
      let files = try StoreFiles(store.file)
      follower = try StoreFollower(
        store, files: files, pageLimit: settings.pageLimit, pace: settings.pace, memory: memory)
      (probe, version, liveness) = ({ files.isCommitPending() }, { files.version() }, .live)
    case .snapshot, .copy:
      let file = store.file
      follower = try SnapshotFollower(store, pace: settings.pace, memory: memory)
      isFrozen = true
      (probe, version) = ({ false }, { FileStamp(file).version })
      isOutdated = store.stamp != FileStamp(file)
      liveness = store.ladder?.access == .copy ? .copy : .snapshot
    }
    state = Mutex(State(signal: nil, follower: follower, isFrozen: isFrozen, liveness: liveness))
    let target = WeakWatcher()
    let signal = StoreSignal(
      path: path, polling: settings.polling, isTrusted: settings.isTrusted, isCommitPending: probe, version: version
    ) { event in target.watcher?.enqueue(event) }
    guard let signal else { throw StoreFile.cocoaError(ENOENT, path: path) }
    if let reason = signal.pollingReason, liveness == .live { liveness = .polling(reason: reason.text) }
    initial = liveness
    let first = StoreEvent.liveness(liveness)
    state.withLock { ($0.signal, $0.liveness) = (signal, initial) }
    target.watcher = self
    queue.async { [weak self, isOutdated] in
      self?.tell([first])
      // What was committed while all this was set up.
      self?.look(isOutdated ? .committed : nil)
    }
  }

  deinit { stop() }

  /// Looks at the store now; needed only where notices cannot be trusted.
  public func look() {
    queue.async { [weak self] in self?.look(nil) }
  }

  /// Ends the watching: when this returns the store's connections are no longer used, and nothing more is reported, except
  /// for what is being reported just then.
  public func stop() {
    let signal = state.withLock { state in
      defer { (state.signal, state.follower, state.liveness) = (nil, nil, nil) }
      return state.signal
    }
    signal?.stop()
  }

  /// Ends the watching like `stop()`, when everything found was reported; answers what is known of the store, for a watcher
  /// that follows it opened anew.
  ///
  /// `nil` where not every row is known yet, or what is open is no longer the store. Must not be called by `report`.
  public func stopRemembering() -> StoreMemory? {
    let memory = queue.sync {
      state.withLock { state -> StoreMemory? in
        guard state.liveness == initial || state.liveness == .outdated else { return nil }
        defer { state.liveness = nil }
        return state.follower?.memory
      }
    }
    stop()
    return memory
  }

  /// Waits until the looks that were begun or asked for are over, for tests that commit between looks.
  func awaitLooks() { queue.sync {} }

  private func enqueue(_ event: SignalEvent) {
    queue.async { [weak self] in self?.look(event) }
  }

  /// Runs on the queue.
  private func look(_ event: SignalEvent?) {
    let (events, isBuilt, wait) = state.withLock { state in
      let events = Self.events(after: event, &state, initial)
      let isBuilt = !state.isBaselineTold && state.next == nil && state.follower?.isBaselineBuilt ?? false
      if isBuilt { state.isBaselineTold = true }
      return (events, isBuilt, state.next.map { ContinuousClock.now.duration(to: $0) })
    }
    tell(events)
    if isBuilt { didBuildBaseline() }
    guard let wait else { return }
    let microseconds = wait.components.seconds * 1_000_000 + wait.components.attoseconds / 1_000_000_000_000
    queue.asyncAfter(deadline: .now() + .microseconds(Int(max(0, microseconds)))) { [weak self] in self?.goOn() }
  }

  /// Looks when it is time to, unless a notice came first, which set another time.
  private func goOn() {
    let isDue = state.withLock { state in
      guard let next = state.next, next <= .now else { return false }
      state.next = nil
      return true
    }
    if isDue { look(nil) }
  }

  private func tell(_ events: [StoreEvent]) {
    for event in events where state.withLock({ $0.liveness != nil }) { report(event) }
  }

  private static func events(
    after event: SignalEvent?, _ state: inout State, _ initial: StoreLiveness
  ) -> [StoreEvent] {
    func now(_ liveness: StoreLiveness) -> [StoreEvent] {
      guard state.liveness != nil, state.liveness != liveness else { return [] }
      state.liveness = liveness
      return [.liveness(liveness)]
    }
    switch event {
    case .removed: return now(.fileDeleted)
    case .replaced: return now(.fileReplaced)
    case .committed, .journalsChanged, nil:
      var events: [StoreEvent] = []
      let isBack = event == .committed && (state.liveness == .fileDeleted || state.liveness == .fileReplaced)
      if isBack { events += now(initial) }
      guard state.liveness == initial else { return events }
      if state.isFrozen, event == .committed { return events + now(.outdated) }
      guard let follower = state.follower else { return events }
      do {
        let (changes, next) = try follower.look()
        (state.next, state.failures) = (next.map { .now + $0 }, 0)
        return events + changes.map(StoreEvent.changes)
      } catch let error as Disconnection {
        return events + now(error.liveness)
      } catch {
        state.failures += 1
        let isLock = ((error as NSError).userInfo[NSSQLiteErrorDomain] as? NSNumber).map {
          [5, 6].contains($0.intValue & 0xff)
        }
        guard isLock ?? false || state.failures < 20 else { return events + now(.unreadable(error)) }
        state.next = .now + .milliseconds(5 << min(state.failures, 8))
        return events
      }
    }
  }
}

/// Where the signal's thread finds the watcher for as long as there is one.
private final class WeakWatcher: Sendable {
  private struct Reference: Sendable { weak var watcher: StoreWatcher? }
  private let reference = Mutex(Reference())

  var watcher: StoreWatcher? {
    get { reference.withLock { $0.watcher } }
    set { reference.withLock { $0.watcher = newValue } }
  }
}

extension StoreSignal.PollingReason {
  /// The reason in words.
  var text: String {
    switch self {
    case .sharedFileSystem(let name): "network file system \(name)"
    case .noNotices: "no notices from the system"
    }
  }
}
