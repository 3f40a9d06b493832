/// Names for relationships: what a person would call them, and none that a column or another relationship has.
struct PlainNames {
  private let tables: [PlainTable]
  /// The names taken in each entity, in lower case.
  private var taken: [Set<String>]

  init(_ tables: [PlainTable]) {
    self.tables = tables
    taken = tables.map { Set($0.columns.map(\.name.asciiLowercased)) }
  }

  /// Takes the names of a foreign key's relationship and of the way back.
  mutating func name(_ link: KeyLink, from child: Int, to parent: Int) -> (name: String, inverse: String) {
    let target = tables[parent].name
    let stem = link.columns.count == 1 ? Self.stem(of: link.columns[0]) : nil
    let joined = link.columns.joined(separator: "_")
    let name = take([stem, target, "\(target)_\(joined)"].compactMap { $0 }, in: child)
    let source = tables[child].name
    return (name, take([source, "\(source)_by_\(name)", "\(source)_by_\(joined)"], in: parent))
  }

  /// The first candidate that is free; where all are taken, the last with a number.
  private mutating func take(_ candidates: [String], in entity: Int) -> String {
    if let free = candidates.first(where: { !taken[entity].contains($0.asciiLowercased) }) {
      taken[entity].insert(free.asciiLowercased)
      return free
    }
    let base = candidates.last ?? "row"
    var number = 2
    while !taken[entity].insert("\(base)\(number)".asciiLowercased).inserted { number += 1 }
    return "\(base)\(number)"
  }

  /// `customer` for `customer_id`, `customerId`, `customerID` and their like; `nil` for a column named otherwise.
  private static func stem(of column: String) -> String? {
    for ending in ["_id", "_ID", "_Id", "_fk", "_key", "_ref", "_uuid", "_code", "Id", "ID", "Key"]
    where column.hasSuffix(ending) && column.count > ending.count {
      return String(column.dropLast(ending.count))
    }
    return nil
  }
}
