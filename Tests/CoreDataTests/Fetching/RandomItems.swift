import Foundation
import TestSupport

@testable import CoreData

/// Random rows of `ShapesModel`'s items with what leads to them, kept both in a store and here.
struct RandomItems {
  struct Item {
    var key: ObjectKey
    var values: [String: SQLiteValue]
  }
  /// Pairs of a join table: the tag's key, the item's key, and the item's place among those that the tag ranks.
  struct Pair { var tag: Int64, item: Int64, place: Int64 }

  /// The store's numbers: Box 1, Crate 2, Item 3, Book 4, Toy 5, Tag 6.
  static let itemEntities: [String: [Int32]] = ["Item": [3, 4, 5], "Book": [4], "Toy": [5]]
  static let sortKeys = ["name", "rank", "double", "date", "boolean", "string"]

  private(set) var items: [Item] = []
  private(set) var tagged: [Pair] = []
  private(set) var ranked: [Pair] = []

  init(using random: inout SeededGenerator) {
    let names = ["", "a", "A", "b", "é", "Éa", "日本", "a\u{301}", "zz"]
    func maybe(_ random: inout SeededGenerator, _ value: SQLiteValue) -> SQLiteValue {
      Int.random(in: 0..<4, using: &random) == 0 ? .null : value
    }
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      let key = Int64(items.count * 2 + 1)
      var values: [String: SQLiteValue] = [:]
      for name in ["name", "string"] { values[name] = maybe(&random, .text(names.randomElement(using: &random) ?? "")) }
      values["rank"] = maybe(&random, .integer(Int64.random(in: -2...2, using: &random)))
      values["boolean"] = maybe(&random, .integer(Int64.random(in: 0...1, using: &random)))
      values["double"] = maybe(&random, .real(Double(Int.random(in: -3...3, using: &random)) / 4))
      values["date"] = maybe(&random, .integer(Int64.random(in: 0...3, using: &random) * 86_400))
      values["box"] = maybe(&random, .integer(Int64.random(in: 1...2, using: &random)))
      values["lineOf"] = maybe(&random, .integer(Int64.random(in: 1...2, using: &random)))
      // Places may be missing or the same, too.
      values["place"] = maybe(&random, .integer(Int64.random(in: 2...9, using: &random) * 1_024))
      let entity = Int32([3, 4, 5].randomElement(using: &random) ?? 3)
      items.append(Item(key: ObjectKey(entity: entity, primaryKey: key), values: values))
      for tag in Int64(1)...2 {
        let pair = Pair(tag: tag, item: key, place: Int64.random(in: 2...5, using: &random) * 1_024)
        if Bool.random(using: &random) { tagged.append(pair) }
        if Bool.random(using: &random) { ranked.append(pair) }
      }
    }
  }

  /// The statements that write it all.
  var sql: String {
    var sql = """
      BEGIN;
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1), (2, 6, 1);

      """
    for item in items {
      func text(_ key: String) -> String { Self.literal(item.values[key] ?? .null) }
      sql += """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSTRING, ZRANK, ZBOOLEAN, ZDOUBLE, ZDATE, ZBOX, ZLINEOF, Z_FOK_LINEOF)
        VALUES (\(item.key.primaryKey), \(item.key.entity), 1, \(text("name")), \(text("string")), \(text("rank")),
        \(text("boolean")), \(text("double")), \(text("date")), \(text("box")), \(text("lineOf")), \(text("place")));

        """
    }
    for pair in tagged { sql += "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_6TAGS) VALUES (\(pair.item), \(pair.tag));\n" }
    for pair in ranked {
      sql += """
        INSERT INTO Z_3RANKED (Z_3RANKEDBY, Z_6RANKED, Z_FOK_3RANKEDBY) VALUES (\(pair.item), \(pair.tag), \(pair.place));

        """
    }
    return sql + "COMMIT;"
  }

  private static func literal(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let text): "'" + text + "'"
    case .blob, .test: "NULL"
    }
  }

  /// The keys that a query must answer, found and sorted here.
  func keys(of query: ListQuery) -> [ObjectKey] {
    let numbers = Self.itemEntities[query.entity] ?? []
    var found: [(item: Item, order: SQLiteValue)] = []
    for item in items where numbers.contains(item.key.entity) && matches(item, query.text) {
      switch query.scope {
      case .all: found.append((item, .null))
      case .related(let key, "items") where key.entity == 6:
        if tagged.contains(where: { $0.tag == key.primaryKey && $0.item == item.key.primaryKey }) {
          found.append((item, .null))
        }
      case .related(let key, "items"):
        if item.values["box"] == .integer(key.primaryKey) { found.append((item, .null)) }
      case .related(let key, "line"):
        if item.values["lineOf"] == .integer(key.primaryKey) { found.append((item, item.values["place"] ?? .null)) }
      case .related(let key, _):
        if let pair = ranked.first(where: { $0.tag == key.primaryKey && $0.item == item.key.primaryKey }) {
          found.append((item, .integer(pair.place)))
        }
      }
    }
    return found.sorted { precedes($0, $1, query.sort) }.map(\.item.key)
  }

  private func matches(_ item: Item, _ text: String?) -> Bool {
    guard let text else { return true }
    return ["name", "string"].contains { key in
      guard case .text(let value)? = item.values[key] else { return false }
      return value.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
  }

  private func precedes(
    _ left: (item: Item, order: SQLiteValue), _ right: (item: Item, order: SQLiteValue), _ sort: [ListSortKey]
  ) -> Bool {
    for key in sort {
      let order = Self.order(left.item.values[key.key] ?? .null, right.item.values[key.key] ?? .null)
      if order != 0 { return key.ascending ? order < 0 : order > 0 }
    }
    if sort.isEmpty {
      let order = Self.order(left.order, right.order)
      if order != 0 { return order < 0 }
    }
    return (left.item.key.entity, left.item.key.primaryKey) < (right.item.key.entity, right.item.key.primaryKey)
  }

  /// As SQLite orders: nothing, numbers, texts byte by byte.
  private static func order(_ left: SQLiteValue, _ right: SQLiteValue) -> Int {
    func number(_ value: SQLiteValue) -> Double? {
      switch value {
      case .integer(let value): Double(value)
      case .real(let value): value
      default: nil
      }
    }
    if let left = number(left), let right = number(right) { return left < right ? -1 : left > right ? 1 : 0 }
    if case .text(let left) = left, case .text(let right) = right {
      if left.utf8.elementsEqual(right.utf8) { return 0 }
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }
    func rank(_ value: SQLiteValue) -> Int { value == .null ? 0 : number(value) != nil ? 1 : 2 }
    return rank(left) - rank(right)
  }
}
