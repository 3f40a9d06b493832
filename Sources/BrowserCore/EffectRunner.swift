import Combine
import CoreData
import TextCanvas

/// Runs effects through the service and counts what is under way.
///
/// Newer work takes the place of older work of its name.
@MainActor final class EffectRunner {
  private let service: any BrowserService
  private let answer: (Answer?) -> Void
  private var running: [Work: (number: Int, query: AnyCancellable?)] = [:]
  private var lastNumber = 0

  /// `answer` is called on the main thread with every answer, and with `nil` for work that ends without one.
  init(service: any BrowserService, answer: @escaping (Answer?) -> Void) {
    self.service = service
    self.answer = answer
  }

  /// How many queries are under way.
  var openWork: Int { running.count }

  func run(_ effect: Effect) {
    switch effect {
    case .open: ask(.open, service.open(), { .opened($0) }, { .openFailed($0) })
    case .count(let entity):
      ask(
        .count, service.count(entity: entity), { .counted(entity: entity, $0) },
        { .countFailed(entity: entity, $0) })
    case .window(let request):
      let rows = service.window(request.query, columns: request.columns, at: request.place, limit: request.limit)
      ask(effect.work ?? .replacement, rows, { .window(request, $0) }, { .windowFailed(request, $0) })
    case .keys(let list, let query):
      ask(.keys, service.keys(query), { .keys(list: list, $0) }, { .keysFailed(list: list, $0) })
    case .matches(let list, let query):
      let text = query.text ?? ""
      ask(
        .matches, service.keys(query), { .matches(list: list, text: text, $0) },
        { .matchesFailed(list: list, $0) })
    case .rank(let list, let text, let matches, let keys):
      let ranks = Deferred {
        Future<[Int], any Error> { promise in
          DispatchQueue.global(qos: .userInitiated).async { promise(.success(keys.ranks(of: matches))) }
        }
      }
      ask(
        .rank, ranks.eraseToAnyPublisher(), { .ranked(list: list, text: text, $0) },
        { .matchesFailed(list: list, $0) })
    case .record(let key):
      ask(.record, service.record(key), { .record(key, $0) }, { .recordFailed(key, $0) })
    case .cancel(let works): works.forEach(cancel)
    case .suspend, .quit: break
    }
  }

  func cancelAll() { Array(running.keys).forEach(cancel) }

  private func cancel(_ work: Work) {
    running.removeValue(forKey: work)?.query?.cancel()
  }

  private func ask<Value>(
    _ work: Work, _ publisher: AnyPublisher<Value, any Error>, _ success: @escaping (Value) -> Answer,
    _ failure: @escaping (Problem) -> Answer
  ) {
    cancel(work)
    lastNumber += 1
    let number = lastNumber
    // Counted before it starts, so that nobody can see an idle moment in between.
    running[work] = (number, nil)
    let query = publisher.receive(on: DispatchQueue.main).sink { [weak self] completion in
      MainActor.assumeIsolated {
        guard case .failure(let error) = completion else { return self?.finish(work, number, nil) ?? () }
        self?.finish(work, number, failure(Problem(error)))
      }
    } receiveValue: { [weak self] value in
      MainActor.assumeIsolated { self?.finish(work, number, success(value)) }
    }
    if running[work]?.number == number { running[work]?.query = query }
  }

  private func finish(_ work: Work, _ number: Int, _ result: Answer?) {
    guard running[work]?.number == number else { return }
    running[work] = nil
    answer(result)
  }
}
