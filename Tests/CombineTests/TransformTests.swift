import Combine
import Testing

private struct Point {
  let x: Int
  let y: Int
  let z: Int
}

/// Every operator that answers value by value: its result, then its manners.
struct TransformTests {
  @Test func `mapping by closure, by key paths, and throwing`() {
    #expect((1...3).publisher.map { $0 * 2 }.record().text == "2 4 6 |")
    let points = [Point(x: 1, y: 2, z: 3)].publisher
    #expect(points.map(\.x).record().text == "1 |")
    #expect(points.map(\.x, \.y).record().text == "(1, 2) |")
    #expect(points.map(\.x, \.y, \.z).record().text == "(1, 2, 3) |")
    #expect((1...3).publisher.tryMap { if $0 == 2 { throw Trouble() } else { $0 } }.record().text == "1 x(trouble)")
    #expect([1, nil, 3].publisher.replaceNil(with: 0).record().text == "1 0 3 |")
  }

  @Test func `choosing values`() {
    #expect((1...4).publisher.filter { $0.isMultiple(of: 2) }.record().text == "2 4 |")
    #expect(
      (1...4).publisher.tryFilter { if $0 == 3 { throw Trouble() } else { true } }.record().text == "1 2 x(trouble)")
    #expect(["1", "a", "2"].publisher.compactMap { Int($0) }.record().text == "1 2 |")
    #expect(["1", "a"].publisher.tryCompactMap { Int($0) }.record().text == "1 |")
    #expect([1, 1, 2, 2, 1].publisher.removeDuplicates().record().text == "1 2 1 |")
    #expect([1, 3, 4].publisher.removeDuplicates { $0 % 2 == $1 % 2 }.record().text == "1 4 |")
  }

  @Test func `cutting the stream`() {
    #expect((1...5).publisher.prefix(2).record().text == "1 2 |")
    #expect((1...5).publisher.prefix(0).record(.none).text == "|")
    #expect((1...5).publisher.prefix { $0 < 3 }.record().text == "1 2 |")
    #expect((1...5).publisher.dropFirst().record().text == "2 3 4 5 |")
    #expect((1...5).publisher.dropFirst(3).record(.max(1)).text == "4")
    #expect((1...5).publisher.drop { $0 != 3 }.record().text == "3 4 5 |")
    #expect((1...5).publisher.output(at: 2).record().text == "3 |")
    #expect((1...5).publisher.output(in: 1...3).record().text == "2 3 4 |")
    #expect((1...2).publisher.output(at: 5).record().text == "|")
    #expect((1...5).publisher.output(in: 3...).record().text == "4 5 |")
  }

  @Test func `running results`() {
    #expect((1...3).publisher.scan(10, +).record().text == "11 13 16 |")
    #expect(
      (1...3).publisher.tryScan(0) { if $1 == 2 { throw Trouble() } else { $0 + $1 } }.record().text == "1 x(trouble)")
  }

  @Test func `a value skipped is asked for again`() {
    let source = Source<Int, Never>()
    let recorder = source.filter { $0 > 1 }.record(.max(1))
    source.send(1)
    source.send(2)
    #expect(source.log == ["subscribe", "max(1)", "+max(1)"])
    #expect(recorder.text == "2")
  }

  @Test func `demand goes through, also what is returned`() {
    let source = Source<Int, Never>()
    let recorder = source.map { $0 }.record(.max(2), perValue: .max(3))
    source.send(1)
    recorder.request(5)
    #expect(source.log == ["subscribe", "max(2)", "+max(3)", "max(5)"])
  }

  @Test func `an early end cancels upstream, once, and later events are ignored`() {
    let source = Source<Int, Never>()
    let recorder = source.prefix(1).record()
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    recorder.cancel()
    #expect(recorder.text == "1 |")
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `a thrown error cancels upstream`() {
    let source = Source<Int, Trouble>()
    let recorder = source.tryMap { _ -> Int in throw Trouble("thrown") }.record()
    source.send(1)
    source.send(completion: .failure(Trouble("late")))
    #expect(recorder.text == "x(thrown)")
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `sending from inside receive goes through an early end once`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in subject.send(9) }
    subject.prefix(1).subscribe(recorder)
    subject.send(1)
    #expect(recorder.text == "1 |")
  }

  @Test func `a second subscription is refused`() {
    let (first, second) = (Source<Int, Never>(), Source<Int, Never>())
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    first.subscribe(sink)
    second.subscribe(sink)
    #expect(first.log == ["subscribe", "unlimited"])
    #expect(second.log == ["subscribe", "cancel"])
  }

  @Test func `closures and subscribers are freed at completion`() {
    let subject = PassthroughSubject<Int, Never>()
    weak var freed: Recorder<Int, Never>?
    weak var held: Source<Int, Never>?
    let chain = {
      let witness = Source<Int, Never>()
      let recorder = subject.map { $0 + witness.log.count }.filter { _ in true }.record()
      (freed, held) = (recorder, witness)
    }
    chain()
    #expect(freed != nil && held != nil)
    subject.send(completion: .finished)
    #expect(freed == nil && held == nil)
  }

  @Test func `events can be watched`() {
    var log: [String] = []
    let subject = PassthroughSubject<Int, Never>()
    let watched = subject.handleEvents(
      receiveSubscription: { _ in log.append("subscription") }, receiveOutput: { log.append("value \($0)") },
      receiveCompletion: { _ in log.append("end") }, receiveCancel: { log.append("cancel") },
      receiveRequest: { log.append("\($0)") })
    let recorder = watched.record(.max(1), perValue: .max(2))
    subject.send(1)
    recorder.cancel()
    recorder.cancel()
    _ = watched.record(.none)
    subject.send(completion: .finished)
    #expect(log == ["subscription", "max(1)", "value 1", "max(2)", "cancel", "subscription", "end"])
  }
}
