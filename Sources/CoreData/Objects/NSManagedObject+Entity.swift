import Foundation
import Synchronization

/// The models that are in use, for classes that are asked for their entity without a context.
enum LoadedModels {
  private struct Entry: Sendable {
    weak var model: NSManagedObjectModel?
  }
  private static let entries = Mutex<[Entry]>([])

  static func add(_ model: NSManagedObjectModel) {
    entries.withLock { entries in
      entries.removeAll { $0.model == nil }
      entries.append(Entry(model: model))
    }
  }

  static var all: [NSManagedObjectModel] { entries.withLock { $0.compactMap(\.model) } }
}

extension NSManagedObject {
  /// The entity whose class this is, in a model that is in use.
  ///
  /// Where several models have one, as after opening two copies of a model, it is that of the model that was used first; a
  /// context finds its own (reference/CONTEXT.md 15). A class that no model has stops the program.
  public class func entity() -> NSEntityDescription {
    for model in LoadedModels.all {
      let fitting = model.entities(of: self)
      if fitting.count == 1 { return fitting[0] }
    }
    preconditionFailure("\(self) must be the class of exactly one entity of a model that is in use")
  }

  /// A request for the objects of the entity whose class this is, in the model of the context that executes it.
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entityClass = self
    return request
  }
}

extension NSManagedObjectModel {
  /// The entities whose objects are of a class.
  func entities(of type: NSManagedObject.Type) -> [NSEntityDescription] {
    entities.filter { $0.objectClass.type == type }
  }
}
