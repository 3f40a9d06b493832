import Foundation

/// What became of an object or a section of fetched results; raw values as Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It came.
  case insert = 1
  /// It went.
  case delete = 2
  /// It is at another place, and was changed.
  case move = 3
  /// It was changed where it is.
  case update = 4
}

/// Who is told how fetched results change.
///
/// Source: Apple, "NSFetchedResultsControllerDelegate"; reference/FRC.md 28–53. All methods may be left out: a controller
/// notices by the defaults. One that has the snapshot method is told by it alone; one that has the difference method, and a
/// controller without sections, by that. Everybody else is told of the beginning, each section, each object, and the end.
/// Inside of all of them the controller shows the new state already. They are called on the queue of the controller's context.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// Changes are going to be told.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// One object changed: `indexPath` is its place before, `newIndexPath` its place after.
  ///
  /// A client that keeps a copy takes deleted and moved objects out at their places before, descending; then deleted sections;
  /// then puts inserted sections in, and inserted and moved objects at their places after, ascending.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section came, at its index after, or went, from its index before; told before all objects.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Everything was told.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The content after the changes; `reloadedItemIdentifiers` are the objects that stayed and were changed.
  ///
  /// Called after `performFetch` as well.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

  /// The difference between the content before and after, by object id; what was changed in its place is not in it, but in the
  /// controller's `updatedObjectIDs`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// The title of a section in an index; `nil` for none.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

/// The methods of a delegate that it may have left out.
enum DelegateMethod: Hashable, CaseIterable {
  case willChange, object, section, didChange, snapshot, difference, indexTitle
}

// A delegate has left out the methods whose defaults run.
extension NSFetchedResultsControllerDelegate {
  /// Nothing is done.
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    controller.core.noteMissing(.willChange)
  }

  /// Nothing is done.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { controller.core.noteMissing(.object) }

  /// Nothing is done.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { controller.core.noteMissing(.section) }

  /// Nothing is done.
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    controller.core.noteMissing(.didChange)
  }

  /// Nothing is done.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) { controller.core.noteMissing(.snapshot) }

  /// Nothing is done.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { controller.core.noteMissing(.difference) }

  /// The first letter of the name, capitalised.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.core.noteMissing(.indexTitle)
    return nil
  }
}
