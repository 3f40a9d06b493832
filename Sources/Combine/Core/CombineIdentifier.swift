import Synchronization

/// A value that tells publisher streams apart.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private enum Source: Hashable, Sendable {
    case serial(UInt64)
    case object(ObjectIdentifier)
  }

  private static let counter = Atomic<UInt64>(0)
  private let source: Source

  /// Makes an identifier no other call has returned in this process.
  public init() {
    source = .serial(Self.counter.add(1, ordering: .relaxed).newValue)
  }

  /// Makes the identifier of `object`, stable as long as the object lives.
  public init(_ object: AnyObject) {
    source = .object(ObjectIdentifier(object))
  }

  /// The identifier in hexadecimal.
  public var description: String {
    switch source {
    case .serial(let number): "0x" + String(number, radix: 16)
    case .object(let object): "0x" + String(UInt(bitPattern: object), radix: 16)
    }
  }
}

/// Something that has an identity of its own among streams.
public protocol CustomCombineIdentifierConvertible {
  /// The identity.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of the object itself.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
