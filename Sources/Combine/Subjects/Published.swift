/// A property that publishes each new value before taking it.
///
/// A subscriber of `$property` gets the present value first. While a new value is published, reading the property still
/// gives the old one. Meant for properties of classes; copies of a struct share one value. It belongs to the isolation of
/// its owner, as any property does.
@propertyWrapper
public struct Published<Value>: ChangeAnnouncing {
  private let storage: Storage

  /// Makes a property that begins with `initialValue`.
  public init(initialValue: Value) {
    storage = Storage(initialValue)
  }

  /// Makes a property that begins with `wrappedValue`.
  public init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  /// The value; setting it publishes, then takes it.
  public var wrappedValue: Value {
    get { storage.get() }
    nonmutating set { storage.set(newValue) }
  }

  /// The publisher of the property's values, `$property`; settable only so that `assign(to: &$property)` can be written.
  public var projectedValue: Publisher {
    get { Publisher(storage: storage) }
    nonmutating set {}
  }

  func announce(to publisher: ObservableObjectPublisher) {
    storage.announce(to: publisher)
  }

  /// Publishes the values of a property; never ends.
  public struct Publisher: Combine.Publisher {
    /// What is published.
    public typealias Output = Value
    /// How it can fail.
    public typealias Failure = Never

    fileprivate let storage: Storage

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.publisher().receive(subscriber: subscriber)
    }
  }

  fileprivate final class Storage {
    private let lock = Lock()
    private var value: Value
    private var subject: CurrentValueSubject<Value, Never>?
    private var objectWillChange: ObservableObjectPublisher?
    private var assignments: [AnyCancellable] = []

    init(_ value: Value) {
      self.value = value
    }

    func get() -> Value { lock.locked { value } }

    func set(_ newValue: Value) {
      let (object, subject) = lock.locked { (objectWillChange, self.subject) }
      object?.send()
      subject?.send(newValue)
      // The old value is carried out so that it is freed after the lock.
      let old = lock.locked {
        defer { value = newValue }
        return value
      }
      withExtendedLifetime(old) {}
    }

    /// Made when first asked for: most properties are never watched.
    func publisher() -> CurrentValueSubject<Value, Never> {
      lock.locked {
        let subject = self.subject ?? CurrentValueSubject(value)
        self.subject = subject
        return subject
      }
    }

    func announce(to publisher: ObservableObjectPublisher) {
      lock.locked { objectWillChange = publisher }
    }

    func keep(_ assignment: AnyCancellable) {
      lock.locked { assignments.append(assignment) }
    }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value to a `@Published` property, as `assign(to: &$property)`, for as long as the property lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    let storage = published.storage
    storage.keep(sink { [weak storage] in storage?.set($0) })
  }
}
