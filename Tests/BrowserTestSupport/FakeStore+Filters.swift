import BrowserCore
import CoreData
import Foundation

extension FakeStore {
  /// The model that the entities' outlines tell of.
  static func model(of outlines: [EntityOutline]) -> NSManagedObjectModel {
    var entities: [String: NSEntityDescription] = [:]
    for outline in outlines {
      let entity = NSEntityDescription()
      entity.name = outline.name
      entity.isAbstract = outline.isAbstract
      entities[outline.name] = entity
    }
    var line: [EntityOutline] = []
    for outline in outlines {
      line.removeAll { $0.depth >= outline.depth }
      // A subentity's outline repeats what it inherits.
      let inherited = Set(line.flatMap(\.properties).map(\.name))
      entities[outline.name]?.properties = outline.properties.filter { !inherited.contains($0.name) }.map {
        property($0, entities)
      }
      if let parent = line.last, let entity = entities[outline.name] {
        entities[parent.name]?.subentities.append(entity)
      }
      line.append(outline)
    }
    let model = NSManagedObjectModel()
    model.entities = outlines.compactMap { entities[$0.name] }
    return model
  }

  private static func property(
    _ outline: PropertyOutline, _ entities: [String: NSEntityDescription]
  ) -> NSPropertyDescription {
    let (target, isMany, isOrdered): (String?, Bool, Bool) =
      switch outline.kind {
      case .toOne(let entity): (entity, false, false)
      case .toMany(let entity, let ordered): (entity, true, ordered)
      default: (nil, false, false)
      }
    guard let target else {
      let attribute = NSAttributeDescription()
      attribute.name = outline.name
      attribute.attributeType = type(of: outline.kind)
      return attribute
    }
    let relationship = NSRelationshipDescription()
    relationship.name = outline.name
    relationship.destinationEntity = entities[target]
    relationship.maxCount = isMany ? 0 : 1
    relationship.isOrdered = isOrdered
    return relationship
  }

  private static func type(of kind: PropertyOutline.Kind) -> NSAttributeType {
    switch kind {
    case .string: .stringAttributeType
    case .integer: .integer64AttributeType
    case .real: .doubleAttributeType
    case .decimal: .decimalAttributeType
    case .boolean: .booleanAttributeType
    case .date: .dateAttributeType
    case .uuid: .UUIDAttributeType
    case .uri: .URIAttributeType
    case .binary: .binaryDataAttributeType
    default: .transformableAttributeType
    }
  }

  /// Whether an object fulfils a filter, by the rules for memory; objects named by URI are compared by it.
  func fulfils(_ key: ObjectKey, _ filter: PredicateTree) -> Bool {
    let named = filter.mapExpressions { expression in
      guard case .constant(.identity(let identity)) = expression else { return expression }
      return .constant(.string(identity.id.predicateIdentityText))
    }
    return (try? PredicateForm(named).evaluate(with: values(of: key, depth: 2))) ?? false
  }

  private func values(of key: ObjectKey, depth: Int) -> [String: Any] {
    var found: [String: Any] = [:]
    for (name, value) in object(key)?.values ?? [:] {
      switch value {
      case .plain(.integer(let number)): found[name] = Int(number)
      case .plain(.boolean(let isTrue)): found[name] = isTrue
      case .plain(.real(let number)): found[name] = number
      case .plain(.decimal(let text)): found[name] = Decimal(string: text) ?? 0
      case .plain(.date(let date)): found[name] = date
      case .plain(.uuid(let uuid)): found[name] = uuid
      case .plain(.text(let text, _)): found[name] = text
      case .one(let key?) where depth > 0: found[name] = values(of: key, depth: depth - 1)
      case .many(let keys) where depth > 0: found[name] = keys.map { values(of: $0, depth: depth - 1) }
      default: continue
      }
    }
    return found
  }

  /// Different values of an attribute, the most frequent first.
  func values(of attribute: String, entity: String, prefix: String, limit: Int) -> [CellValue] {
    var counts: [CellValue: Int] = [:]
    var order: [CellValue] = []
    for key in ordered(ListQuery(entity: entity)) {
      guard case .plain(let value)? = object(key)?.values[attribute], value != .null else { continue }
      if case .text(let text, _) = value, !text.lowercased().hasPrefix(prefix.lowercased()) { continue }
      if counts[value] == nil { order.append(value) }
      counts[value, default: 0] += 1
    }
    let ranked = order.enumerated().sorted { left, right in
      let (one, other) = (counts[left.element] ?? 0, counts[right.element] ?? 0)
      return one == other ? left.offset < right.offset : one > other
    }
    return ranked.prefix(limit).map(\.element)
  }
}
