@testable import CoreData

extension ListQuery {
  /// Some list of the items of `RandomItems`: any scope, search and order.
  static func random(using random: inout SeededGenerator) -> ListQuery {
    let scopes: [ListQuery.Scope] = [
      .all, .all, .related(to: ObjectKey(entity: 1, primaryKey: 1), relationship: "items"),
      .related(to: ObjectKey(entity: 2, primaryKey: 2), relationship: "items"),
      .related(to: ObjectKey(entity: 6, primaryKey: 1), relationship: "items"),
      .related(to: ObjectKey(entity: 1, primaryKey: 1), relationship: "line"),
      .related(to: ObjectKey(entity: 6, primaryKey: 2), relationship: "rankedBy"),
    ]
    let keys = RandomItems.sortKeys.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
    return ListQuery(
      entity: ["Item", "Item", "Book", "Toy"].randomElement(using: &random) ?? "Item",
      scope: scopes.randomElement(using: &random) ?? .all,
      text: [nil, nil, "a", "É", "本", "x"].randomElement(using: &random) ?? nil,
      sort: keys.map { ListSortKey($0, ascending: Bool.random(using: &random)) })
  }
}
