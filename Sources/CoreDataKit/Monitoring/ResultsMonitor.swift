import Combine
import CoreData

/// Feeds a subscription with the mapped objects of a request, now and whenever they change.
///
/// Lives on its context's queue; the subscription keeps it, and lets it go there when it is over.
final class ResultsMonitor<T, V>: NSFetchedResultsControllerDelegate {
  private let controller: NSFetchedResultsController<T>
  private let map: (T) throws -> V?
  private let outlet: Outlet<([V], DataChange), any Error>
  private var change = DataChange.initial

  init(
    _ request: NSFetchRequest<T>, in context: NSManagedObjectContext, map: @escaping (T) throws -> V?,
    outlet: Outlet<([V], DataChange), any Error>
  ) {
    controller = NSFetchedResultsController(
      fetchRequest: request.sorted(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    self.map = map
    self.outlet = outlet
  }

  /// Fetches, sends what is there, and goes on until the subscription is over.
  func start() throws {
    let context = controller.managedObjectContext
    let kept = Handed(self)
    outlet.whenOver { context.perform { kept.value.controller.delegate = nil } }
    controller.delegate = self
    try fetch()
  }

  /// Fetches anew and sends what is there.
  func fetch() throws {
    try controller.performFetch()
    send()
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { send() }

  private func send() {
    guard !outlet.isOver else { return }
    do {
      let values = try (controller.fetchedObjects ?? []).compactMap(map)
      // A value that the first one's place is taken by, as nobody asked for it yet, is the first.
      outlet.replace { waiting in (values, waiting.map { $0.1 } ?? change) }
      change = .update
    } catch {
      outlet.finish(.failure(error))
    }
  }
}

extension NSFetchRequest {
  /// The request itself, or without sort descriptors one like it in the order of ids, since only sorted results are followed.
  fileprivate func sorted() -> NSFetchRequest<ResultType> {
    guard sortDescriptors == nil else { return self }
    let sorted = entityName.map { NSFetchRequest<ResultType>(entityName: $0) } ?? NSFetchRequest<ResultType>()
    if let entity { sorted.entity = entity }
    sorted.predicate = predicate
    sorted.sortDescriptors = []
    (sorted.fetchLimit, sorted.fetchOffset) = (fetchLimit, fetchOffset)
    sorted.includesSubentities = includesSubentities
    sorted.includesPropertyValues = includesPropertyValues
    sorted.returnsObjectsAsFaults = returnsObjectsAsFaults
    return sorted
  }
}
