import Combine
import Testing

struct SharingTests {
  @Test func `sharing subscribes once and disconnects with the last subscriber`() {
    let source = Source<Int, Never>()
    let shared = source.share()
    #expect(source.log == [])
    let (one, two) = (shared.record(), shared.record())
    source.send(1)
    one.cancel()
    source.send(2)
    #expect(source.log == ["subscribe", "unlimited"])
    two.cancel()
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
    #expect([one.text, two.text] == ["1", "1 2"])
    let three = shared.record()
    source.send(3)
    #expect(source.log.count == 5 && three.text == "3")
  }

  @Test func `after the end sharers get the end only`() {
    let shared = (1...2).publisher.share()
    #expect(shared.record().text == "1 2 |")
    #expect(shared.record().history == [.subscription, .finished])
  }

  @Test func `a multicast waits for connect and can be stopped`() {
    let source = Source<Int, Never>()
    let multicast = source.multicast { PassthroughSubject() }
    let (one, two) = (multicast.record(), multicast.record(.max(1)))
    #expect(source.log == [])
    let connection = multicast.connect()
    source.send(1)
    source.send(2)
    connection.cancel()
    source.send(3)
    #expect([one.text, two.text] == ["1 2", "1"])
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
  }

  @Test func `makeConnectable and a current value subject`() {
    let connectable = (1...2).publisher.makeConnectable()
    let recorder = connectable.record()
    #expect(recorder.text == "")
    let connection = connectable.connect()
    #expect(recorder.text == "1 2 |")
    connection.cancel()
    let replaying = PassthroughSubject<Int, Never>()
    let shared = replaying.multicast(subject: CurrentValueSubject(0)).autoconnect()
    let first = shared.record()
    replaying.send(1)
    #expect(first.text == "0 1")
    #expect(shared.record().text == "1")
  }
}
