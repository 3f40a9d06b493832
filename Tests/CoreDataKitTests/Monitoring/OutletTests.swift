import Combine
import Foundation
import Synchronization
import Testing

@testable import CoreDataKit

/// The subscription that keeps what was not asked for yet.
@Suite struct OutletTests {
  private final class Slow: Subscriber, @unchecked Sendable {
    // Sendable is unchecked: everything is under the lock.
    private let lock = NSLock()
    private var taken: [Int] = []
    private var subscription: (any Subscription)?
    private var completed: [String] = []
    var values: [Int] { lock.withLock { taken } }
    var completions: [String] { lock.withLock { completed } }

    func receive(subscription: any Subscription) { lock.withLock { self.subscription = subscription } }
    func receive(_ input: Int) -> Subscribers.Demand {
      lock.withLock { taken.append(input) }
      return .none
    }
    func receive(completion: Subscribers.Completion<any Error>) {
      let word = if case .failure = completion { "failed" } else { "finished" }
      lock.withLock { completed.append(word) }
    }
    func ask(_ demand: Subscribers.Demand) { lock.withLock { subscription }?.request(demand) }
    func cancel() { lock.withLock { subscription }?.cancel() }
  }

  private func subscribe(_ keeping: Outlet<Int, any Error>.Keeping) -> (Outlet<Int, any Error>, Slow) {
    let slow = Slow()
    var made: [Outlet<Int, any Error>] = []
    Outlets<Int, any Error>(keeping: keeping) { made.append($0) }.subscribe(slow)
    return (made[0], slow)
  }

  @Test func `nothing is delivered that was not asked for, and everything in order once it is`() {
    let (outlet, slow) = subscribe(.everything)
    for number in 1...5 { outlet.send(number) }
    #expect(slow.values == [])
    slow.ask(.max(2))
    #expect(slow.values == [1, 2])
    outlet.send(6)
    outlet.finish(.finished)
    outlet.send(7)
    #expect(slow.completions == [])
    slow.ask(.unlimited)
    #expect(slow.values == [1, 2, 3, 4, 5, 6])
    #expect(slow.completions == ["finished"])
  }

  @Test func `of a state only the latest waits`() {
    let (outlet, slow) = subscribe(.latest)
    outlet.send(1)
    outlet.send(2)
    slow.ask(.max(1))
    outlet.send(3)
    outlet.send(4)
    slow.ask(.max(5))
    #expect(slow.values == [2, 4])
  }

  @Test func `a failure does not wait for demand, and comes once`() {
    let (outlet, slow) = subscribe(.everything)
    outlet.send(1)
    outlet.finish(.failure(CocoaError(.fileReadUnknown)))
    outlet.finish(.finished)
    #expect(slow.values == [] && slow.completions == ["failed"])
  }

  @Test func `after a cancel nothing is delivered, and what ends with it is told once`() {
    let (outlet, slow) = subscribe(.everything)
    let ends = Mutex(0)
    outlet.whenOver { ends.withLock { $0 += 1 } }
    slow.ask(.unlimited)
    outlet.send(1)
    slow.cancel()
    slow.cancel()
    outlet.send(2)
    outlet.finish(.finished)
    #expect(slow.values == [1] && slow.completions == [])
    #expect(ends.withLock { $0 } == 1)
    outlet.whenOver { ends.withLock { $0 += 1 } }
    #expect(ends.withLock { $0 } == 2)
  }

  @Test func `values sent and asked for from many threads arrive each once`() {
    let (outlet, slow) = subscribe(.everything)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<1_000 {
        outlet.send(thread * 1_000 + number)
        slow.ask(.max(1))
      }
    }
    #expect(slow.values.sorted() == Array(0..<8_000))
    for thread in 0..<8 {
      let own = slow.values.filter { $0 / 1_000 == thread }
      #expect(own == own.sorted())
    }
  }
}
