import Foundation

/// A new object as a store takes it: the values set on it, and the ids of related objects.
struct InsertedObject {
  let id: NSManagedObjectID
  /// By property name; a to-one relationship is an id, a to-many one an array of ids in order.
  let attributes: [String: Any]
  let toOne: [String: NSManagedObjectID]
  let toMany: [String: [NSManagedObjectID]]

  init(_ object: NSManagedObject) {
    id = object.objectID
    var attributes: [String: Any] = [:]
    var toOne: [String: NSManagedObjectID] = [:]
    var toMany: [String: [NSManagedObjectID]] = [:]
    for (name, value) in object.changedValues() {
      switch value {
      case let target as NSManagedObject: toOne[name] = target.objectID
      case let set as NSOrderedSet: toMany[name] = set.array.compactMap { ($0 as? NSManagedObject)?.objectID }
      case let set as NSSet: toMany[name] = set.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID }
      default: attributes[name] = value
      }
    }
    (self.attributes, self.toOne, self.toMany) = (attributes, toOne, toMany)
  }
}

extension SQLiteStore {
  /// Writes new rows, join rows and counters in one immediate transaction.
  func insert(_ objects: [InsertedObject]) throws -> [NSManagedObjectID] {
    try withConnection { connection in
      let keys = try connection.immediateTransaction {
        var writer = RowInserter(connection: connection, map: map)
        let keys = try writer.write(objects)
        if hasChangedMetadata {
          let entries = metadataValues.sorted { $0.key < $1.key }.map { PropertyListValue.Entry($0.key, $0.value) }
          try connection.execute(
            "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1",
            [.blob(BinaryPropertyListWriter.bytes(.dictionary(entries)))])
        }
        return keys
      }
      hasChangedMetadata = false
      return zip(objects, keys).compactMap { object, key in
        object.id.entity.name.flatMap { map[$0] }.map {
          ids.id(table: $0.table, entity: $0, primaryKey: key, store: self)
        }
      }
    }
  }
}

/// Writes one batch of new objects.
private struct RowInserter {
  let connection: SQLiteConnection
  let map: StoreMap
  /// The primary key of each new object, by its temporary id.
  private var keys: [NSManagedObjectID: Int64] = [:]

  init(connection: SQLiteConnection, map: StoreMap) {
    self.connection = connection
    self.map = map
  }

  mutating func write(_ objects: [InsertedObject]) throws -> [Int64] {
    var result: [Int64] = []
    for (entity, object) in try assignKeys(objects, &result) { try insertRow(object, of: entity) }
    for object in objects {
      guard let entity = self.entity(of: object.id) else { continue }
      for (name, targets) in object.toMany { try link(name, of: entity, source: object.id, to: targets) }
    }
    return result
  }

  /// Hands out primary keys after the highest of each tree, and writes the new highest.
  private mutating func assignKeys(
    _ objects: [InsertedObject], _ result: inout [Int64]
  ) throws -> [(EntityMap, InsertedObject)] {
    var highest: [Int32: Int64] = [:]
    var placed: [(EntityMap, InsertedObject)] = []
    for object in objects {
      guard let entity = entity(of: object.id), let root = map[entity.entity.rootEntity.name ?? ""] else {
        throw NSError.coreData(
          NSPersistentStoreSaveError, "the store has no entity \(object.id.entity.name ?? "?")")
      }
      let last = try highest[root.number] ?? highestKey(of: root)
      highest[root.number] = last + 1
      keys[object.id] = last + 1
      result.append(last + 1)
      placed.append((entity, object))
    }
    for (number, key) in highest {
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(Int64(number))])
    }
    return placed
  }

  /// `Z_MAX`, or the highest key in the table where that is higher: stores filled by hand have a counter of 0
  /// (reference/ODDITIES.md 16).
  private func highestKey(of root: EntityMap) throws -> Int64 {
    let rows = try connection.rows(
      "SELECT max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(quoted(root.table))), 0)) FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
      [.integer(Int64(root.number))])
    guard case .integer(let key)? = rows.first?.first else { return 0 }
    return key
  }

  private func insertRow(_ object: InsertedObject, of entity: EntityMap) throws {
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values: [SQLiteValue] = [.integer(try key(of: object.id)), .integer(Int64(entity.number)), .integer(1)]
    for (name, value) in object.attributes.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(let column)? = entity.properties[name],
        let attribute = entity.entity.attributesByName[name]
      else { continue }
      columns.append(quoted(column))
      values.append(try SQLiteValue(value, for: attribute))
    }
    for (name, target) in object.toOne.sorted(by: { $0.key < $1.key }) {
      guard case .toOne(let column, let entityColumn, _)? = entity.properties[name] else { continue }
      columns.append(quoted(column))
      values.append(.integer(try key(of: target)))
      if let entityColumn, let number = self.entity(of: target)?.number {
        columns.append(quoted(entityColumn))
        values.append(.integer(Int64(number)))
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(quoted(entity.table)) (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
  }

  /// Writes one end of a to-many relationship: rows of the join table, or keys on the destination's rows.
  private func link(
    _ name: String, of entity: EntityMap, source: NSManagedObjectID, to targets: [NSManagedObjectID]
  ) throws {
    let source = SQLiteValue.integer(try key(of: source))
    for (index, target) in targets.enumerated() {
      let target = SQLiteValue.integer(try key(of: target))
      // Places are 1024 apart and begin at 2048.
      let place = SQLiteValue.integer(Int64(index + 2) * 1_024)
      switch entity.properties[name] {
      case .join(let table, let sourceColumn, let targetColumn, let orderColumn, _):
        let columns = [sourceColumn, targetColumn] + [orderColumn].compactMap { $0 }
        try connection.execute(
          "INSERT OR IGNORE INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) "
            + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
          [source, target] + (orderColumn == nil ? [] : [place]))
      case .inverse(let table, let column, let orderColumn, _):
        let order = orderColumn.map { ", \(quoted($0)) = ?" } ?? ""
        try connection.execute(
          "UPDATE \(quoted(table)) SET \(quoted(column)) = ?\(order) WHERE Z_PK = ?",
          [source] + (orderColumn == nil ? [] : [place]) + [target])
      default: continue
      }
    }
  }

  private func entity(of id: NSManagedObjectID) -> EntityMap? { id.entity.name.flatMap { map[$0] } }

  private func key(of id: NSManagedObjectID) throws -> Int64 {
    if let key = keys[id] { return key }
    guard !id.isTemporaryID else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "an object is related to \(id.entity.name ?? "?"), which is not being saved")
    }
    return id.primaryKey
  }
}

extension SQLiteValue {
  /// A value as the column of an attribute holds it (reference/FORMAT.md "Values").
  init(_ value: Any, for attribute: NSAttributeDescription) throws {
    switch (attribute.attributeType, value) {
    case (_, is NSNull): self = .null
    case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
      (.integer64AttributeType, let number as NSNumber):
      self = .integer(number.int64Value)
    case (.booleanAttributeType, let number as NSNumber): self = .integer(number.boolValue ? 1 : 0)
    case (.decimalAttributeType, let number as NSDecimalNumber): self = .real(Double(number.stringValue) ?? .nan)
    case (.decimalAttributeType, let number as NSNumber), (.doubleAttributeType, let number as NSNumber):
      self = .real(number.doubleValue)
    case (.floatAttributeType, let number as NSNumber): self = .real(Double(number.floatValue))
    case (.stringAttributeType, let text as String): self = .text(text)
    case (.URIAttributeType, let url as URL): self = .text(url.absoluteString)
    case (.dateAttributeType, let date as Date): self = .real(date.timeIntervalSinceReferenceDate)
    case (.UUIDAttributeType, let uuid as UUID): self = .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.binaryDataAttributeType, let data as Data):
      self = .blob((attribute.allowsExternalBinaryDataStorage ? [1] : []) + data)
    default:
      throw NSError.coreData(
        NSCoreDataError,
        "Unacceptable type of value for attribute: property = \"\(attribute.name)\"; given type = \(type(of: value)).")
    }
  }
}
