import CoreData
import CoreDataKit
import Dispatch
import Foundation
import Synchronization

/// Something that makes the demo change while it is looked at.
public protocol DemoActivity: Sendable {
  /// Begins.
  func start() throws
  /// Ends, and returns when nothing more will be written.
  func stop()
}

/// Changes the demo at a rate, on a background context of a stack of its own: to everybody else its changes are those of
/// another program.
public final class DemoWriter: DemoActivity {
  private let url: URL
  private let plan: DemoStore.Plan
  private let rate: Double
  private let queue = DispatchQueue(label: "DemoWriter", qos: .utility)
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    /// What the run under way works with.
    var life: DemoLife?
    /// Counts the runs: what a run has left on the queue does nothing in the next.
    var run = 0
  }

  /// A writer of the demo at `url`, made by `plan`; `rate` is in changes a second, 0 for none.
  public init(url: URL, plan: DemoStore.Plan, rate: Double) {
    (self.url, self.plan, self.rate) = (url, plan, rate)
  }

  deinit { state.withLock { $0.isRunning = false } }

  /// Begins to write; the first change comes after about as much time as there is between two.
  public func start() {
    guard rate > 0 else { return }
    let run = state.withLock { state -> Int? in
      guard !state.isRunning else { return nil }
      state.isRunning = true
      state.run += 1
      return state.run
    }
    guard let run else { return }
    let life = DemoLife(url: url, plan: plan, rate: rate)
    state.withLock { $0.life = life }
    schedule(life, run, at: .now() + life.pause())
  }

  /// Ends the writing; a change under way is finished first, and the store is closed.
  public func stop() {
    let life = state.withLock { state in
      defer { (state.isRunning, state.life) = (false, nil) }
      return state.life
    }
    queue.sync { life?.end() }
  }

  private func schedule(_ life: DemoLife, _ run: Int, at time: DispatchTime) {
    queue.asyncAfter(deadline: time) { [weak self] in
      guard let self, self.state.withLock({ $0.isRunning && $0.run == run }) else { return }
      life.change()
      // Behind the rate the next follows at once, but what was missed is not made up for.
      self.schedule(life, run, at: max(time + life.pause(), .now()))
    }
  }
}

/// The stack and the changes of one run; used on the writer's queue alone, except for the first pause.
private final class DemoLife: @unchecked Sendable {
  private let stack: CoreDataStack
  private let context: NSManagedObjectContext
  private let plan: DemoStore.Plan
  private let rate: Double
  private var changes: DemoChanges?
  /// When changes come; apart from the changes' own chances, so that the rate does not decide what they are.
  private var rhythm: DemoRandom

  init(url: URL, plan: DemoStore.Plan, rate: Double) {
    (self.plan, self.rate) = (plan, rate)
    stack = CoreDataStack(
      configuration: CoreDataConfiguration(databaseURL: url, managedObjectModel: DemoModel.make()))
    context = stack.newBackgroundContext()
    context.name = "DemoWriter"
    rhythm = DemoRandom(seed: plan.seed)
  }

  /// Between half and one and a half times the rate's interval.
  func pause() -> DispatchTimeInterval {
    .nanoseconds(Int(Double(rhythm.int(500...1_500)) / 1_000 / rate * 1e9))
  }

  /// Closes the store; what cannot be closed is closed by the program's end.
  func end() { try? stack.close() }

  /// Makes one change; one that cannot be made, such as of a store that somebody keeps locked, is left out.
  func change() {
    context.performAndWait {
      do {
        if changes == nil {
          _ = try stack.open()
          changes = try DemoChanges(plan: plan, context: context)
        }
        try changes?.next()
      } catch {
        // The next change finds out whether it can be made.
      }
    }
  }
}
