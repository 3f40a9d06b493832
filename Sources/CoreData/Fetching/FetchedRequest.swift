import Foundation

/// What a controller looks for, taken from its request when it fetches.
struct FetchedRequest {
  let request: NSFetchRequest<NSManagedObject>
  let entity: NSEntityDescription
  let sectionKeyPath: String?
  private let test: CompiledPredicate?
  /// The keys that sort values and section names are read from on the object itself.
  private let orderKeys: Set<String>
  /// The entities of objects that the results depend on through relationships.
  private let crossed: [NSEntityDescription]

  init(_ request: NSFetchRequest<NSManagedObject>, entity: NSEntityDescription, sectionKeyPath: String?) {
    self.request = request
    self.entity = entity
    self.sectionKeyPath = sectionKeyPath
    test = request.predicate.map { CompiledPredicate(PredicateForm($0), nulls: .fetch) }
    var paths = (request.sortDescriptors ?? []).compactMap(\.sortedKeys)
    if let sectionKeyPath { paths.append(sectionKeyPath.split(separator: ".").map(String.init)) }
    orderKeys = Set(paths.compactMap(\.first))
    crossed = entity.entitiesCrossed(by: request.predicate?.tree, paths)
  }

  /// Whether only a part of what matches is shown.
  var isWindow: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 }

  /// Whether objects of an entity can be results.
  func concerns(_ entity: NSEntityDescription) -> Bool {
    request.includesSubentities ? entity.isKindOf(entity: self.entity) : entity === self.entity
  }

  /// Whether an object of an entity, seen through a relationship, can make a difference.
  func crosses(_ entity: NSEntityDescription) -> Bool { crossed.contains { entity.isKindOf(entity: $0) } }

  /// Whether an object is a result; one that the predicate cannot be evaluated for is none.
  func matches(_ object: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
    guard object.managedObjectContext === context, !object.isDeleted, concerns(object.entity) else { return false }
    guard let test else { return true }
    // Reading a row that is gone deletes the object.
    return ((try? test.evaluate(.object(object))) ?? nil) ?? false && !object.isDeleted
  }

  /// Whether changes of some properties can move an object.
  func ordersBy(_ keys: some Sequence<String>) -> Bool { keys.contains(where: orderKeys.contains) }

  func order(in context: NSManagedObjectContext) -> FetchOrder {
    FetchOrder(
      request.sortDescriptors ?? [], hasSubentities: request.includesSubentities && !entity.subentities.isEmpty,
      unsaved: context.pending.keys(.inserted))
  }

  /// The name of the section that an object belongs to: the value at the key path as text, empty for none.
  func sectionName(of object: NSManagedObject) -> String {
    guard let sectionKeyPath else { return "" }
    var value: Any? = object
    for key in sectionKeyPath.split(separator: ".") {
      value = (value as? NSManagedObject)?.value(forKey: String(key))
    }
    return switch value {
    case nil, is NSNull: ""
    case let text as String: text
    case let number as NSNumber: number.stringValue
    case let uuid as UUID: uuid.uuidString
    case let url as URL: url.absoluteString
    case let value?: String(describing: value)
    }
  }

  /// Fetches anew.
  func content(in context: NSManagedObjectContext) throws -> FetchedContent {
    let objects = try context.fetch(request)
    return sectionKeyPath == nil ? FetchedContent(objects) : FetchedContent(objects, names: objects.map(sectionName))
  }
}
