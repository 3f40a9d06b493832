import Combine
import Dispatch
import Testing

struct SubjectTests {
  @Test func `a passthrough subject delivers to those who asked, in order, and ends once`() {
    let subject = PassthroughSubject<Int, Trouble>()
    subject.send(0)
    let all = subject.record()
    let two = subject.record(.max(2))
    let none = subject.record(.none)
    (1...3).forEach(subject.send)
    two.request(1)
    subject.send(4)
    subject.send(completion: .failure(Trouble()))
    subject.send(completion: .finished)
    subject.send(5)
    #expect(all.text == "1 2 3 4 x(trouble)")
    #expect(two.text == "1 2 4 x(trouble)")
    #expect(none.text == "x(trouble)")
    #expect(subject.record().history == [.subscription, .failure("trouble")])
  }

  @Test func `demand returned from receive is added`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record(.max(1), perValue: .max(1))
    (1...4).forEach(subject.send)
    #expect(recorder.text == "1 2 3 4")
  }

  @Test func `a cancelled subscriber hears nothing more and is freed`() {
    let subject = PassthroughSubject<Int, Never>()
    weak var freed: Recorder<Int, Never>?
    do {
      let recorder = subject.record()
      freed = recorder
      subject.send(1)
      recorder.cancel()
      subject.send(2)
      subject.send(completion: .finished)
      #expect(recorder.text == "1")
    }
    #expect(freed == nil)
  }

  @Test func `sending from inside receive is delivered at once`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.record()
    recorder.onValue = { if $0 < 3 { subject.send($0 + 1) } }
    subject.send(1)
    #expect(recorder.text == "1 2 3")
    recorder.onValue = { _ in subject.send(completion: .finished) }
    subject.send(9)
    #expect(recorder.text == "1 2 3 9 |")
  }

  @Test func `cancelling from inside receive stops the stream`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.record()
    recorder.onValue = { _ in recorder.cancel() }
    subject.send(1)
    subject.send(2)
    #expect(recorder.text == "0 1")
  }

  @Test func `a current value subject gives the latest value first`() {
    let subject = CurrentValueSubject<String, Never>("a")
    let first = subject.record()
    subject.value = "b"
    let second = subject.record()
    subject.send(completion: .finished)
    subject.send("c")
    #expect(first.text == "a b |")
    #expect(second.text == "b |")
    #expect(subject.value == "b")
    #expect(subject.record().history == [.subscription, .finished])
  }

  @Test func `a current value subject without demand catches up with the latest value`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = subject.record(.max(1))
    (1...3).forEach(subject.send)
    #expect(recorder.text == "0")
    recorder.request(1)
    recorder.request(1)
    #expect(recorder.text == "0 3")
    subject.send(4)
    #expect(recorder.text == "0 3 4")
  }

  @Test func `a passthrough subject asks upstream once somebody wants values`() {
    let (subject, source) = (PassthroughSubject<Int, Never>(), Source<Int, Never>())
    let link = source.subscribe(subject)
    #expect(source.log == ["subscribe"])
    let recorder = subject.record(.max(1))
    #expect(source.log == ["subscribe", "unlimited"])
    source.send(1)
    source.send(2)
    link.cancel()
    #expect(recorder.text == "1")
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `values sent from many threads all arrive, one at a time`() async {
    let subject = PassthroughSubject<Int, Never>()
    let held = CurrentValueSubject<Int, Never>(-1)
    let (recorder, other) = (subject.record(), held.record())
    var inside = 0
    var overlaps = 0
    recorder.onValue = { _ in
      inside += 1
      if inside > 1 { overlaps += 1 }
      inside -= 1
    }
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask {
          for step in 0..<250 {
            subject.send(lane * 250 + step)
            held.send(lane * 250 + step)
          }
        }
      }
    }
    #expect(overlaps == 0)
    #expect(Set(recorder.history.map(\.description)).count == 2001)
    #expect(Set(other.history.map(\.description)).count == 2002)
  }

  @Test func `subscribing and cancelling race with sending without harm`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      if number.isMultiple(of: 2) {
        subject.send(number)
      } else {
        let recorder = subject.record()
        recorder.cancel()
        let count = recorder.history.count
        subject.send(number)
        #expect(recorder.history.count == count && count >= 2)
      }
    }
  }
}
