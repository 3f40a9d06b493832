import Combine
import Testing

private final class Model: ObservableObject {
  @Published var name = "a"
  @Published var count: Int

  init(count: Int) {
    self.count = count
  }
}

private class Base: ObservableObject {
  @Published var low = 0
}

private final class Derived: Base {
  @Published var high = 0
}

private final class Manual: ObservableObject {
  func change() {
    objectWillChange.send()
  }
}

private final class Own: ObservableObject {
  let objectWillChange = PassthroughSubject<String, Never>()
}

struct PublishedTests {
  @Test func `a property publishes its value, then each new one before taking it`() {
    let model = Model(count: 1)
    var seen: [String] = []
    let cancellable = model.$count.sink { seen.append("\($0) was \(model.count)") }
    model.count = 2
    model.count += 1
    #expect(seen == ["1 was 1", "2 was 1", "3 was 2"])
    #expect(model.count == 3)
    cancellable.cancel()
    model.count = 9
    #expect(seen.count == 3)
  }

  @Test func `an object tells before any published property changes`() {
    let model = Model(count: 1)
    var seen: [String] = []
    let cancellable = model.objectWillChange.sink { seen.append("\(model.name)\(model.count)") }
    model.name = "b"
    model.count = 2
    #expect(seen == ["a1", "b1"])
    #expect(model.objectWillChange === model.objectWillChange)
    cancellable.cancel()
  }

  @Test func `properties of a superclass and objects without any tell too`() {
    let (derived, manual, own) = (Derived(), Manual(), Own())
    let (first, second, third) = (
      derived.objectWillChange.record(), manual.objectWillChange.record(), own.objectWillChange.record()
    )
    derived.low = 1
    derived.high = 1
    manual.change()
    own.objectWillChange.send("mine")
    #expect(first.history.count == 3 && second.history.count == 2 && third.text == "mine")
  }

  @Test func `publishers are not mixed up when objects come and go`() {
    for round in 0..<500 {
      let model = Model(count: round)
      let recorder = model.objectWillChange.record()
      model.count += 1
      #expect(recorder.history.count == 2)
    }
  }

  @Test func `watching does not keep the object alive`() {
    weak var freed: Model?
    let watch: () -> AnyCancellable = {
      let model = Model(count: 0)
      freed = model
      return model.objectWillChange.sink {}
    }
    let cancellable = watch()
    #expect(freed == nil)
    cancellable.cancel()
  }

  @Test func `a publisher is assigned to a published property for its life`() {
    let subject = PassthroughSubject<Int, Never>()
    let source = Source<Int, Never>()
    func use() {
      let model = Model(count: 0)
      subject.assign(to: &model.$count)
      source.assign(to: &model.$count)
      subject.send(4)
      #expect(model.count == 4)
      let recorder = model.$count.record()
      source.send(5)
      #expect(recorder.text == "4 5")
    }
    use()
    #expect(source.log == ["subscribe", "unlimited", "cancel"])
    subject.send(9)
  }
}
