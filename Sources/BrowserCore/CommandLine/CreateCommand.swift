import CoreData
import Foundation
import TextCanvas

/// `create STORE --model M`: a new, empty store of a model.
struct CreateCommand {
  private let invocation: Invocation
  private let errors: (String) -> Void

  init(_ invocation: Invocation, errors: @escaping (String) -> Void) {
    (self.invocation, self.errors) = (invocation, errors)
  }

  func run() throws {
    guard let path = invocation.options["model"] else {
      throw UsageError("create needs a model", "give one with --model PATH")
    }
    let url = URL(fileURLWithPath: invocation.operands[0])
    let model = try NSManagedObjectModel(readingFrom: URL(fileURLWithPath: path))
    guard !model.entities.isEmpty else {
      throw CommandFailure("\(path): the model has no entities", "give a model with some", .data)
    }
    if let attribute = model.attributesWithoutColumn.first {
      throw CommandFailure(
        "\(path): \(attribute) is a composite, whose place in a store is not known", "leave it out of the model", .data)
    }
    for name in ["", "-wal", "-shm", "-journal"].map({ url.path + $0 })
    where FileManager.default.fileExists(atPath: name) {
      throw CommandFailure("\(name): the file exists already", "move it away, or name another place")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: url)
    try coordinator.remove(store)
    for doubt in model.doubtfulHashes {
      errors("storebrowser: " + SafeText.visible("Apple's framework may compute another version hash: \(doubt)") + "\n")
    }
  }
}
