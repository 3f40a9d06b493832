import BrowserCore
import Combine
import CoreData
import CoreDataKit
import Foundation
import Synchronization

/// A store in memory behind the browser's service, whose answers a test can hold back or turn into failures.
public final class FakeService: BrowserService {
  /// What can be asked.
  public enum Question: String, Hashable, Sendable, CaseIterable {
    case open, window, keys, matches, count, record, value, unlock, edit, validation, preview, values, filters, text,
      first
  }

  private struct Control {
    var held: Set<Question> = []
    var failures: [Question: FakeFailure] = [:]
    var waiting: [(question: Question, answer: @Sendable () -> Void)] = []
    var log: [String] = []
    var cancelled: [Question: Int] = [:]
  }

  private let contents: Mutex<FakeStore>
  private let control = Mutex(Control())
  private let session = Mutex(FakeEditing())
  let live = FakeLive()

  /// A service over a store.
  public init(_ store: FakeStore) {
    contents = Mutex(store)
  }

  /// Notes the store that was chosen.
  public func choose(_ store: StoreSearch.Found) { control.withLock { $0.log.append("choose \(store.path)") } }

  /// What is in the store.
  public internal(set) var store: FakeStore {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }

  /// What was asked, in order: `window Event start 50`.
  public var log: [String] { control.withLock { $0.log } }

  /// How many questions of a kind were cancelled before their answer.
  public func cancellations(of question: Question) -> Int { control.withLock { $0.cancelled[question] ?? 0 } }

  /// How many questions wait for an answer.
  public var waitingCount: Int { control.withLock { $0.waiting.count } }

  /// Holds the answers to questions of a kind back until `release`.
  public func hold(_ questions: Question...) {
    control.withLock { $0.held.formUnion(questions) }
  }

  /// Answers what was held back, and holds nothing of these kinds any more.
  public func release(_ questions: Question...) {
    let answers = control.withLock { control in
      control.held.subtract(questions)
      let answers = control.waiting.filter { questions.contains($0.question) }
      control.waiting.removeAll { questions.contains($0.question) }
      return answers.map(\.answer)
    }
    for answer in answers { answer() }
  }

  /// Lets questions of a kind fail; `nil` ends that.
  public func fail(_ question: Question, _ failure: FakeFailure?) {
    control.withLock { $0.failures[question] = failure }
  }

  /// Opens the store in memory.
  public func open() -> AnyPublisher<StoreOutline, any Error> {
    answer(.open, "open") { [self] in store.outline }
  }

  /// A stretch of rows.
  public func window(
    _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int
  ) -> AnyPublisher<ListWindow, any Error> {
    answer(.window, "window \(query.entity) \(Self.words(place)) \(limit)") { [self] in
      store.window(query, columns: columns, at: place, limit: limit)
    }
  }

  /// All keys in order.
  public func keys(_ query: ListQuery) -> AnyPublisher<KeyList, any Error> {
    answer(query.text == nil ? .keys : .matches, "keys \(query.entity) \(query.text ?? "")") { [self] in
      KeyList(store.ordered(query))
    }
  }

  /// The objects of one entity.
  public func count(entity: String) -> AnyPublisher<Int, any Error> {
    answer(.count, "count \(entity)") { [self] in store.count(entity) }
  }

  /// One object whole.
  public func record(_ key: ObjectKey) -> AnyPublisher<RecordDetail?, any Error> {
    answer(.record, "record \(key.entity) \(key.primaryKey)") { [self] in store.record(key) }
  }

  /// A property whole.
  public func value(of property: String, at key: ObjectKey) -> AnyPublisher<PropertyValue?, any Error> {
    answer(.value, "value \(key.entity) \(key.primaryKey) \(property)") { [self] in store.value(of: property, at: key) }
  }

  /// A property as text, or an object as JSON.
  public func text(of property: String?, at key: ObjectKey) -> AnyPublisher<String?, any Error> {
    answer(.text, "text \(key.entity) \(key.primaryKey) \(property ?? "")") { [self] in
      store.text(of: property, at: key)
    }
  }

  /// The first object after one.
  public func first(_ query: ListQuery, after key: ObjectKey?) -> AnyPublisher<ObjectKey?, any Error> {
    answer(.first, "first \(query.entity) \(query.text ?? "")") { [self] in
      let keys = store.ordered(query)
      guard let key else { return keys.first }
      let all = store.ordered(ListQuery(entity: query.entity, scope: query.scope, sort: query.sort))
      let before = Set(all.prefix { $0 != key } + [key])
      return keys.first { !before.contains($0) }
    }
  }

  /// Values of an attribute.
  public func values(
    of attribute: String, entity: String, prefix: String, limit: Int
  ) -> AnyPublisher<[CellValue], any Error> {
    answer(.values, "values \(entity).\(attribute) \(prefix)") { [self] in
      store.values(of: attribute, entity: entity, prefix: prefix, limit: limit)
    }
  }

  /// Keeps filters in memory.
  public func change(_ filters: FilterChange) -> AnyPublisher<FilterShelf, any Error> {
    answer(.filters, "filters") { [self] in
      store.outline.shelf.apply(filters)
      return store.outline.shelf
    }
  }

  /// What happens to the store: that it is live, and what tests change.
  public func events() -> AnyPublisher<StoreEvent, Never> {
    live.events.prepend(.liveness(.live)).eraseToAnyPublisher()
  }

  /// The keys of a list, and then what tests change in it.
  public func monitor(_ query: ListQuery, columns: [String]) -> AnyPublisher<ListEvent, any Error> {
    Deferred { [self] in
      let number = live.nextNumber()
      let updates = PassthroughSubject<ListEvent, any Error>()
      return answer(.keys, "keys \(query.entity) ") { [self] in
        let keys = store.ordered(query)
        live.begin(number, query, columns, keys, updates)
        return ListEvent.initial(KeyList(keys))
      }
      .append(updates)
      .handleEvents(receiveCancel: { [self] in live.end(number) })
    }
    .eraseToAnyPublisher()
  }

  /// Opens the store for writing.
  public func unlock() -> AnyPublisher<StoreOutline, any Error> {
    answer(.unlock, "unlock") { [self] in store.outline }
  }

  /// Edits.
  public func edit(_ operation: EditOperation) -> AnyPublisher<EditOutcome, any Error> {
    answer(.edit, "edit") { [self] in perform(operation) }
  }

  /// Validates.
  public func problem(
    with value: PropertyValue, of property: String, in key: ObjectKey
  ) -> AnyPublisher<String?, any Error> {
    answer(.validation, "problem \(property)") { [self] in editing.problem(value, of: property) }
  }

  /// What deleting would take along.
  public func deletePreview(_ keys: [ObjectKey]) -> AnyPublisher<DeletePreview, any Error> {
    answer(.preview, "preview") { [self] in store.deletePreview(keys) }
  }

  /// The edits that wait; tests may give them rules, or an answer to the next save.
  public var editing: FakeEditing {
    get { session.withLock { $0 } }
    set { session.withLock { $0 = newValue } }
  }

  private func perform(_ operation: EditOperation) -> EditOutcome {
    var editing = editing
    var outcome: EditOutcome?
    change(isOwn: true) { outcome = editing.perform(operation, on: &$0) }
    self.editing = editing
    return outcome ?? EditOutcome(state: editing.state, result: .refused("Nothing was done."))
  }

  private static func words(_ place: WindowPlace) -> String {
    switch place {
    case .start: "start"
    case .end: "end"
    case .after(let key): "after \(key.primaryKey)"
    case .before(let key): "before \(key.primaryKey)"
    case .keys(let keys): "keys \(keys.first?.primaryKey ?? 0)…\(keys.last?.primaryKey ?? 0)"
    }
  }

  private func answer<Value: Sendable>(
    _ question: Question, _ words: String, _ value: @escaping @Sendable () -> Value
  ) -> AnyPublisher<Value, any Error> {
    Deferred { [self] in
      Future<Value, any Error> { [self] promise in
        ask(question, words) { failure in promise(failure.map { .failure($0) } ?? .success(value())) }
      }
    }
    .handleEvents(receiveCancel: { [self] in control.withLock { $0.cancelled[question, default: 0] += 1 } })
    .eraseToAnyPublisher()
  }

  private func ask(_ question: Question, _ words: String, _ reply: @escaping @Sendable (FakeFailure?) -> Void) {
    let answer: @Sendable () -> Void = { [self] in reply(control.withLock { $0.failures[question] }) }
    let isHeld = control.withLock { control in
      control.log.append(words)
      if control.held.contains(question) { control.waiting.append((question, answer)) }
      return control.held.contains(question)
    }
    if !isHeld { answer() }
  }
}

/// A failure with words of its own.
public struct FakeFailure: Error, LocalizedError, Equatable {
  /// What went wrong.
  public var words: String

  /// A failure.
  public init(_ words: String) {
    self.words = words
  }

  /// The words.
  public var errorDescription: String? { words }
}
