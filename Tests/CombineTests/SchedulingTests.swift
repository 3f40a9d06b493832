import Combine
import Testing

struct SchedulingTests {
  let scheduler = VirtualScheduler()
  let subject = PassthroughSubject<Int, Trouble>()

  @Test func `receive(on:) delivers in order on the scheduler`() {
    let recorder = subject.receive(on: scheduler).record(.max(1), perValue: .max(1))
    subject.send(1)
    #expect(recorder.history == [.subscription])
    scheduler.advance()
    subject.send(2)
    subject.send(completion: .failure(Trouble()))
    #expect(recorder.text == "1")
    scheduler.advance()
    #expect(recorder.text == "1 2 x(trouble)")
  }

  @Test func `nothing arrives after cancelling, though it was scheduled`() {
    let recorder = subject.receive(on: scheduler).record()
    subject.send(1)
    recorder.cancel()
    scheduler.advance()
    #expect(recorder.text == "")
  }

  @Test func `delay shifts values and end`() {
    let recorder = subject.delay(for: .seconds(2), scheduler: scheduler).record()
    subject.send(1)
    scheduler.advance(by: 1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.text == "")
    scheduler.advance(by: 1)
    #expect(recorder.text == "1")
    scheduler.advance(by: 1)
    #expect(recorder.text == "1 2 |")
  }

  @Test func `debounce waits until nothing newer comes`() {
    let recorder = subject.debounce(for: .seconds(2), scheduler: scheduler).record()
    subject.send(1)
    scheduler.advance(by: 1)
    subject.send(2)
    scheduler.advance(by: 1)
    #expect(recorder.text == "")
    scheduler.advance(by: 1)
    #expect(recorder.text == "2")
    scheduler.advance(by: 9)
    subject.send(3)
    subject.send(completion: .finished)
    scheduler.advance(by: 9)
    #expect(recorder.text == "2 |")
  }

  @Test func `debounce asks for everything, keeps to demand, and stops when cancelled`() {
    let source = Source<Int, Never>()
    let recorder = source.debounce(for: .seconds(1), scheduler: scheduler).record(.max(1))
    source.send(1)
    scheduler.advance(by: 1)
    source.send(2)
    scheduler.advance(by: 1)
    #expect(recorder.text == "1")
    recorder.request(1)
    source.send(3)
    recorder.cancel()
    scheduler.advance(by: 1)
    #expect(recorder.text == "1")
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test(arguments: [(true, "1 3 4 |"), (false, "1 2 4 |")])
  func `throttle passes on one value an interval`(latest: Bool, expected: String) {
    let recorder = subject.throttle(for: .seconds(10), scheduler: scheduler, latest: latest).record()
    subject.send(1)
    scheduler.advance(by: 1)
    #expect(recorder.text == "1")
    subject.send(2)
    scheduler.advance(by: 1)
    subject.send(3)
    scheduler.advance(by: 7)
    #expect(recorder.text == "1")
    scheduler.advance(by: 1)
    scheduler.advance(by: 20)
    subject.send(4)
    subject.send(completion: .finished)
    scheduler.advance(by: 1)
    #expect(recorder.text == expected)
  }

  @Test func `throttle passes an error on without the waiting value`() {
    let recorder = subject.throttle(for: .seconds(10), scheduler: scheduler, latest: true).record()
    subject.send(1)
    scheduler.advance(by: 1)
    subject.send(2)
    subject.send(completion: .failure(Trouble()))
    scheduler.advance(by: 20)
    #expect(recorder.text == "1 x(trouble)")
  }

  @Test func `subscribe(on:) subscribes, asks and cancels there`() {
    let source = Source<Int, Never>()
    let recorder = source.subscribe(on: scheduler).record(.max(1), perValue: .max(2))
    #expect(source.log == [])
    scheduler.advance()
    #expect(source.log == ["subscribe", "max(1)"])
    source.send(1)
    #expect(source.log == ["subscribe", "max(1)"])
    scheduler.advance()
    #expect(source.log == ["subscribe", "max(1)", "max(2)"])
    recorder.cancel()
    scheduler.advance()
    #expect(source.log.last == "cancel")
    #expect(recorder.text == "1")
  }

  @Test func `the immediate scheduler runs at once`() {
    #expect((1...3).publisher.receive(on: ImmediateScheduler.shared).record().text == "1 2 3 |")
    #expect(Just(1).delay(for: .seconds(5), scheduler: ImmediateScheduler.shared).record().text == "1 |")
  }
}
