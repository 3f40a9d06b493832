@testable import CoreData

extension ListQuery {
  /// Such a list, often with a filter or an order that looks at other objects.
  static func randomlyFiltered(using random: inout SeededGenerator) -> ListQuery {
    var query = Self.random(using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      query.sort.insert(ListSortKey("box.name", ascending: Bool.random(using: &random)), at: 0)
    }
    let filters = [
      "rank > 0", "NOT (name BEGINSWITH[cd] 'a')", "box.name != nil", "box.name CONTAINS[c] 'a'", "lineOf == nil",
      "ANY tags.name == 'a'", "tags.@count == 1", "ALL ranked.name == 'b'", "box.items.@count > 3",
      "SUBQUERY(tags, $t, $t.name > 'a').@count > 0 OR double < 0", "uppercase:(box.name) == 'A'", "box.name == name",
    ]
    if Bool.random(using: &random), let filter = filters.randomElement(using: &random) {
      query.filter = NSPredicate(format: filter).tree
    }
    return query
  }

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
