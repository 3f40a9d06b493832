import Combine
import Testing

struct FoldTests {
  @Test func `one result of many values`() {
    #expect((1...4).publisher.reduce(0, +).record().text == "10 |")
    #expect(
      (1...4).publisher.tryReduce(0) { if $1 == 3 { throw Trouble() } else { $0 + $1 } }.record().text == "x(trouble)")
    #expect((1...4).publisher.collect().record().text == "[1, 2, 3, 4] |")
    #expect(Empty<Int, Never>().collect().record().text == "[] |")
    #expect((1...4).publisher.count().record().text == "4 |")
    #expect((1...4).publisher.ignoreOutput().record(.none).text == "|")
    #expect([3, 1, 2].publisher.min().record().text == "1 |")
    #expect([3, 1, 2].publisher.max().record().text == "3 |")
    #expect((1...4).publisher.contains(3).record().text == "true |")
    #expect((1...4).publisher.contains { $0 > 9 }.record().text == "false |")
    #expect((1...4).publisher.allSatisfy { $0 < 9 }.record().text == "true |")
    #expect((1...4).publisher.allSatisfy { $0 < 2 }.record().text == "false |")
  }

  @Test func `first and last`() {
    #expect((1...4).publisher.first().record().text == "1 |")
    #expect((1...4).publisher.first { $0 > 2 }.record().text == "3 |")
    #expect((1...4).publisher.first { $0 > 9 }.record(.none).text == "|")
    #expect((1...4).publisher.tryFirst { _ in throw Trouble() }.record().text == "x(trouble)")
    #expect((1...4).publisher.last().record().text == "4 |")
    #expect((1...4).publisher.last { $0 < 3 }.record().text == "2 |")
  }

  @Test func `the result waits for demand`() {
    let recorder = (1...4).publisher.collect().record(.none)
    #expect(recorder.history == [.subscription])
    recorder.request(1)
    recorder.request(1)
    #expect(recorder.text == "[1, 2, 3, 4] |")
  }

  @Test func `upstream is asked for everything, and cancelled once the answer is known`() {
    let source = Source<Int, Trouble>()
    let recorder = source.first().record(.none)
    source.send(1)
    source.send(2)
    source.send(completion: .failure(Trouble()))
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
    recorder.request(1)
    #expect(recorder.text == "1 |")
  }

  @Test func `a failure discards the result, and cancelling reaches upstream`() {
    let source = Source<Int, Trouble>()
    let recorder = source.collect().record()
    source.send(1)
    source.send(completion: .failure(Trouble()))
    #expect(recorder.text == "x(trouble)")
    let other = Source<Int, Trouble>()
    other.collect().record().cancel()
    #expect(other.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `arrays of a fixed length`() {
    #expect((1...5).publisher.collect(2).record().text == "[1, 2] [3, 4] [5] |")
    let source = Source<Int, Never>()
    let recorder = source.collect(3).record(.max(2))
    (1...3).forEach(source.send)
    #expect(source.log == ["subscribe", "max(6)"])
    #expect(recorder.text == "[1, 2, 3]")
    source.send(4)
    source.send(completion: .finished)
    #expect(recorder.text == "[1, 2, 3] [4] |")
  }
}
