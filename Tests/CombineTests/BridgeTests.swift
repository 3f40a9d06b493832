import Combine
import Dispatch
import Foundation
import Synchronization
import Testing

extension Notification.Name {
  fileprivate static let changed = Notification.Name("CombineTests.changed")
}

@MainActor
private final class ViewModel {
  var users: [String] = []
  var isLoading = true
  var cancellables: Set<AnyCancellable> = []

  func load(_ publisher: AnyPublisher<[String], any Error>) {
    publisher
      .receive(on: DispatchQueue.main)
      .sink { [weak self] _ in
        self?.isLoading = false
      } receiveValue: { [weak self] users in
        self?.users = users
      }
      .store(in: &cancellables)
  }
}

/// Stands for a repository: a `Sendable` class whose work happens on a queue of its own.
private final class Repository: Sendable {
  private let queue = DispatchQueue(label: "repository")
  let changes = PassthroughSubject<Int, Never>()

  func all() -> AnyPublisher<[String], any Error> {
    Deferred { [queue] in
      Future { promise in
        queue.async { promise(.success(["ann", "bob"])) }
      }
    }
    .eraseToAnyPublisher()
  }

  func announce(_ number: Int) {
    queue.async { [changes] in changes.send(number) }
  }
}

/// A thread that does nothing but run its run loop.
///
/// `@unchecked Sendable`: the loop is set once, before the semaphore lets the maker go on.
private final class LoopThread: @unchecked Sendable {
  private(set) var loop: RunLoop?
  private let isOver = Atomic(false)

  init() {
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = .current
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      ready.signal()
      while !isOver.load(ordering: .acquiring) { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
    ready.wait()
  }

  func stop() {
    isOver.store(true, ordering: .releasing)
    loop?.schedule {}
  }
}

struct BridgeTests {
  @Test @MainActor func `a view model of the main actor loads from a repository`() async throws {
    let model = ViewModel()
    model.load(Repository().all())
    #expect(model.isLoading)
    while model.isLoading { await Task.yield() }
    #expect(model.users == ["ann", "bob"])
  }

  @Test @MainActor func `a view model is freed though its subscription was waiting`() {
    weak var freed: ViewModel?
    func use() {
      let model = ViewModel()
      freed = model
      model.load(Empty(completeImmediately: false).eraseToAnyPublisher())
    }
    use()
    #expect(freed == nil)
  }

  @Test func `a queue delivers in order, and later when told`() async {
    let queue = DispatchQueue(label: "bridge")
    var values: [Int] = []
    for await value in (1...100).publisher.receive(on: queue).values { values.append(value) }
    #expect(values == Array(1...100))
    let start = DispatchTime.now()
    for await _ in Just(1).delay(for: .milliseconds(30), scheduler: queue).values {}
    #expect(DispatchTime.now() >= start + .milliseconds(30))
    var ticks = 0
    let ticking = PassthroughSubject<Void, Never>()
    let timer = queue.schedule(after: queue.now, interval: .milliseconds(1)) { ticking.send() }
    for await _ in ticking.prefix(3).values { ticks += 1 }
    timer.cancel()
    #expect(ticks == 3)
  }

  @Test func `a sleeping run loop wakes for an action, in order`() async throws {
    let thread = LoopThread()
    let loop = try #require(thread.loop)
    var values: [Int] = []
    let here = (1...50).publisher.receive(on: loop).handleEvents(receiveOutput: { _ in
      #expect(RunLoop.current === loop)
    })
    for await value in here.values { values.append(value) }
    #expect(values == Array(1...50))
    for await value in Just(7).delay(for: .milliseconds(5), scheduler: loop).values { values.append(value) }
    #expect(values.last == 7)
    let ticks = Timer.publish(every: 0.001, on: loop, in: .default).autoconnect()
    var count = 0
    for await _ in ticks.prefix(3).values { count += 1 }
    #expect(count == 3)
    thread.stop()
  }

  @Test func `a concurrent queue keeps order and delivers one at a time`() async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let finished = Atomic(false)
    let recorder = Recorder<Int, Never>()
    var sum = 0
    recorder.onValue = { sum += $0 }
    (1...2000).publisher.receive(on: queue)
      .handleEvents(receiveCompletion: { _ in queue.async { finished.store(true, ordering: .releasing) } })
      .subscribe(recorder)
    while !finished.load(ordering: .acquiring) || recorder.history.last != .finished { await Task.yield() }
    #expect(recorder.history == [.subscription] + (1...2000).map { .value("\($0)") } + [.finished])
    #expect(sum == 2000 * 2001 / 2)
  }

  @Test func `an operation queue delivers`() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    var values: [Int] = []
    for await value in (1...5).publisher.receive(on: queue).values { values.append(value) }
    for await value in Just(6).delay(for: .milliseconds(5), scheduler: queue).values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5, 6])
  }

  @Test func `notifications are published until cancelled, of one poster if told`() {
    final class Poster {}
    let (center, poster) = (NotificationCenter(), Poster())
    let all = center.publisher(for: .changed).map { $0.userInfo?["n"] as? Int ?? 0 }.record()
    let some = center.publisher(for: .changed, object: poster).map { _ in "own" }.record(.max(1))
    center.post(name: .changed, object: nil, userInfo: ["n": 1])
    center.post(name: .changed, object: poster, userInfo: ["n": 2])
    center.post(name: .changed, object: poster, userInfo: ["n": 3])
    all.cancel()
    center.post(name: .changed, object: nil, userInfo: ["n": 4])
    #expect(all.text == "1 2 3")
    #expect(some.text == "own")
  }

  @Test func `values end, throw, and stop with the loop`() async {
    var (asked, isCancelled) = (0, false)
    let watched = (1...9).publisher.handleEvents(
      receiveCancel: { isCancelled = true }, receiveRequest: { _ in asked += 1 })
    for await value in watched.values where value == 2 { break }
    #expect(asked == 2 && isCancelled)
    var thrown: String?
    do {
      for try await value in (1...2).publisher.setFailureType(to: Trouble.self).append(Fail(error: Trouble())).values {
        thrown = "\(value)"
      }
    } catch {
      thrown = (thrown ?? "") + " \(error)"
    }
    #expect(thrown == "2 trouble")
  }

  @Test func `cancelling a task ends its loop`() async {
    let subject = PassthroughSubject<Int, Never>()
    let task = Task {
      var count = 0
      for await _ in subject.values { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func `a future can be awaited`() async throws {
    let sure = Future<Int, Never> { promise in DispatchQueue.global().async { promise(.success(1)) } }
    #expect(await sure.value == 1)
    let failing = Future<Int, Trouble> { $0(.failure(Trouble())) }
    await #expect(throws: Trouble()) { try await failing.value }
  }

  @Test func `a subject of a sendable class is sent to from its queue`() async {
    let repository = Repository()
    let recorder = repository.changes.record()
    repository.announce(1)
    repository.announce(2)
    while recorder.history.count < 3 { await Task.yield() }
    #expect(recorder.text == "1 2")
  }
}
