import Combine
import Dispatch
import Testing

struct FlatMapTests {
  @Test func `inner publishers flow together and the end waits for all of them`() {
    let subjects = (0..<2).map { _ in PassthroughSubject<String, Never>() }
    let outer = PassthroughSubject<Int, Never>()
    let recorder = outer.flatMap { subjects[$0] }.record()
    outer.send(0)
    outer.send(1)
    subjects[1].send("b")
    subjects[0].send("a")
    outer.send(completion: .finished)
    subjects[0].send(completion: .finished)
    #expect(recorder.text == "b a")
    subjects[1].send("c")
    subjects[1].send(completion: .finished)
    #expect(recorder.text == "b a c |")
  }

  @Test func `limited demand buffers one value of each inner publisher`() {
    let recorder = [10, 20].publisher.flatMap { [$0, $0 + 1].publisher }.record(.max(1))
    #expect(recorder.text == "10")
    recorder.request(1)
    #expect(recorder.text == "10 11" || recorder.text == "10 20")
    recorder.request(2)
    #expect(recorder.history.count == 6 && recorder.history.last == .finished)
  }

  @Test func `at most so many inner publishers run`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let outer = Source<Int, Never>()
    let recorder = outer.flatMap(maxPublishers: .max(1)) { subjects[$0] }.record()
    #expect(outer.log == ["subscribe", "max(1)"])
    outer.send(0)
    subjects[0].send(7)
    #expect(outer.log == ["subscribe", "max(1)"])
    subjects[0].send(completion: .finished)
    #expect(outer.log == ["subscribe", "max(1)", "max(1)"])
    outer.send(1)
    outer.send(completion: .finished)
    subjects[1].send(8)
    subjects[1].send(completion: .finished)
    #expect(recorder.text == "7 8 |")
  }

  @Test func `one after another with a bound of one keeps order`() {
    let recorder = (1...3).publisher.flatMap(maxPublishers: .max(1)) { [$0 * 10, $0 * 10 + 1].publisher }.record()
    #expect(recorder.text == "10 11 20 21 30 31 |")
  }

  @Test func `an inner failure cancels everything, once`() {
    let (outer, inner, other) = (Source<Int, Trouble>(), Source<Int, Trouble>(), Source<Int, Trouble>())
    let recorder = outer.flatMap { $0 == 0 ? inner : other }.record()
    outer.send(0)
    outer.send(1)
    inner.send(1)
    inner.send(completion: .failure(Trouble()))
    other.send(2)
    outer.send(completion: .failure(Trouble("late")))
    #expect(recorder.text == "1 x(trouble)")
    #expect(outer.log == ["subscribe", "unlimited", "cancel"])
    #expect(other.log == ["subscribe", "unlimited", "cancel"])
    #expect(inner.log == ["subscribe", "unlimited"])
  }

  @Test func `cancelling reaches outer and inner publishers`() {
    let (outer, inner) = (Source<Int, Never>(), Source<Int, Never>())
    let recorder = outer.flatMap { _ in inner }.record()
    outer.send(0)
    recorder.cancel()
    inner.send(1)
    #expect(recorder.text == "")
    #expect(outer.log.last == "cancel" && inner.log.last == "cancel")
  }

  @Test func `failure types are joined where one side cannot fail`() {
    let some = Just(1).flatMap { _ in Fail<Int, Trouble>(error: Trouble()) }
    #expect(some.record().text == "x(trouble)")
    let other = Result<Int, Trouble>.success(1).publisher.flatMap { Just($0 + 1) }
    #expect(other.record().text == "2 |")
  }

  @Test func `sending into an inner publisher from inside receive is delivered`() {
    let inner = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { if $0 < 3 { inner.send($0 + 1) } }
    Just(0).flatMap { _ in inner }.subscribe(recorder)
    inner.send(1)
    inner.send(completion: .finished)
    #expect(recorder.text == "1 2 3 |")
  }

  @Test func `merging passes on all values and ends with the last`() {
    let (a, b) = (PassthroughSubject<Int, Trouble>(), PassthroughSubject<Int, Trouble>())
    let recorder = a.merge(with: b.map { $0 }).record()
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(3)
    b.send(completion: .finished)
    #expect(recorder.text == "1 2 3 |")
    #expect(Publishers.MergeMany([1, 2, 3].map(Just.init)).record().text == "1 2 3 |")
    #expect(Publishers.MergeMany([Just<Int>]()).record().text == "|")
    #expect(Just(1).merge(with: Just(2)).record(.max(1)).text == "1")
    #expect(Just(1).merge(with: [2].publisher, Just(3)).record().text == "1 2 3 |")
    #expect(Just(1).merge(with: [2].publisher, Just(3), Just(4)).record().text == "1 2 3 4 |")
  }

  @Test func `a merge buffered for want of demand ends after its last value`() {
    let recorder = Just(1).merge(with: [2].publisher).record(.none)
    #expect(recorder.text == "")
    recorder.request(1)
    #expect(recorder.text == "1")
    recorder.request(1)
    #expect(recorder.text == "1 2 |")
  }

  @Test func `switching drops the former publisher and carries demand over`() {
    let outer = PassthroughSubject<Source<Int, Never>, Never>()
    let (first, second) = (Source<Int, Never>(), Source<Int, Never>())
    let recorder = outer.switchToLatest().record(.max(3))
    outer.send(first)
    first.send(1)
    outer.send(second)
    first.send(99)
    second.send(2)
    #expect(first.log == ["subscribe", "max(3)", "cancel"])
    #expect(second.log == ["subscribe", "max(2)"])
    outer.send(completion: .finished)
    #expect(recorder.text == "1 2")
    second.send(completion: .finished)
    #expect(recorder.text == "1 2 |")
  }

  @Test func `switching fails with the inner publisher and cancels outward`() {
    let outer = Source<PassthroughSubject<Int, Trouble>, Trouble>()
    let inner = PassthroughSubject<Int, Trouble>()
    let recorder = outer.switchToLatest().record()
    outer.send(inner)
    inner.send(completion: .failure(Trouble()))
    #expect(recorder.text == "x(trouble)")
    #expect(outer.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `threads sending into a merge reach the subscriber one at a time`() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>()
    var sum = 0
    recorder.onValue = { sum += $0 }
    Publishers.MergeMany(subjects).subscribe(recorder)
    DispatchQueue.concurrentPerform(iterations: 4) { lane in
      for value in 1...500 { subjects[lane].send(value) }
      subjects[lane].send(completion: .finished)
    }
    #expect(sum == 4 * 500 * 501 / 2)
    #expect(recorder.history.count == 2002 && recorder.history.last == .finished)
  }
}
