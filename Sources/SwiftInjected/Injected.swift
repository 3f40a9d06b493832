import Foundation

/// A property whose value comes from the registered dependencies, at the first reading.
///
/// Where nothing is registered for the type, the first reading stops the program with a message that names the type and
/// the remedy. Setting the property puts another value in its place, for this one owner. In an `@Observable` class write
/// `@ObservationIgnored @Injected`, since that macro cannot track a wrapped property.
@propertyWrapper
public struct Injected<Value> {
  private let slot = Slot()

  /// Makes a property that will be resolved at its first reading.
  public init() {}

  /// The dependency; the same at each reading.
  ///
  /// Reading is safe on any thread.
  public var wrappedValue: Value {
    get { slot.read() }
    nonmutating set { slot.write(newValue) }
  }

  private final class Slot {
    private let lock = NSRecursiveLock()
    private var value: Value?

    func read() -> Value {
      lock.lock()
      defer { lock.unlock() }
      if let value { return value }
      do {
        let resolved = try Dependencies.resolve(Value.self)
        value = resolved
        return resolved
      } catch {
        fatalError("\(error)")
      }
    }

    func write(_ newValue: Value) {
      lock.lock()
      defer { lock.unlock() }
      value = newValue
    }
  }
}

/// `@unchecked Sendable`: the value is read and written only while holding the slot's lock.
extension Injected: @unchecked Sendable where Value: Sendable {}
