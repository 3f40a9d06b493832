import Combine
import Dispatch
import Testing

struct OneShotTests {
  @Test func `just waits for demand, then finishes`() {
    let recorder = Just(1).record(.none)
    #expect(recorder.history == [.subscription])
    recorder.request(1)
    recorder.request(1)
    #expect(recorder.text == "1 |")
  }

  @Test func `cancelling on the value keeps the end away`() {
    let recorder = Recorder<Int, Never>(.none)
    recorder.onValue = { _ in recorder.cancel() }
    Just(1).subscribe(recorder)
    recorder.request(2)
    #expect(recorder.text == "1")
    let (future, other) = (Future<Int, Never> { $0(.success(2)) }, Recorder<Int, Never>(.none))
    other.onValue = { _ in other.cancel() }
    future.subscribe(other)
    other.request(1)
    #expect(other.text == "2")
  }

  @Test func `empty, fail and the publishers of optionals and results`() {
    #expect(Empty<Int, Never>().record(.none).history == [.subscription, .finished])
    #expect(Empty<Int, Never>(completeImmediately: false).record().history == [.subscription])
    #expect(Fail<Int, Trouble>(error: Trouble()).record(.none).history == [.subscription, .failure("trouble")])
    #expect(Int?.some(1).publisher.record().text == "1 |")
    #expect(Int?.none.publisher.record().text == "|")
    #expect(Result<Int, Trouble>.success(2).publisher.record().text == "2 |")
    #expect(Result<Int, Trouble>.failure(Trouble()).publisher.record(.none).text == "x(trouble)")
  }

  @Test func `a future runs at once, keeps its result and honours demand`() {
    var runs = 0
    var promise: Future<Int, Trouble>.Promise?
    let future = Future<Int, Trouble> {
      runs += 1
      promise = $0
    }
    #expect(runs == 1)
    let (eager, slow) = (future.record(), future.record(.none))
    promise?(.success(1))
    promise?(.success(2))
    promise?(.failure(Trouble()))
    #expect(eager.text == "1 |")
    #expect(slow.text == "")
    slow.request(1)
    #expect(slow.text == "1 |")
    #expect(future.record().text == "1 |")
    #expect(runs == 1)
  }

  @Test func `a future that fails tells without demand, unless cancelled`() {
    var promise: Future<Int, Trouble>.Promise?
    let future = Future<Int, Trouble> { promise = $0 }
    let (told, gone) = (future.record(.none), future.record())
    gone.cancel()
    promise?(.failure(Trouble()))
    #expect(told.text == "x(trouble)")
    #expect(gone.text == "")
  }

  @Test func `a promise may be kept on any thread`() async throws {
    for _ in 0..<100 {
      let future = Future<Int, Trouble> { promise in
        DispatchQueue.global().async { promise(.success(7)) }
        DispatchQueue.global().async { promise(.failure(Trouble())) }
      }
      do { #expect(try await future.value == 7) } catch { #expect(error as? Trouble == Trouble()) }
    }
  }

  @Test func `deferred makes a publisher for each subscriber`() {
    var made = 0
    let deferred = Deferred {
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    #expect(deferred.record().text == "1 |")
    #expect(deferred.record().text == "2 |")
  }

  @Test func `a sequence gives as much as is asked and ends with its last element`() {
    let recorder = (1...5).publisher.record(.max(2))
    #expect(recorder.text == "1 2")
    recorder.request(2)
    #expect(recorder.text == "1 2 3 4")
    recorder.request(1)
    #expect(recorder.text == "1 2 3 4 5 |")
    #expect([Int]().publisher.record(.none).text == "|")
    #expect((1...4).publisher.record(.max(1), perValue: .max(1)).text == "1 2 3 4 |")
  }

  @Test func `asking and cancelling from inside receive work on a sequence`() {
    let recorder = Recorder<Int, Never>(.max(1))
    recorder.onValue = { $0 < 3 ? recorder.request(1) : recorder.cancel() }
    (1...9).publisher.subscribe(recorder)
    #expect(recorder.text == "1 2 3")
    recorder.request(5)
    #expect(recorder.text == "1 2 3")
  }
}
