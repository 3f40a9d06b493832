import Foundation

@testable import CoreData

/// Builds the `elements` of a model as Xcode 3 laid them out (reference MODELCACHE, end).
struct Xcode3Sketch {
  typealias Reference = KeyedArchiveWriter.Reference
  typealias Entry = PropertyListValue.Entry

  private var archive = KeyedArchiveWriter()
  private var entities: [(name: String, reference: Reference, parent: String?, facts: [String: Value])] = []
  private var properties:
    [String: [(name: String, reference: Reference, kind: String, stereotypes: [String: [String: Value]])]] =
      [:]
  private var configurations: [String: [String]] = [:]

  /// What a stereotype states.
  enum Value {
    case plain(Any)
    case entity(String)
    case property(entity: String, name: String)
    case requests([(name: String, entity: String, predicate: String?)])
    case request(entity: String, predicate: String)
  }

  /// Adds an entity.
  mutating func entity(_ name: String, parent: String? = nil, _ facts: [String: Value] = [:]) {
    entities.append((name, archive.reserve(), parent, facts))
  }

  /// Adds a property of a class, such as `XDPMAttribute`, with its stereotypes.
  mutating func property(
    _ name: String, of entity: String, _ kind: String, common: [String: Value] = [:], _ facts: [String: Value] = [:]
  ) {
    let stereotypes = ["XD_PPropStereotype": common, "XD_PAtt_Stereotype": facts]
    properties[entity, default: []].append((name, archive.reserve(), kind, stereotypes))
  }

  /// Adds a configuration.
  mutating func configuration(_ name: String, _ members: [String]) { configurations[name] = members }

  /// The archive.
  func bytes() -> [UInt8] {
    var copy = self
    return copy.write()
  }

  private mutating func write() -> [UInt8] {
    for entity in entities {
      let owned = properties[entity.name] ?? []
      for property in owned {
        let stereotypes = property.stereotypes.map { (name: $0.key, reference: stereotype($0.key, $0.value)) }
        archive.fill(
          property.reference, class: [property.kind, "XDUMLPropertyImp", "NSObject"],
          [
            Entry("_name", archive.add(property.name).value),
            Entry("XDBucketForStereotypesstorage", bucket(stereotypes).value),
          ])
      }
      let generalizations = entity.parent.map { parent in
        [
          archive.object(
            class: ["XDUMLGeneralizationImp", "NSObject"],
            [Entry("_general", reference(parent).value), Entry("_specific", entity.reference.value)])
        ]
      }
      let list = archive.collection(class: KeyedArchiveWriter.Class.mutableArray, generalizations ?? [])
      let stereotypes = [(name: "XD_PStereotype", reference: stereotype("XD_PStereotype", entity.facts))]
      archive.fill(
        entity.reference, class: ["XDPMEntity", "XDUMLClassImp", "NSObject"],
        [
          Entry("_name", archive.add(entity.name).value), Entry("_isAbstract", .bool(false)),
          Entry("XDBucketForOwnedAttributesstorage", bucket(owned.map { ($0.name, $0.reference) }).value),
          Entry("XDBucketForStereotypesstorage", bucket(stereotypes).value),
          Entry("XDBucketForGeneralizationsstorage", list.value),
        ])
    }
    let package = archive.object(
      class: ["XDModelPackage", "NSObject"],
      [Entry("XDBucketForClassesstorage", bucket(entities.map { ($0.name, $0.reference) }).value)])
    let named = configurations.sorted { $0.key < $1.key }.map { name, members in
      (name, archive.collection(class: KeyedArchiveWriter.Class.mutableArray, members.map { reference($0) }))
    }
    let root = archive.object(
      class: ["XDPMModel", "XDModel", "NSObject"],
      [
        Entry("_xd_rootPackage", package.value), Entry("_configurationsByName", bucket(named).value),
        Entry("_modelVersionIdentifier", archive.add("old").value),
      ])
    return archive.bytes(root: root)
  }

  private func reference(_ entity: String) -> Reference {
    entities.first { $0.name == entity }?.reference ?? .null
  }

  private mutating func bucket(_ members: [(name: String, reference: Reference)]) -> Reference {
    archive.dictionary(
      class: KeyedArchiveWriter.Class.mutableDictionary,
      members.map { (key: archive.add($0.name), value: $0.reference) })
  }

  private mutating func stereotype(_ name: String, _ facts: [String: Value]) -> Reference {
    let members = facts.sorted { $0.key < $1.key }.map { key, value in
      let fact = archive.object(
        class: ["XDUMLPropertyImp", "NSObject"],
        [Entry("_name", archive.add(key).value), Entry("_default", self.value(value))])
      return (name: key, reference: fact)
    }
    return archive.object(
      class: ["XDUMLStereotypeImp", "NSObject"],
      [Entry("_name", archive.add(name).value), Entry("XDBucketForOwnedAttributesstorage", bucket(members).value)])
  }

  private mutating func value(_ value: Value) -> PropertyListValue {
    switch value {
    case .plain(let value): return archive.add(value: value).value
    case .entity(let name): return reference(name).value
    case .property(let entity, let name):
      return (properties[entity]?.first { $0.name == name }?.reference ?? .null).value
    case .requests(let requests):
      let list = requests.map { request($0.name, $0.entity, $0.predicate) }
      return archive.collection(class: KeyedArchiveWriter.Class.mutableArray, list).value
    case .request(let entity, let predicate): return request("", entity, predicate).value
    }
  }

  private mutating func request(_ name: String, _ entity: String, _ predicate: String?) -> Reference {
    archive.object(
      class: ["XDPMFetchRequest", "NSObject"],
      [
        Entry("_name", archive.add(name).value), Entry("_entity", reference(entity).value),
        Entry("_predicateString", archive.add(predicate).value),
      ])
  }
}

extension Xcode3Sketch {
  /// Two entities, a parent, and one of everything else that is known of such files.
  static func shop() -> Xcode3Sketch {
    var sketch = Xcode3Sketch()
    sketch.entity("Thing", ["XD_PSK_isAbstract": .plain(true), "XD_PSK_versionHashModifier": .plain("2")])
    sketch.entity(
      "Article", parent: "Thing",
      [
        "XD_PSK_entityClassName": .plain("ArticleObject"), "XD_PSK_elementID": .plain("Ware"),
        "XDPMCompoundIndexes": .plain([["name", "price"]]),
        "XD_PSK_fetchRequestsArray": .requests([("byName", "Article", "name == $NAME"), ("all", "Article", nil)]),
        "XD_PSK_userInfo": .plain(["plain": "text", "nested": ["a": ["x", "y"]]]),
      ])
    sketch.entity("Order", ["XD_PSK_entityClassName": .plain("NSManagedObject")])
    let optional: [String: Value] = ["XD_PPSK_isOptional": .plain(true)]
    sketch.property(
      "name", of: "Thing", "XDPMAttribute",
      common: ["XD_PPSK_isOptional": .plain(false), "XD_PPSK_isIndexed": .plain(true)],
      [
        "XD_PAttK_attributeType": .plain(700), "XD_PAttK_defaultValueAsString": .plain("new"),
        "XD_PAttK_minValueString": .plain("1"), "XD_PAttK_regularExpressionString": .plain("[a-z]+"),
      ])
    sketch.property(
      "price", of: "Article", "XDPMAttribute", common: optional,
      [
        "XD_PAttK_attributeType": .plain(500), "XD_PAttK_defaultValueAsString": .plain("1.5"),
        "XD_PAttK_maxValueString": .plain("100"),
      ])
    sketch.property(
      "picture", of: "Article", "XDPMAttribute",
      common: ["XD_PPSK_isOptional": .plain(true), "XD_PPSK_elementID": .plain("photo")],
      ["XD_PAttK_attributeType": .plain(1_800), "XD_PAttK_valueTransformerName": .plain("PictureTransformer")])
    sketch.property(
      "drawn", of: "Article", "XDPMAttribute",
      common: ["XD_PPSK_isOptional": .plain(true), "XD_PPSK_isTransient": .plain(true)],
      ["XD_PAttK_attributeType": .plain(0)])
    sketch.property("articles", of: "Order", "XDPMRelationship", common: optional)
    sketch.property("order", of: "Article", "XDPMRelationship", common: optional)
    sketch.setRelationship(
      "articles", of: "Order",
      [
        "XD_PRK_isToMany": .plain(true), "XD_PRK_ordered": .plain(true), "XD_PRK_deleteRule": .plain(2),
        "XD_PRK_destination": .entity("Article"),
        "XD_PRK_inverseRelationship": .property(entity: "Article", name: "order"),
      ])
    sketch.setRelationship(
      "order", of: "Article",
      [
        "XD_PRK_maxCount": .plain(1), "XD_PRK_minCount": .plain(1), "XD_PRK_deleteRule": .plain(1),
        "XD_PRK_destination": .entity("Order"),
        "XD_PRK_inverseRelationship": .property(entity: "Order", name: "articles"),
      ])
    sketch.property(
      "cheap", of: "Order", "XDPMFetchedProperty", common: optional,
      ["XD_PFP_fetchRequest": .request(entity: "Article", predicate: "price < 1")])
    sketch.configuration("Wares", ["Article"])
    return sketch
  }

  private mutating func setRelationship(_ name: String, of entity: String, _ facts: [String: Value]) {
    guard let index = properties[entity]?.firstIndex(where: { $0.name == name }) else { return }
    properties[entity]?[index].stereotypes["XD_PAtt_Stereotype"] = nil
    properties[entity]?[index].stereotypes["XD_PR_Stereotype"] = facts
  }
}
