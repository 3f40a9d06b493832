import Combine
import Dispatch
import Testing

struct JunctionTests {
  @Test func `zip pairs the n-th values and ends when no pair can come`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let recorder = a.zip(b) { "\($0)\($1)" }.record()
    a.send(1)
    a.send(2)
    b.send("x")
    a.send(completion: .finished)
    #expect(recorder.text == "1x")
    b.send("y")
    #expect(recorder.text == "1x 2y |")
  }

  @Test func `zip asks each side for as many values as pairs are wanted`() {
    let (a, b) = (Source<Int, Never>(), Source<Int, Never>())
    let recorder = a.zip(b).record(.max(2), perValue: .max(1))
    a.send(1)
    b.send(2)
    #expect(recorder.text == "(1, 2)")
    #expect(a.log == ["subscribe", "max(2)", "max(1)"])
    #expect(b.log == ["subscribe", "max(2)", "+max(1)"])
    recorder.cancel()
    #expect(a.log.last == "cancel" && b.log.last == "cancel")
  }

  @Test func `zip of three and four`() {
    #expect((1...2).publisher.zip((3...9).publisher, (5...9).publisher).record().text == "(1, 3, 5) (2, 4, 6) |")
    #expect(Just(1).zip(Just(2), Just(3), Just(4)).record().text == "(1, 2, 3, 4) |")
  }

  @Test func `an empty side ends a zip`() {
    #expect((1...2).publisher.zip(Empty<Int, Never>()).record().text == "|")
    #expect(Fail<Int, Trouble>(error: Trouble()).zip(Empty<Int, Trouble>()).record(.none).text == "x(trouble)")
  }

  @Test func `combineLatest passes on the latest of both and ends with the last`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let recorder = a.combineLatest(b) { "\($0)\($1)" }.record()
    a.send(1)
    a.send(2)
    b.send("x")
    a.send(3)
    a.send(completion: .finished)
    b.send("y")
    b.send(completion: .finished)
    #expect(recorder.text == "2x 3x 3y |")
  }

  @Test func `combineLatest keeps the latest pair for later demand`() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let recorder = a.combineLatest(b).record(.max(1))
    a.send(1)
    b.send(2)
    recorder.request(1)
    #expect(recorder.history.count == 3)
    #expect(recorder.text.hasPrefix("(0, 0) "))
  }

  @Test func `a value in vain is asked for again`() {
    let (a, b) = (Source<Int, Never>(), Source<Int, Never>())
    let recorder = a.combineLatest(b).record(.max(1))
    a.send(1)
    #expect(a.log == ["subscribe", "max(1)", "+max(1)"])
    b.send(2)
    #expect(recorder.text == "(1, 2)")
  }

  @Test func `combineLatest of three and four, and a failure that cancels the other side`() {
    #expect(Just(1).combineLatest(Just(2), Just(3)).record().text == "(1, 2, 3) |")
    #expect(Just(1).combineLatest(Just(2), Just(3), Just(4)).record().text == "(1, 2, 3, 4) |")
    let (a, b) = (Source<Int, Trouble>(), Source<Int, Trouble>())
    let recorder = a.combineLatest(b).record()
    a.send(completion: .failure(Trouble()))
    b.send(1)
    b.send(completion: .finished)
    #expect(recorder.text == "x(trouble)")
    #expect(b.log.last == "cancel")
  }

  @Test func `sending from inside receive is delivered at once`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { if $0 < 12 { a.send($0 - 9) } }
    a.combineLatest(b, +).subscribe(recorder)
    b.send(10)
    a.send(1)
    #expect(recorder.text == "11 12")
  }

  @Test func `both are freed after the end`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    weak var freed: Recorder<Int, Never>?
    let attach = { freed = a.zip(b, +).record() }
    attach()
    #expect(freed != nil)
    a.send(completion: .finished)
    #expect(freed == nil)
  }

  @Test func `two threads zip every pair`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = a.zip(b) { $0 == $1 }.record()
    DispatchQueue.concurrentPerform(iterations: 2) { side in
      for value in 0..<1000 { (side == 0 ? a : b).send(value) }
    }
    #expect(recorder.history == [.subscription] + Array(repeating: .value("true"), count: 1000))
  }
}
