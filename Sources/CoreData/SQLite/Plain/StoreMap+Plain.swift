import Foundation

extension StoreMap {
  /// How a model lies in the tables of a plain database: entities, attributes and relationships are found by their names.
  ///
  /// Their numbers are those that `keys` gives out.
  init(model: NSManagedObjectModel, plain layout: PlainLayout, keys: InternedKeys) {
    let numbers = layout.entities.map { keys.entityNumber(of: $0.table.name) }
    let places = Dictionary(
      layout.entities.enumerated().map { ($1.table.name, $0) }, uniquingKeysWith: { first, _ in first })
    var maps: [EntityMap] = []
    var remarks = layout.remarks
    for entity in model.entities {
      guard let name = entity.name, let place = places[name] else {
        if !entity.isAbstract { remarks.append("entity \(entity.name ?? "?") of the model is not in this database") }
        continue
      }
      maps.append(Self.map(of: entity, named: name, at: place, numbers, in: layout, &remarks))
    }
    self.init(entities: maps.sorted { $0.number < $1.number }, remarks: remarks)
  }

  private static func map(
    of entity: NSEntityDescription, named name: String, at place: Int, _ numbers: [Int32], in layout: PlainLayout,
    _ remarks: inout [String]
  ) -> EntityMap {
    let own = layout.entities[place]
    var properties: [String: PropertyMap] = [:]
    for column in own.table.columns { properties[column.name] = .attribute(column: column.name) }
    for reference in own.references {
      properties[reference.name] = .reference(reference.link, destination: numbers[reference.destination])
    }
    for (index, other) in layout.entities.enumerated() {
      for reference in other.references where reference.destination == place {
        properties[reference.inverse] = .referrers(reference.link, destination: numbers[index])
      }
    }
    let stored = entity.propertiesByName.filter { !$0.value.isTransient }
    for key in stored.keys.sorted() where properties[key] == nil {
      remarks.append("\(name).\(key) has no column in table \(name)")
    }
    properties = properties.filter { stored[$0.key] != nil }
    var map = EntityMap(
      entity: entity, name: name, number: numbers[place], table: name, numbers: [numbers[place]], ownsTable: true,
      properties: properties, titleKey: titleKey(of: entity, in: properties))
    map.isPlain = true
    map.key = key(of: own.table)
    if case .columns(let names) = map.key {
      map.isKeyedWithoutNull = names.allSatisfy { own.table.column(named: $0)?.isNotNull ?? false }
    }
    map.isView = own.table.kind == .view
    map.isFollowed = own.table.kind == .table && map.hasKeyColumn
    map.rowIDColumn = own.table.rowIDColumn
    map.rowIDName = own.table.rowIDName
    if own.table.rowIDColumn == nil { map.namedBy = own.table.primaryKey }
    return map
  }

  private static func key(of table: PlainTable) -> RowKey {
    if let rowID = table.rowIDName { return table.hasPositiveRowIDs ? .column(rowID) : .columns([rowID]) }
    if table.kind == .table, !table.primaryKey.isEmpty { return .columns(table.primaryKey) }
    return .row(table.columns.map(\.name))
  }
}
