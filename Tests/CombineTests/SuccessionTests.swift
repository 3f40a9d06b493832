import Combine
import Testing

struct SuccessionTests {
  @Test func `prepend and append`() {
    #expect(Just(2).prepend(0, 1).append([3, 4]).append(Just(5)).record().text == "0 1 2 3 4 5 |")
    #expect((1...2).publisher.prepend(Just(0)).record(.max(2)).text == "0 1")
    #expect(Fail<Int, Trouble>(error: Trouble()).append(1).record().text == "x(trouble)")
  }

  @Test func `demand not met by the first is asked of the next`() {
    let (first, second) = (Source<Int, Never>(), Source<Int, Never>())
    let recorder = first.append(second).record(.max(3))
    first.send(1)
    first.send(completion: .finished)
    #expect(second.log == ["subscribe", "max(2)"])
    recorder.request(1)
    second.send(2)
    recorder.cancel()
    #expect(first.log == ["subscribe", "max(3)"])
    #expect(second.log == ["subscribe", "max(2)", "max(1)", "cancel"])
    #expect(recorder.text == "1 2")
  }

  @Test func `catching puts another publisher in place`() {
    let failing = (1...2).publisher.setFailureType(to: Trouble.self).append(Fail(error: Trouble("first")))
    #expect(failing.catch { _ in Just(9) }.record().text == "1 2 9 |")
    #expect(failing.catch { Fail<Int, Trouble>(error: Trouble("\($0) again")) }.record().text == "1 2 x(first again)")
    #expect(failing.tryCatch { _ in Just(9) }.record().text == "1 2 9 |")
    #expect(failing.tryCatch { _ -> Just<Int> in throw Trouble("thrown") }.record().text == "1 2 x(thrown)")
    #expect(failing.replaceError(with: 0).record(.max(2)).text == "1 2")
    #expect(failing.replaceError(with: 0).record().text == "1 2 0 |")
    #expect(Just(1).setFailureType(to: Trouble.self).catch { _ in Just(9) }.record().text == "1 |")
  }

  @Test func `the value in place of an error or of nothing waits for demand`() {
    let replaced = Fail<Int, Trouble>(error: Trouble()).replaceError(with: 1).record(.none)
    #expect(replaced.history == [.subscription])
    replaced.request(1)
    #expect(replaced.text == "1 |")
    let filled = Empty<Int, Trouble>().replaceEmpty(with: 2).record(.none)
    #expect(filled.history == [.subscription])
    filled.request(1)
    #expect(filled.text == "2 |")
    #expect(Just(1).replaceEmpty(with: 2).record().text == "1 |")
    #expect(Fail<Int, Trouble>(error: Trouble()).replaceEmpty(with: 2).record().text == "x(trouble)")
  }

  @Test func `retrying subscribes again, so many times`() {
    var attempts = 0
    let flaky = Deferred {
      attempts += 1
      return attempts < 3 ? Result<Int, Trouble>.failure(Trouble("\(attempts)")).publisher : .init(attempts)
    }
    #expect(flaky.retry(5).record().text == "3 |")
    attempts = 0
    #expect(flaky.retry(1).record().text == "x(2)")
  }

  @Test func `error types are mapped`() {
    let failing = Fail<Int, Trouble>(error: Trouble("a"))
    #expect(failing.mapError { Trouble($0.description + "b") }.record().text == "x(ab)")
    #expect(Just(1).setFailureType(to: Trouble.self).mapError { $0 as any Error }.record().text == "1 |")
    let recovered: AnyPublisher<Int, any Error> = Just(1).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    #expect(recovered.record().text == "1 |")
    #expect(failing.replaceError(with: 3).assertNoFailure().record().text == "3 |")
  }
}
