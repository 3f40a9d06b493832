import Combine
import CoreData
import TextCanvas

/// Runs effects through the service and counts what is under way.
///
/// Newer work takes the place of older work of its name. What is followed is under way until its first answer, and then
/// goes on without being waited for.
@MainActor final class EffectRunner {
  private let service: any BrowserService
  private let answer: (Answer?) -> Void
  private var running: [Work: Running] = [:]
  private var lastNumber = 0

  private struct Running {
    var number: Int
    var query: AnyCancellable?
    /// Whether somebody waits for it.
    var isAwaited = true
  }

  /// `answer` is called on the main thread with every answer, and with `nil` for work that ends without one.
  init(service: any BrowserService, answer: @escaping (Answer?) -> Void) {
    self.service = service
    self.answer = answer
  }

  /// Values offered for an attribute.
  private static let mostValues = 100

  /// How many queries are under way.
  var openWork: Int { running.values.count { $0.isAwaited } }

  func run(_ effect: Effect) {
    switch effect {
    case .choose(let store): service.choose(store)
    case .open: ask(.open, service.open(), { .opened($0) }, { .openFailed($0) })
    case .count(let entity):
      ask(
        .count, service.count(entity: entity), { .counted(entity: entity, $0) },
        { .countFailed(entity: entity, $0) })
    case .window(let request):
      let rows = service.window(request.query, columns: request.columns, at: request.place, limit: request.limit)
      ask(effect.work ?? .replacement, rows, { .window(request, $0) }, { .windowFailed(request, $0) })
    case .monitor(let list, let query, let columns):
      follow(
        .monitor, service.monitor(query, columns: columns), isAwaited: true, { .list(list, $0) },
        { .listFailed(list, $0) })
    case .follow:
      follow(
        .follow, service.events().setFailureType(to: (any Error).self).eraseToAnyPublisher(), isAwaited: false,
        { .store($0) }, { _ in nil })
    case .matches(let list, let query):
      let text = query.text ?? ""
      ask(
        .matches, service.keys(query), { .matches(list: list, text: text, $0) },
        { .matchesFailed(list: list, $0) })
    case .firstMatch(let list, let query, let key):
      let text = query.text ?? ""
      ask(
        .firstMatch, service.first(query, after: key), { .firstMatch(list: list, text: text, $0) },
        // The search for all matches tells what is wrong.
        { _ in .firstMatch(list: list, text: text, nil) })
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
    case .value(let key, let property):
      ask(.viewed, service.value(of: property, at: key), { .value(key, property, $0) }, { .valueFailed($0) })
    case .text(let key, let property):
      ask(.copied, service.text(of: property, at: key), { .text(key, property, $0) }, { .valueFailed($0) })
    case .editing(let effect): run(effect)
    case .values(let wanted):
      ask(
        .values,
        service.values(of: wanted.attribute, entity: wanted.entity, prefix: wanted.prefix, limit: Self.mostValues),
        { .values(wanted, $0) },
        // What could be typed is a help, and not worth an error.
        { _ in .values(wanted, []) })
    case .filters(let change): ask(.filters, service.change(change), { .shelf($0) }, { .shelfFailed($0) })
    case .cancel(let works): works.forEach(cancel)
    case .compose, .copy, .suspend, .quit: break
    }
  }

  private func run(_ effect: EditEffect) {
    switch effect {
    case .unlock:
      ask(.unlock, service.unlock(), { .editing(.unlocked($0)) }, { .editing(.unlockFailed($0)) })
    case .perform(let operation):
      ask(
        .edit, service.edit(operation), { .editing(.done(operation, $0)) },
        { .editing(.failed(operation, $0)) })
    case .validate(let target, let value):
      ask(
        .validation, service.problem(with: value, of: target.property.name, in: target.key),
        { .editing(.validated(target, value, problem: $0)) },
        { .editing(.validationFailed(target, value, $0)) })
    case .preview(let keys):
      ask(
        .preview, service.deletePreview(keys), { .editing(.preview(keys, $0)) },
        { .editing(.previewFailed(keys, $0)) })
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
    let number = begin(work)
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

  /// Hands on every value until the publisher ends or is cancelled.
  private func follow<Value>(
    _ work: Work, _ publisher: AnyPublisher<Value, any Error>, isAwaited: Bool,
    _ success: @escaping (Value) -> Answer, _ failure: @escaping (Problem) -> Answer?
  ) {
    let number = begin(work)
    running[work]?.isAwaited = isAwaited
    let query = publisher.receive(on: DispatchQueue.main).sink { [weak self] completion in
      MainActor.assumeIsolated {
        guard case .failure(let error) = completion else { return self?.finish(work, number, nil) ?? () }
        self?.finish(work, number, failure(Problem(error)))
      }
    } receiveValue: { [weak self] value in
      MainActor.assumeIsolated {
        guard let self, self.running[work]?.number == number else { return }
        self.running[work]?.isAwaited = false
        self.answer(success(value))
      }
    }
    if running[work]?.number == number { running[work]?.query = query }
  }

  /// Makes room for work and counts it before it starts, so that nobody can see an idle moment in between.
  private func begin(_ work: Work) -> Int {
    cancel(work)
    lastNumber += 1
    running[work] = Running(number: lastNumber)
    return lastNumber
  }

  private func finish(_ work: Work, _ number: Int, _ result: Answer?) {
    guard running[work]?.number == number else { return }
    running[work] = nil
    answer(result)
  }
}
