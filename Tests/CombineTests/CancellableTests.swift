import Combine
import Dispatch
import Synchronization
import Testing

struct CancellableTests {
  @Test func `a cancellable cancels once, when told or when freed`() {
    var count = 0
    var cancellable: AnyCancellable? = AnyCancellable { count += 1 }
    cancellable?.cancel()
    cancellable?.cancel()
    cancellable = nil
    #expect(count == 1)
    _ = AnyCancellable { count += 1 }
    #expect(count == 2)
  }

  @Test func `cancelling from many threads cancels once`() {
    let count = Atomic(0)
    let cancellable = AnyCancellable { count.add(1, ordering: .relaxed) }
    DispatchQueue.concurrentPerform(iterations: 100) { _ in cancellable.cancel() }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func `sets and arrays keep subscriptions`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var set: Set<AnyCancellable> = []
    var array: [AnyCancellable] = []
    subject.sink { values.append($0) }.store(in: &set)
    subject.sink { values.append($0 * 10) }.store(in: &array)
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }) { values.append($0 * 100) }
    subject.subscribe(sink)
    sink.store(in: &set)
    subject.send(1)
    set.removeAll()
    subject.send(2)
    array.removeAll()
    subject.send(3)
    #expect(values == [1, 10, 100, 20])
  }

  @Test func `a sink tells values and end, and frees its closures`() {
    weak var held: Source<Int, Never>?
    let subject = PassthroughSubject<Int, Trouble>()
    var log: [String] = []
    func attach() -> AnyCancellable {
      let object = Source<Int, Never>()
      held = object
      return subject.sink {
        log.append("\($0)")
      } receiveValue: {
        log.append("\($0) \(object.log.count)")
      }
    }
    let cancellable = attach()
    subject.send(1)
    #expect(held != nil)
    subject.send(completion: .failure(Trouble()))
    #expect(held == nil)
    #expect(log.count == 2 && log[0] == "1 0")
    cancellable.cancel()
  }

  @Test func `a key path is assigned to until the end`() {
    final class Target { var number = 0 }
    let (subject, target) = (PassthroughSubject<Int, Never>(), Target())
    let cancellable = subject.assign(to: \.number, on: target)
    subject.send(5)
    #expect(target.number == 5)
    cancellable.cancel()
    subject.send(6)
    #expect(target.number == 5)
  }

  @Test func `subscribers of closures and of subjects`() {
    var log: [String] = []
    (1...5).publisher.subscribe(
      AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: {
          log.append("\($0)")
          return $0 < 3 ? .max(1) : .none
        }, receiveCompletion: { _ in log.append("|") }))
    #expect(log == ["1", "2", "3"])
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record()
    Just(7).subscribe(AnySubscriber(subject))
    #expect(recorder.text == "7 |")
    let wrapped = Recorder<Int, Never>()
    Just(8).subscribe(AnySubscriber(wrapped))
    #expect(wrapped.text == "8 |")
    #expect(AnySubscriber(wrapped).combineIdentifier == wrapped.combineIdentifier)
  }
}
