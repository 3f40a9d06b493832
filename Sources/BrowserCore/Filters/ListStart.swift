import CoreData
import CoreDataKit
import Foundation

/// The list that the browser opens on, as the command line asks for it.
struct ListStart: Equatable {
  var entity: String?
  /// The text after `--where`, known to be a filter of the entity.
  var filter: String?
  var sort: [ListSortKey] = []

  /// What `--entity`, `--where` and `--sort` ask for.
  ///
  /// The store is looked into only where a filter or an order has to be checked against its model.
  init(_ invocation: Invocation, store url: URL, zone: DateZone) throws {
    entity = invocation.options["entity"]
    guard invocation.options["where"] != nil || invocation.options["sort"] != nil else { return }
    var asked = invocation
    asked.operands = [url.path]
    let store = try CommandStore(asked, isReadOnly: true)
    defer { store.close() }
    let description = try Self.entity(entity, store)
    entity = description.name
    if let text = invocation.options["where"] {
      do { _ = try FilterText.parse(text, entity: description, zone: zone) } catch { throw UsageError(where: error) }
      filter = text
    }
    sort = try SortText.parse(invocation.options["sort"] ?? "", entity: description)
  }

  /// The entity of a name, or the one that the browser would open on.
  private static func entity(_ name: String?, _ store: CommandStore) throws -> NSEntityDescription {
    if let name { return try store.entity(named: name) }
    let entities = try store.answer(store.repository.summary()).entities.map(\.entity)
    let names = entities.compactMap(\.name).sorted { $0.lowercased() < $1.lowercased() }
    let first = try store.answer(store.repository.firstWithObjects(names)) ?? names.first
    guard let found = entities.first(where: { $0.name == first }) else {
      throw UsageError("the store has no entity to filter", "see storebrowser entities")
    }
    return found
  }
}
