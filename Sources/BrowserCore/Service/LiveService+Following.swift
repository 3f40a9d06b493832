import Combine
import CoreData
import CoreDataKit
import Synchronization

extension LiveService {
  /// What happens to the store from now on, first how closely it is followed.
  ///
  /// Goes on when the store is opened anew; what it is followed like then is told, and what changed meanwhile.
  ///
  /// A snapshot or copy that something newer takes the place of is opened anew by itself.
  public func events() -> AnyPublisher<StoreEvent, Never> { events(sinceReopening: false) }

  private func events(sinceReopening: Bool) -> AnyPublisher<StoreEvent, Never> {
    ask { [self] opened in
      opened.repository.events(sinceReopening: sinceReopening)
        .compactMap { [self] event in pass(event, of: opened) }
        .append(
          Deferred { [self] () -> AnyPublisher<StoreEvent, Never> in
            opened.stack.isClosed
              ? events(sinceReopening: true) : Empty(completeImmediately: false).eraseToAnyPublisher()
          }
        )
        .setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    .catch { error in
      // The store cannot be opened (any more): that is all that can be told of it.
      Just(StoreEvent.liveness(.disconnected(reason: ErrorLine(error).problem)))
        .append(Empty(completeImmediately: false))
    }
    .eraseToAnyPublisher()
  }

  /// A list that is followed: its keys, then every step to a later state.
  ///
  /// When the store is opened anew, what changed meanwhile is a step; where that cannot be told the keys come again.
  public func monitor(_ query: ListQuery, columns: [String]) -> AnyPublisher<ListEvent, any Error> {
    monitor(query, columns: columns, after: nil)
  }

  private func monitor(
    _ query: ListQuery, columns: [String], after former: KeyList?
  ) -> AnyPublisher<ListEvent, any Error> {
    ask { [self] opened in
      let keys = LastKeys(former)
      return opened.repository.monitor(query, columns: columns, after: former)
        .handleEvents(receiveOutput: { keys.take($0) })
        .append(
          Deferred { [self] () -> AnyPublisher<ListEvent, any Error> in
            opened.stack.isClosed
              ? monitor(query, columns: columns, after: keys.value)
              : Empty(completeImmediately: true).eraseToAnyPublisher()
          }
        )
        .eraseToAnyPublisher()
    }
  }

  /// An event as it is passed on; `nil` for one that the opening anew makes void.
  private func pass(_ event: StoreEvent, of opened: OpenedStore) -> StoreEvent? {
    guard case .liveness(let liveness) = event else { return event }
    if liveness == .outdated {
      work.async { self.reopen(opened) }
      return nil
    }
    if case .disconnected = liveness { opened.isDisconnected.set(true) } else { opened.isDisconnected.set(false) }
    return event
  }
}

/// The keys of a list as they were told last.
private final class LastKeys: Sendable {
  private let keys: Mutex<KeyList?>

  init(_ keys: KeyList?) { self.keys = Mutex(keys) }

  var value: KeyList? { keys.withLock { $0 } }

  func take(_ event: ListEvent) {
    let new =
      switch event {
      case .initial(let keys): keys
      case .update(let update): update.keys
      }
    keys.withLock { $0 = new }
  }
}
