import Foundation
import Synchronization

/// Which Swift class the objects of an entity have.
///
/// The model states a class by name; a class that the program does not have is `NSManagedObject`.
enum ManagedObjectClasses {
  private static let found = Mutex<[ObjectIdentifier: NSManagedObject.Type]>([:])

  static func type(for entity: NSEntityDescription) -> NSManagedObject.Type {
    found.withLock { found in
      let key = ObjectIdentifier(entity)
      if let known = found[key] { return known }
      let type = lookUp(entity.managedObjectClassName) ?? NSManagedObject.self
      found[key] = type
      return type
    }
  }

  /// Names come as `Module.Class`, or as a plain name of a class in the main program.
  private static func lookUp(_ name: String) -> NSManagedObject.Type? {
    guard name != "NSManagedObject", !name.isEmpty else { return nil }
    let main = ProcessInfo.processInfo.processName
    return [name, main + "." + name].lazy.compactMap { _typeByName(mangled($0)) as? NSManagedObject.Type }.first
      ?? NSClassFromString(name) as? NSManagedObject.Type
  }

  /// `Module.Class` as the runtime spells it.
  private static func mangled(_ name: String) -> String {
    name.split(separator: ".").map { "\($0.utf8.count)\($0)" }.joined() + "C"
  }
}
