import Foundation
import TestSupport

@testable import CoreData

typealias AnyController = NSFetchedResultsController<any NSFetchRequestResult>

/// A store of `ShapesModel`'s items and contexts over it, for tests of fetched results.
final class FetchedFixture {
  let file: TemporaryStore
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext

  /// Items by name and rank; with `saved` they are in the store already.
  init(_ items: KeyValuePairs<String, Int> = [:]) throws {
    let sketch = ShapesModel()
    file = try TemporaryStore(model: sketch.model)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: file.url)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for (name, rank) in items { insert(name, rank) }
      try context.save()
    }
  }

  func otherContext() -> NSManagedObjectContext {
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = coordinator
    return other
  }

  @discardableResult
  func insert(
    _ name: String, _ rank: Int, _ entity: String = "Item", in context: NSManagedObjectContext? = nil
  ) -> NSManagedObject {
    let context = context ?? self.context
    guard let entity = coordinator.managedObjectModel.entitiesByName[entity] else { fatalError("no entity \(entity)") }
    let object = NSManagedObject(entity: entity, insertInto: context)
    object.setValue(name, forKey: "name")
    object.setValue(NSNumber(value: rank), forKey: "rank")
    return object
  }

  func request(
    _ entity: String = "Item", sort: [String] = ["rank"], where predicate: NSPredicate? = nil
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    request.sortDescriptors = sort.map {
      NSSortDescriptor(key: $0.hasPrefix("-") ? String($0.dropFirst()) : $0, ascending: !$0.hasPrefix("-"))
    }
    return request
  }

  /// A controller that has fetched and tells `delegate`.
  func controller(
    _ request: NSFetchRequest<NSManagedObject>, sections: String? = nil,
    delegate: (any NSFetchedResultsControllerDelegate)? = nil
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
    controller.delegate = delegate
    try controller.performFetch()
    return controller
  }

  /// The item with a name, in a context.
  func item(_ name: String, in context: NSManagedObjectContext? = nil) throws -> NSManagedObject {
    let found = try (context ?? self.context).fetch(
      request(where: NSPredicate(format: "name == %@", argumentArray: [name])))
    guard let item = found.first else { throw CocoaError(.keyValueValidation) }
    return item
  }

  /// Runs `body` in another context, saves it, and has the first one take the changes over.
  func edit(in other: NSManagedObjectContext, _ body: () throws -> Void) throws {
    let saved = SavedNotification(other)
    try other.performAndWait {
      try body()
      try other.save()
    }
    if let notification = saved.last { context.mergeChanges(fromContextDidSave: notification) }
  }
}

/// Keeps the last notification of a save.
///
/// Sendable is unchecked: saves are made by the test's own thread, which waits for them.
final class SavedNotification: @unchecked Sendable {
  private(set) var last: Notification?
  private var token: (any NSObjectProtocol)?

  init(_ context: NSManagedObjectContext) {
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { [weak self] in self?.last = $0 }
  }

  deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension NSManagedObject {
  var label: String { value(forKey: "name") as? String ?? "" }
}

/// Writes down what it is told, in short: `+c 0.2`, `-a 0.0`, `>b 0.0 0.1`, `~d 0.1 0.1`.
class ChangeRecorder: NSFetchedResultsControllerDelegate {
  var told: [String] = []
  var objects: [(object: NSManagedObject, type: NSFetchedResultsChangeType, old: IndexPath?, new: IndexPath?)] = []
  var sections: [(name: String, count: Int, type: NSFetchedResultsChangeType, index: Int)] = []
  /// Called at each step.
  var during: ((AnyController) -> Void)?

  func clear() { (told, objects, sections) = ([], [], []) }

  private func text(_ path: IndexPath?) -> String { path.map { " \($0.section).\($0.row)" } ?? "" }

  func controllerWillChangeContent(_ controller: AnyController) {
    told.append("will")
    during?(controller)
  }

  func controller(
    _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    let mark = [NSFetchedResultsChangeType.insert: "+", .delete: "-", .move: ">", .update: "~"][type] ?? "?"
    told.append(mark + object.label + text(indexPath) + text(newIndexPath))
    objects.append((object, type, indexPath, newIndexPath))
    during?(controller)
  }

  func controller(
    _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
  ) {
    told.append("\(type == .insert ? "+" : "-")[\(sectionInfo.name)] \(sectionIndex)")
    sections.append((sectionInfo.name, sectionInfo.objects?.count ?? -1, type, sectionIndex))
    during?(controller)
  }

  func controllerDidChangeContent(_ controller: AnyController) {
    told.append("did")
    during?(controller)
  }
}

/// Is told by snapshots.
final class SnapshotRecorder: NSFetchedResultsControllerDelegate {
  var snapshots: [NSDiffableDataSourceSnapshot<String, NSManagedObjectID>] = []
  var others = 0

  func controller(_ controller: AnyController, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference) {
    snapshots.append(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)
  }
  func controller(
    _ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { others += 1 }
  func controllerWillChangeContent(_ controller: AnyController) { others += 1 }
  func controllerDidChangeContent(_ controller: AnyController) { others += 1 }
}

/// Is told by differences.
final class DifferenceRecorder: NSFetchedResultsControllerDelegate {
  var differences: [CollectionDifference<NSManagedObjectID>] = []
  var updated: [[NSManagedObjectID]] = []
  var others = 0

  func controller(
    _ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    differences.append(diff)
    updated.append(controller.updatedObjectIDs)
  }
  func controllerWillChangeContent(_ controller: AnyController) { others += 1 }
  func controllerDidChangeContent(_ controller: AnyController) { others += 1 }
}

/// Has only the method that asks for the end of changes.
final class EndRecorder: NSFetchedResultsControllerDelegate {
  var count = 0
  func controllerDidChangeContent(_ controller: AnyController) { count += 1 }
}

/// Has no method that tells of changes.
final class DeafDelegate: NSFetchedResultsControllerDelegate {
  func controller(_ controller: AnyController, sectionIndexTitleForSectionName sectionName: String) -> String? {
    "<\(sectionName)>"
  }
}
