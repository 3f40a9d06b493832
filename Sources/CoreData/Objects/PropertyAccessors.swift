import Foundation
import Synchronization

/// The slots of a class's managed properties, by the key path that the compiler passes for each.
///
/// The name of a property is found once: the wrapper in one object is marked, and the mark is looked for with `Mirror`
/// (reference/PLATFORM.md 2). Key paths are kept, so that an address never comes to mean another one.
final class PropertyAccessors: Sendable {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let entity: ObjectIdentifier
  }
  /// Sendable is unchecked: a key path without captured values never changes.
  private struct Found: @unchecked Sendable {
    var slots: [(path: AnyKeyPath, slot: Int32)] = []
  }
  private let found = Mutex(Found())
  private let entity: NSEntityDescription

  private init(entity: NSEntityDescription) { self.entity = entity }

  private static let all = Mutex<[Key: PropertyAccessors]>([:])

  static func of(_ type: NSManagedObject.Type, entity: NSEntityDescription) -> PropertyAccessors {
    let key = Key(type: ObjectIdentifier(type), entity: ObjectIdentifier(entity))
    return all.withLock { all in
      if let known = all[key] { return known }
      let made = PropertyAccessors(entity: entity)
      all[key] = made
      return made
    }
  }

  /// The slot behind a key path; `name` finds the property's name the first time.
  func slot(of path: AnyKeyPath, name: () -> String?) -> Int32 {
    if let known = found.withLock({ found in found.slots.first { $0.path === path }?.slot }) { return known }
    guard let name = name(), let slot = entity.layout.slot(named: name) else {
      preconditionFailure("@Persisted: the entity \(entity.name ?? "?") has no property for \(path)")
    }
    found.withLock { $0.slots.append((path, Int32(slot))) }
    return Int32(slot)
  }
}

/// What the look for a marked wrapper needs to know of one, whatever its value's type.
protocol MarkedWrapper {
  var slot: Int32 { get }
}

extension NSManagedObject {
  /// Finds the name of the property whose wrapper holds `mark`.
  final func nameOfProperty(marked mark: Int32) -> String? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        if let wrapper = child.value as? any MarkedWrapper, wrapper.slot == mark {
          return child.label.map { String($0.dropFirst()) }
        }
      }
      mirror = level.superclassMirror
    }
    return nil
  }
}
