import Foundation

/// Recipes and the shared instances made of them.
///
/// `@unchecked Sendable`: both dictionaries and the path are touched only while holding `lock`. It is one recursive lock
/// for all containers, held while a recipe runs: so a shared instance is made once, a recipe may resolve others, and two
/// threads cannot wait for each other's half-made instances. A recipe must not wait for another thread that resolves.
final class Container: @unchecked Sendable {
  static let process = Container(over: nil)

  @TaskLocal static var overriding: Container?

  static var current: Container { overriding ?? process }

  private static let lock = NSRecursiveLock()

  private let base: Container?
  private var recipes: [ObjectIdentifier: Dependency] = [:]
  private var instances: [ObjectIdentifier: Any] = [:]
  // What is being made, from the first use inward.
  private var path: [(key: ObjectIdentifier, name: String)] = []

  init(over base: Container?) {
    self.base = base
  }

  func register(_ dependencies: [Dependency]) {
    locked {
      for dependency in dependencies {
        recipes[dependency.key] = dependency
        instances[dependency.key] = nil
      }
    }
  }

  func removeAll() {
    // Instances are freed after the lock, for they may resolve on their way out.
    let freed = locked {
      defer {
        recipes = [:]
        instances = [:]
      }
      return instances
    }
    withExtendedLifetime(freed) {}
  }

  func resolve<Value>(_ type: Value.Type) throws -> Value {
    try locked {
      let key = ObjectIdentifier(type)
      if let instance = instances[key] as? Value { return instance }
      guard let recipe = recipes[key] else {
        guard let base else { throw missing(type) }
        do { return try base.resolve(type) } catch DependencyError.missing(String(describing: type), _) {
          throw missing(type)
        }
      }
      if let start = path.firstIndex(where: { $0.key == key }) {
        throw DependencyError.cycle(path[start...].map(\.name) + [recipe.name])
      }
      path.append((key, recipe.name))
      defer { path.removeLast() }
      // The key is made of the type that `make` returns, so the cast holds.
      guard let made = try recipe.make() as? Value else { throw missing(type) }
      if recipe.scope == .shared { instances[key] = made }
      return made
    }
  }

  private func missing(_ type: Any.Type) -> DependencyError {
    .missing(type: String(describing: type), registered: names.sorted())
  }

  private var names: Set<String> { Set(recipes.values.map(\.name)).union(base?.names ?? []) }

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    return try body()
  }
}
