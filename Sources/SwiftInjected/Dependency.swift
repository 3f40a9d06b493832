/// How long a dependency's instance lasts.
public enum DependencyScope: Sendable {
  /// One instance, made at the first use and given to everybody.
  case shared

  /// A new instance for each `@Injected` property and each `resolve`.
  case unique
}

/// The recipe for one dependency, known by the type the closure returns.
///
/// To register under a protocol, name it: `Dependency((any Clock).self) { SystemClock() }`.
public struct Dependency: Sendable {
  let key: ObjectIdentifier
  let name: String
  let scope: DependencyScope
  let make: @Sendable () throws -> Any

  /// Makes a recipe; `make` runs at the first use, on the thread that asks.
  ///
  /// A shared instance is given to every thread that asks, so its type must bear that, or be used from one actor only.
  public init<Value>(
    _ type: Value.Type = Value.self, scope: DependencyScope = .shared, _ make: @escaping @Sendable () throws -> Value
  ) {
    key = ObjectIdentifier(type)
    name = String(describing: type)
    self.scope = scope
    self.make = make
  }
}

/// Builds a list of dependencies out of statements, with conditions and loops.
@resultBuilder
public enum DependencyBuilder {
  /// One dependency.
  public static func buildExpression(_ dependency: Dependency) -> [Dependency] { [dependency] }

  /// The dependencies of another list.
  public static func buildExpression(_ dependencies: Dependencies) -> [Dependency] { dependencies.recipes }

  /// The statements one after another.
  public static func buildBlock(_ parts: [Dependency]...) -> [Dependency] { parts.flatMap { $0 } }

  /// An `if` without `else`.
  public static func buildOptional(_ part: [Dependency]?) -> [Dependency] { part ?? [] }

  /// The first branch.
  public static func buildEither(first part: [Dependency]) -> [Dependency] { part }

  /// The second branch.
  public static func buildEither(second part: [Dependency]) -> [Dependency] { part }

  /// A loop.
  public static func buildArray(_ parts: [[Dependency]]) -> [Dependency] { parts.flatMap { $0 } }

  /// An `if #available`.
  public static func buildLimitedAvailability(_ part: [Dependency]) -> [Dependency] { part }
}
