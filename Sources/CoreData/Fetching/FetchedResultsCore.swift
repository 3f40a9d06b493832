import Foundation

/// What all faces of one fetched results controller share: the results, the delegate, and the ear at the context.
///
/// Sendable is unchecked so that an observer can hold it: everything here happens on the context's queue, where the context
/// posts its notifications.
final class FetchedResultsCore: @unchecked Sendable {
  let context: NSManagedObjectContext
  let sectionKeyPath: String?
  /// The controller as delegates know it; its owner is the controller that the program made.
  weak var facade: NSFetchedResultsController<any NSFetchRequestResult>?
  weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet {
      guard delegate !== oldValue else { return }
      missing = []
      tellsNobody = false
    }
  }
  /// The results; `nil` before the first fetch.
  private(set) var content: FetchedContent?
  /// The objects that the changes being told, or told last, changed in place or moved.
  private(set) var updated: [NSManagedObject] = []

  private let makeRequest: () -> NSFetchRequest<NSManagedObject>
  private var request: FetchedRequest?
  private var observers: [any NSObjectProtocol] = []
  /// The methods that the delegate is known to have left out.
  private var missing: Set<DelegateMethod> = []
  /// Whether the delegate has left out all of them.
  private var tellsNobody = false
  /// Whether there were changes that nobody was told of.
  private var hasMissed = false
  /// Whether the context forgot its objects since the last fetch.
  private var isForgotten = false
  private var waiting: [FetchedResultsEvent] = []
  private var isTelling = false
  /// The temporary ids under which objects were told that were never saved.
  private var temporaryIDs: [ObjectIdentifier: NSManagedObjectID] = [:]

  init(
    context: NSManagedObjectContext, sectionKeyPath: String?,
    request: @escaping () -> NSFetchRequest<NSManagedObject>
  ) {
    self.context = context
    self.sectionKeyPath = sectionKeyPath
    makeRequest = request
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func noteMissing(_ method: DelegateMethod) { missing.insert(method) }

  // MARK: Fetching

  func performFetch() throws {
    context.assertQueue()
    // What was not told yet would be found by the fetch and told once more.
    context.processPendingChanges()
    let original = makeRequest()
    guard original.resultType == .managedObjectResultType else {
      throw NSError.coreData(
        NSCoreDataError, "NSFetchedResultsController shows managed objects, not other types of results")
    }
    let fetched = FetchedRequest(
      original, entity: try context.entity(of: original), sectionKeyPath: sectionKeyPath)
    let found = try fetched.content(in: context)
    if let wrong = found.outOfOrder {
      throw NSError.coreData(
        NSCoreDataError,
        "The fetched object at index \(wrong.index) has an out of order section name '\(wrong.name)'. "
          + "Objects must be sorted by section name")
    }
    request = fetched
    content = found
    updated = []
    waiting = []
    (hasMissed, isForgotten) = (false, false)
    noteTemporaryIDs(of: found.objects)
    listen()
    if let facade, let delegate, !missing.contains(.snapshot) {
      delegate.controller(facade, didChangeContentWith: snapshot(of: found, reloaded: []))
    }
  }

  // MARK: Listening

  private func listen() {
    guard observers.isEmpty else { return }
    for name in [Notification.Name.NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave] {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] notification in
          self?.receive(notification)
        })
    }
  }

  private func receive(_ notification: Notification) {
    guard let request, content != nil, !isForgotten else { return }
    if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil {
      isForgotten = true
      waiting = []
      return
    }
    guard let event = FetchedResultsEvent(notification, for: request, in: context) else { return }
    guard delegate != nil, facade != nil, !tellsNobody else {
      hasMissed = true
      return
    }
    waiting.append(event)
    // Changes made inside of a callback are told when everything before them was.
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !waiting.isEmpty { process(waiting.removeFirst()) }
  }

  private func process(_ event: FetchedResultsEvent) {
    guard let request, let old = content else { return }
    let pass = FetchedResultsPass(request: request, context: context, old: old, gone: event.invalidated)
    // What changed since the event is seen by comparisons, too.
    let untold = context.pending.untold.filter { request.concerns($0.entity) }
    let changed = Array(Set(event.changed + event.saved + untold))
    var change: FetchedResultsChange
    if hasMissed || event.crosses || request.isWindow {
      do { change = try pass.changeByFetching(of: changed) } catch { return context.report(error) }
    } else {
      change = pass.change(of: changed, keepingOrder: event.keepingOrder)
    }
    let silent = Set(event.saved.map(ObjectIdentifier.init)).subtracting(event.changed.map(ObjectIdentifier.init))
    change.removeUpdates(of: silent)
    let renamed = event.saved.filter { temporaryIDs[ObjectIdentifier($0)] != nil }
    if change.isEmpty && renamed.isEmpty { return }
    let missed = hasMissed
    content = change.new
    updated = change.updated
    hasMissed = false
    tell(change, isRenamed: !renamed.isEmpty)
    guard !tellsNobody else {
      // Without tracking the results stay as they were.
      content = old
      updated = []
      hasMissed = missed || !change.isEmpty
      return
    }
    for (object, _) in change.objects { noteTemporaryID(of: object) }
    for object in renamed { noteTemporaryID(of: object) }
  }

  // MARK: Telling

  private func tell(_ change: FetchedResultsChange, isRenamed: Bool) {
    if !missing.contains(.snapshot), let facade {
      delegate?.controller(
        facade, didChangeContentWith: snapshot(of: change.new, reloaded: change.updated.map(\.objectID)))
      if !missing.contains(.snapshot) { return }
    }
    if sectionKeyPath == nil, !missing.contains(.difference), let facade {
      // Also an empty one, for the sake of what was changed in its place.
      let difference = change.difference { temporaryIDs[ObjectIdentifier($0)] ?? $0.objectID }
      delegate?.controller(facade, didChangeContentWith: difference)
      if !missing.contains(.difference) { return }
    }
    if change.isEmpty { return }
    if let facade { delegate?.controllerWillChangeContent(facade) }
    tellSections(change)
    tellObjects(change)
    if let facade { delegate?.controllerDidChangeContent(facade) }
    var silent: Set<DelegateMethod> = [.willChange, .object, .didChange, .snapshot]
    silent.insert(sectionKeyPath == nil ? .difference : .section)
    tellsNobody = delegate != nil && missing.isSuperset(of: silent)
  }

  private func tellSections(_ change: FetchedResultsChange) {
    for index in change.deletedSections where !missing.contains(.section) {
      guard let facade else { return }
      let section = FetchedSection(
        name: change.old.sections[index].name, indexTitle: indexTitle(change.old.sections[index].name), members: [])
      delegate?.controller(facade, didChange: section, atSectionIndex: index, for: .delete)
    }
    for index in change.insertedSections where !missing.contains(.section) {
      guard let facade else { return }
      delegate?.controller(facade, didChange: section(index, of: change.new), atSectionIndex: index, for: .insert)
    }
  }

  private func tellObjects(_ change: FetchedResultsChange) {
    for (object, kind) in change.objects where !missing.contains(.object) {
      guard let facade, let delegate else { return }
      switch kind {
      case .insert(let new):
        delegate.controller(
          facade, didChange: object, at: nil, for: .insert, newIndexPath: change.new.path(new))
      case .delete(let old):
        delegate.controller(
          facade, didChange: object, at: change.old.path(old), for: .delete, newIndexPath: nil)
      case .move(let old, let new):
        delegate.controller(
          facade, didChange: object, at: change.old.path(old), for: .move, newIndexPath: change.new.path(new))
      case .update(let old, let new):
        delegate.controller(
          facade, didChange: object, at: change.old.path(old), for: .update, newIndexPath: change.new.path(new))
      }
    }
  }

  private func snapshot(
    of content: FetchedContent, reloaded: [NSManagedObjectID]
  ) -> NSDiffableDataSourceSnapshotReference {
    NSDiffableDataSourceSnapshot(
      sections: content.sections.map { ($0.name, content.objects[$0.range].map(\.objectID)) },
      reloaded: Set(reloaded))
  }

  // MARK: Sections

  /// The section at an index of some results.
  func section(_ index: Int, of content: FetchedContent) -> FetchedSection {
    let section = content.sections[index]
    return FetchedSection(
      name: section.name, indexTitle: indexTitle(section.name), members: content.objects[section.range])
  }

  /// The title of a section in an index: what the delegate says, else the capitalised first letter of its name.
  func indexTitle(_ name: String) -> String? {
    if let delegate, let facade, !missing.contains(.indexTitle) {
      let title = delegate.controller(facade, sectionIndexTitleForSectionName: name)
      if !missing.contains(.indexTitle) { return title }
    }
    return name.first.map { $0.uppercased() }
  }

  // MARK: Ids

  private func noteTemporaryIDs(of objects: [NSManagedObject]) {
    temporaryIDs = [:]
    for object in objects { noteTemporaryID(of: object) }
  }

  private func noteTemporaryID(of object: NSManagedObject) {
    let isTold = object.objectID.isTemporaryID && object.isInserted
    if isTold || !temporaryIDs.isEmpty {
      temporaryIDs[ObjectIdentifier(object)] = isTold ? object.objectID : nil
    }
  }
}
