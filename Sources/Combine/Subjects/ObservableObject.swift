/// An object that tells before it changes.
///
/// Without an `objectWillChange` of its own, a class gets one that its `@Published` properties call. They are found by
/// reflection at the first use, those of superclasses too; a wrapper put in the place of another afterwards is not seen.
public protocol ObservableObject: AnyObject {
  /// The kind of publisher that tells.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before a `@Published` property changes; the same publisher each time.
  ///
  /// Call it where the object may be read, for the first call reflects over the properties.
  public var objectWillChange: ObservableObjectPublisher {
    ObservableObjects.shared.publisher(of: self)
  }
}

/// A publisher of the news that an object will change.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// What is published.
  public typealias Output = Void
  /// How it can fail.
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()

  /// Makes a publisher without subscribers.
  public init() {}

  /// Attaches `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    subject.receive(subscriber: subscriber)
  }

  /// Tells the subscribers.
  ///
  /// Any thread.
  public func send() {
    subject.send()
  }
}

/// The publishers of objects that have none of their own.
///
/// `@unchecked Sendable`: the table is read and written under the lock; owners are only held weakly and compared.
private final class ObservableObjects: @unchecked Sendable {
  static let shared = ObservableObjects()

  private struct Entry {
    weak var owner: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private let lock = Lock()
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var sweepAt = 64

  func publisher(of owner: AnyObject) -> ObservableObjectPublisher {
    let (publisher, isNew) = lock.locked { () -> (ObservableObjectPublisher, Bool) in
      let key = ObjectIdentifier(owner)
      // An address may be used again, so the entry must be this very object's.
      if let entry = entries[key], entry.owner === owner { return (entry.publisher, false) }
      if entries.count >= sweepAt {
        entries = entries.filter { $0.value.owner != nil }
        sweepAt = max(64, entries.count * 2)
      }
      let publisher = ObservableObjectPublisher()
      entries[key] = Entry(owner: owner, publisher: publisher)
      return (publisher, true)
    }
    if isNew { tie(publisher, to: owner) }
    return publisher
  }

  private func tie(_ publisher: ObservableObjectPublisher, to owner: AnyObject) {
    var mirror: Mirror? = Mirror(reflecting: owner)
    while let level = mirror {
      for child in level.children { (child.value as? any ChangeAnnouncing)?.announce(to: publisher) }
      mirror = level.superclassMirror
    }
  }
}

/// A `@Published` property, whatever its value's type.
protocol ChangeAnnouncing {
  func announce(to publisher: ObservableObjectPublisher)
}
