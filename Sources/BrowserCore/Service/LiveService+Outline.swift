import CoreData
import Foundation

extension StoreOutline {
  /// A store as the first screen needs it; which entity has rows is not known yet.
  init(_ store: ListStoreSummary, model: StoreModel, name: String, isReadOnly: Bool) {
    let numbers = Dictionary(
      store.entities.map { (ObjectIdentifier($0.entity), $0.number) }, uniquingKeysWith: { first, _ in first })
    func outlines(_ entities: [NSEntityDescription], depth: Int) -> [EntityOutline] {
      entities.sorted(by: Self.precedes).flatMap { entity -> [EntityOutline] in
        let own = numbers[ObjectIdentifier(entity)].map { EntityOutline(entity, number: $0, depth: depth) }
        return (own.map { [$0] } ?? []) + outlines(entity.subentities, depth: depth + 1)
      }
    }
    let access: StoreAccess =
      switch store.access {
      case .inPlace: .inPlace
      case .snapshot: .snapshot
      case .copy: .copy
      }
    self.init(
      name: name, modelSource: "model: " + model.source.title, access: access, isReadOnly: isReadOnly,
      entities: outlines(model.model.entities.filter { $0.superentity == nil }, depth: 0), firstWithRows: nil,
      remarks: store.remarks)
    identifier = store.identifier
    isPlain = store.isPlain
    self.model = model.model
    fetches = model.model.fetches
  }

  private static func precedes(_ left: NSEntityDescription, _ right: NSEntityDescription) -> Bool {
    (left.name ?? "").lowercased() < (right.name ?? "").lowercased()
  }
}

extension EntityOutline {
  init(_ entity: NSEntityDescription, number: Int32, depth: Int) {
    self.init(
      name: entity.name ?? "", number: number, depth: depth, isAbstract: entity.isAbstract,
      properties: entity.listedPropertyNames.compactMap { entity.propertiesByName[$0] }.compactMap(PropertyOutline.init)
    )
  }
}

extension PropertyOutline {
  /// A property that a store keeps; `nil` for others.
  init?(_ property: NSPropertyDescription) {
    if let relationship = property as? NSRelationshipDescription {
      let entity = relationship.destinationEntity?.name ?? ""
      let kind: Kind =
        relationship.isToMany ? .toMany(entity: entity, ordered: relationship.isOrdered) : .toOne(entity: entity)
      self.init(name: property.name, kind: kind, isSortable: false)
    } else if let attribute = property as? NSAttributeDescription, let kind = Kind(attribute.attributeType) {
      self.init(name: property.name, kind: kind, isSortable: kind != .binary && kind != .transformable)
    } else {
      return nil
    }
    whyReadOnly =
      property.entity?.editRefusal ?? (property.isReadOnly ? "\(property.name) is computed and cannot be edited" : nil)
  }
}

extension PropertyOutline.Kind {
  init?(_ type: NSAttributeType) {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: self = .integer
    case .decimalAttributeType: self = .decimal
    case .doubleAttributeType, .floatAttributeType: self = .real
    case .stringAttributeType: self = .string
    case .booleanAttributeType: self = .boolean
    case .dateAttributeType: self = .date
    case .binaryDataAttributeType: self = .binary
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .transformableAttributeType: self = .transformable
    case .undefinedAttributeType: self = .any
    default: return nil
    }
  }
}

extension RecordDetail {
  /// An object as the inspector shows it.
  init(_ record: ListRecord) {
    let fields = zip(record.names, record.row.cells).compactMap { name, value in
      record.entity.propertiesByName[name].flatMap(PropertyOutline.init).map { RecordField(property: $0, value: value) }
    }
    var title: String?
    if let key = record.titleKey, case .text(let text, _)? = fields.first(where: { $0.property.name == key })?.value {
      title = text
    }
    self.init(
      key: record.row.key, entity: record.entity.name ?? "", uri: record.uri, version: record.version, title: title,
      fields: fields)
  }
}
