import Dispatch
import Foundation

/// The queue that a context's objects live on, and the check that they are used there.
struct ContextQueue: Sendable {
  let queue: DispatchQueue
  private let isMain: Bool
  private let key: DispatchSpecificKey<UInt8>

  init(main: Bool) {
    isMain = main
    queue = main ? .main : DispatchQueue(label: "NSManagedObjectContext", autoreleaseFrequency: .workItem)
    key = main ? Self.mainKey : DispatchSpecificKey<UInt8>()
    if !main { queue.setSpecific(key: key, value: 1) }
  }

  /// Whether the calling code runs on the queue.
  ///
  /// The main queue can leave the main thread (reference/PLATFORM.md 7), so both are asked for.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil || isMain && Thread.isMainThread }

  private static let mainKey: DispatchSpecificKey<UInt8> = {
    let key = DispatchSpecificKey<UInt8>()
    DispatchQueue.main.setSpecific(key: key, value: 1)
    return key
  }()

  /// Runs `body` on the queue and waits; runs it at once when already there.
  func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    isCurrent ? try body() : try queue.sync(execute: body)
  }

  func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
