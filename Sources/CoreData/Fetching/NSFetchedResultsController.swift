import Foundation

/// The objects that a request finds, in order and in sections, kept in step with their context.
///
/// Source: Apple, "NSFetchedResultsController"; reference/FRC.md. Changes are noticed when the context processes them: at the
/// end of `perform`, before a save, after a merge. They are tracked only while there is a delegate that has at least one of
/// the methods which tell of changes. Use it on its context's queue.
///
/// The result type is not constrained, as that of `NSFetchRequest`. A delegate is handed another face of the same controller,
/// typed `NSFetchedResultsController<any NSFetchRequestResult>`; `===` takes both for the same.
public final class NSFetchedResultsController<ResultType>: NSObject {
  /// The request, the same one that the controller was made with.
  ///
  /// What is changed in it counts from the next `performFetch` on.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The cache's name.
  ///
  /// Nothing is cached here: a fetch is quick, and a cache could only be wrong.
  public let cacheName: String?
  let core: FetchedResultsCore
  /// What delegates are handed; `nil` in the face itself.
  private let facade: NSFetchedResultsController<any NSFetchRequestResult>?

  /// A controller of a request, which must have sort descriptors (an empty array will do).
  ///
  /// With `sectionNameKeyPath` objects are grouped by the value there; the first sort descriptor must keep groups together.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    precondition(
      fetchRequest.sortDescriptors != nil,
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    self.fetchRequest = fetchRequest
    cacheName = name
    core = FetchedResultsCore(context: context, sectionKeyPath: sectionNameKeyPath) { fetchRequest.retyped() }
    facade = NSFetchedResultsController<any NSFetchRequestResult>(
      facing: core, request: fetchRequest.retyped(), cacheName: name)
    super.init()
    core.facade = facade
  }

  private init(facing core: FetchedResultsCore, request: NSFetchRequest<ResultType>, cacheName name: String?) {
    fetchRequest = request
    cacheName = name
    self.core = core
    facade = nil
    super.init()
  }

  /// The context.
  public var managedObjectContext: NSManagedObjectContext { core.context }
  /// The key path that sections are named by.
  public var sectionNameKeyPath: String? { core.sectionKeyPath }

  /// Who is told of changes; held weakly.
  public var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// Fetches, and follows changes from then on.
  ///
  /// Throws what the fetch throws, and 134060 when objects of one section do not come one after the other.
  public func performFetch() throws { try core.performFetch() }

  // MARK: Results

  /// The results in order, with what is not saved yet; `nil` before the first fetch.
  ///
  /// The array does not change with the results.
  public var fetchedObjects: [ResultType]? { core.content.map { results($0.objects) } }

  /// The object at a path, which must be one of the results'.
  public func object(at indexPath: IndexPath) -> ResultType {
    guard let content = core.content, let position = content.position(of: indexPath),
      let object = results([content.objects[position]]).first
    else { preconditionFailure("no object at index path \(indexPath)") }
    return object
  }

  /// The path of an object; `nil` when it is none of the results.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let content = core.content, let object = object as? NSManagedObject else { return nil }
    return content.objects.firstIndex { $0 === object }.map(content.path)
  }

  /// The ids of the objects that the changes being told, or told last, changed in place or moved.
  ///
  /// Ours, beside Apple's: a difference of ids does not tell of them.
  public var updatedObjectIDs: [NSManagedObjectID] { core.updated.map(\.objectID) }

  private func results(_ objects: [NSManagedObject]) -> [ResultType] {
    if ResultType.self is AnyObject.Type {
      // An object that is a `ResultType` has the bits of one when that is a class; only the first of each class is asked.
      var known: AnyObject.Type?
      return objects.map { object in
        if type(of: object) != known {
          precondition(object is ResultType, "the request's results are not of type \(ResultType.self)")
          known = type(of: object)
        }
        return unsafeBitCast(object, to: ResultType.self)
      }
    }
    return objects.map { object in
      guard let result = object as? ResultType else {
        preconditionFailure("the request's results are not of type \(ResultType.self)")
      }
      return result
    }
  }

  // MARK: Sections

  /// The sections in order; one without a section key path; `nil` before the first fetch.
  public var sections: [any NSFetchedResultsSectionInfo]? {
    core.content.map { content in content.sections.indices.map { core.section($0, of: content) } }
  }

  /// The titles of the sections, for an index beside a list.
  public var sectionIndexTitles: [String] {
    core.content?.sections.compactMap { core.indexTitle($0.name) } ?? []
  }

  /// The title of a section with a name: its first letter, capitalised, unless the delegate says otherwise.
  public func sectionIndexTitle(forSectionName sectionName: String) -> String? { core.indexTitle(sectionName) }

  /// The section that a title of the index leads to.
  public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let sections = core.content?.sections ?? []
    if sections.indices.contains(sectionIndex), core.indexTitle(sections[sectionIndex].name) == title {
      return sectionIndex
    }
    return sections.firstIndex { core.indexTitle($0.name) == title } ?? NSNotFound
  }

  /// Deletes caches: there are none.
  public class func deleteCache(withName name: String?) {}

  /// Whether both are faces of one controller.
  public override func isEqual(_ object: Any?) -> Bool { (object as? any ControllerFace)?.core === core }
  /// The same for all faces of one controller.
  public override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// A controller of any result type.
///
/// Ours, so that `===` can be about controllers: a delegate is handed one under another type than the program has it.
public protocol NSFetchedResultsControllerFace: AnyObject {}
private protocol ControllerFace: AnyObject { var core: FetchedResultsCore { get } }
extension NSFetchedResultsController: NSFetchedResultsControllerFace, ControllerFace {}

// Not generic: those that are lose to the standard library's where one side is optional.

/// Whether both are one controller, though a delegate is handed it under another type.
public func === (
  left: (any NSFetchedResultsControllerFace)?, right: (any NSFetchedResultsControllerFace)?
) -> Bool {
  let (left, right) = (left as? any ControllerFace, right as? any ControllerFace)
  return left?.core === right?.core
}

/// Whether both are different controllers, though a delegate is handed one under another type.
public func !== (
  left: (any NSFetchedResultsControllerFace)?, right: (any NSFetchedResultsControllerFace)?
) -> Bool { !(left === right) }

extension NSFetchRequest {
  /// The same request for results of another type.
  func retyped<Other>() -> NSFetchRequest<Other> {
    let other = NSFetchRequest<Other>()
    if let entity { other.entity = entity } else { other.entityName = entityName }
    other.predicate = predicate
    other.sortDescriptors = sortDescriptors
    (other.fetchLimit, other.fetchOffset) = (fetchLimit, fetchOffset)
    other.includesSubentities = includesSubentities
    other.includesPendingChanges = includesPendingChanges
    other.resultType = resultType
    other.includesPropertyValues = includesPropertyValues
    other.returnsObjectsAsFaults = returnsObjectsAsFaults
    return other
  }
}
