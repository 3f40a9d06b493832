/// A list of dependencies, which `build()` makes available to `@Injected`.
///
/// ```swift
/// Dependencies {
///   Dependency { DatabaseService.createDefault() }
/// }.build()
/// ```
public struct Dependencies: Sendable {
  let recipes: [Dependency]

  /// Makes a list; where two name the same type, the later one counts.
  public init(@DependencyBuilder _ content: () -> [Dependency]) {
    recipes = content()
  }

  /// Registers the list for the whole process, in place of earlier registrations of the same types.
  ///
  /// Nothing is made yet. Properties that have been read already keep what they have.
  public func build() {
    Container.process.register(recipes)
  }

  /// Runs `operation` with this list laid over the process's, in this task and its children only.
  ///
  /// Meant for tests, which may then run side by side.
  @discardableResult
  public func override<Result>(_ operation: () throws -> Result) rethrows -> Result {
    let container = Container(over: Container.current)
    container.register(recipes)
    return try Container.$overriding.withValue(container, operation: operation)
  }

  /// Runs `operation` with this list laid over the process's, in this task and its children only.
  @discardableResult
  public func override<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    let container = Container(over: Container.current)
    container.register(recipes)
    return try await Container.$overriding.withValue(container, operation: operation, isolation: isolation)
  }

  /// The instance registered for `type`, made now if need be.
  ///
  /// Throws `DependencyError`, or what the recipe throws. Any thread.
  public static func resolve<Value>(_ type: Value.Type = Value.self) throws -> Value {
    try Container.current.resolve(type)
  }

  /// Forgets every registration and shared instance of the process.
  public static func removeAll() {
    Container.process.removeAll()
  }
}

/// Why a dependency cannot be had.
public enum DependencyError: Error, Equatable, CustomStringConvertible {
  /// Nothing is registered for the type; the names are those of the types that are.
  case missing(type: String, registered: [String])

  /// A dependency needs itself to be made; the names lead from the first use to the repetition.
  case cycle([String])

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .missing(let type, let registered):
      let known = registered.isEmpty ? "nothing" : registered.joined(separator: ", ")
      return """
        No dependency is registered for \(type). List it in Dependencies { Dependency { … } } and call build() \
        before it is first used. Registered: \(known).
        """
    case .cycle(let path):
      return "A dependency needs itself to be made: \(path.joined(separator: " → "))."
    }
  }
}
