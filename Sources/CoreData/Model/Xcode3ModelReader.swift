import Foundation

/// Reads the `elements` of a model that Xcode 3 saved (reference MODELCACHE, end).
///
/// The file is a keyed archive of a UML graph whose "stereotypes" carry the facts. They are said again as the XML that
/// later versions of Xcode write, so that `ModelXMLReader` alone decides what they mean. The file `layout` beside it
/// holds places in a diagram and is not read.
struct Xcode3ModelReader {
  private let root: KeyedArchive.Node
  /// Elements that may still be made: archives can name one part many times.
  private var budget = 200_000

  /// Whether a keyed archive is a model of Xcode 3.
  static func isModel(_ root: KeyedArchive.Node) -> Bool { root.isKind(of: "XDPMModel") }

  /// Opens an archive's root.
  ///
  /// - Throws: `ArchiveError` when it is no such model.
  init(root: KeyedArchive.Node) throws {
    guard Self.isModel(root) else { throw ArchiveError("the archive holds no data model") }
    self.root = root
  }

  /// Fills an empty model.
  ///
  /// - Throws: `ArchiveError` as `document()` and `ModelXMLReader` do.
  func read(into model: NSManagedObjectModel) throws {
    try ModelXMLReader(root: document()).read(into: model)
  }

  /// The model as XML.
  ///
  /// - Throws: `ArchiveError` when the archive lists no entities, or parts beyond reason.
  func document() throws -> XMLElementNode {
    var reader = self
    return try reader.makeDocument()
  }

  private mutating func makeDocument() throws -> XMLElementNode {
    guard let package = root["_xd_rootPackage"] else { throw ArchiveError("the model lists no entities") }
    var entities: [KeyedArchive.Node] = []
    try collect(from: package, into: &entities, depth: 16)
    let model = XMLElementNode("model")
    model.set("userDefinedModelVersionIdentifier", root["_modelVersionIdentifier"]?.string)
    var requests: [XMLElementNode] = []
    for entity in entities {
      let facts = Self.facts(of: entity)
      model.children.append(try element(ofEntity: entity, facts))
      for request in facts["XD_PSK_fetchRequestsArray"]?.array ?? [] {
        requests.append(try element(ofRequest: request, named: request["_name"]?.string))
      }
    }
    model.children += requests
    for (name, members) in root["_configurationsByName"]?.dictionary ?? [] {
      let configuration = try make("configuration")
      configuration.set("name", name)
      for member in members.array ?? [] {
        let element = try make("memberEntity")
        element.set("name", Self.name(of: member))
        configuration.children.append(element)
      }
      model.children.append(configuration)
    }
    return model
  }

  private mutating func collect(
    from package: KeyedArchive.Node, into entities: inout [KeyedArchive.Node], depth: Int
  ) throws {
    guard depth > 0 else { throw ArchiveError("the model's packages nest without end") }
    for member in Self.members(of: package, "Classes") where member.isKind(of: "XDPMEntity") {
      budget -= 1
      guard budget > 0 else { throw ArchiveError("the model has too many parts") }
      entities.append(member)
    }
    for inner in Self.members(of: package, "Packages") {
      budget -= 1
      guard budget > 0 else { throw ArchiveError("the model has too many parts") }
      try collect(from: inner, into: &entities, depth: depth - 1)
    }
  }

  // MARK: Entities

  private mutating func element(
    ofEntity entity: KeyedArchive.Node, _ facts: [String: KeyedArchive.Node]
  ) throws -> XMLElementNode {
    let element = try make("entity")
    element.set("name", Self.name(of: entity))
    element.set("representedClassName", facts["XD_PSK_entityClassName"]?.string)
    let parent = Self.members(of: entity, "Generalizations").compactMap { $0["_general"] }.first
    element.set("parentEntity", parent.flatMap(Self.name))
    element.set("isAbstract", yes: facts["XD_PSK_isAbstract"]?.bool ?? entity["_isAbstract"]?.bool ?? false)
    element.set("elementID", facts["XD_PSK_elementID"]?.string)
    element.set("versionHashModifier", facts["XD_PSK_versionHashModifier"]?.string)
    for property in Self.members(of: entity, "OwnedAttributes") {
      if let child = try self.element(ofProperty: property) { element.children.append(child) }
    }
    let indexes = (facts["XDPMCompoundIndexes"]?.array ?? []).compactMap { $0.array?.compactMap(Self.name) }
    if !indexes.isEmpty {
      let list = try make("compoundIndexes")
      for names in indexes {
        let index = try make("compoundIndex")
        for name in names {
          let part = try make("index")
          part.set("value", name)
          index.children.append(part)
        }
        list.children.append(index)
      }
      element.children.append(list)
    }
    try addUserInfo(facts["XD_PSK_userInfo"], to: element)
    return element
  }

  private mutating func element(
    ofRequest request: KeyedArchive.Node, named name: String?
  ) throws -> XMLElementNode {
    let element = try make("fetchRequest")
    element.set("name", name)
    element.set("entity", request["_entity"].flatMap(Self.name))
    element.set("predicateString", request["_predicateString"]?.string)
    return element
  }

  // MARK: Properties

  private mutating func element(ofProperty property: KeyedArchive.Node) throws -> XMLElementNode? {
    let facts = Self.facts(of: property)
    let element: XMLElementNode
    if property.isKind(of: "XDPMAttribute") {
      element = try make("attribute")
    } else if property.isKind(of: "XDPMRelationship") {
      element = try make("relationship")
    } else if let request = facts.values.first(where: { $0.isKind(of: "XDPMFetchRequest") }) {
      element = try make("fetchedProperty")
      element.children = [try self.element(ofRequest: request, named: "fetchedPropertyFetchRequest")]
    } else {
      return nil
    }
    element.set("name", Self.name(of: property))
    element.set("optional", yes: facts["XD_PPSK_isOptional"]?.bool ?? false)
    element.set("transient", yes: facts["XD_PPSK_isTransient"]?.bool ?? false)
    element.set("indexed", yes: facts["XD_PPSK_isIndexed"]?.bool ?? false)
    element.set("spotlightIndexingEnabled", yes: facts["XD_PPSK_isSpotlightIndexed"]?.bool ?? false)
    element.set("versionHashModifier", facts["XD_PPSK_versionHashModifier"]?.string)
    element.set("elementID", facts["XD_PPSK_elementID"]?.string)
    switch element.name {
    case "attribute": Self.addAttribute(facts, to: element)
    case "relationship": Self.addRelationship(facts, to: element)
    default: break
    }
    try addUserInfo(facts["XD_PPSK_userInfo"], to: element)
    return element
  }

  private static func addAttribute(_ facts: [String: KeyedArchive.Node], to element: XMLElementNode) {
    let type = facts["XD_PAttK_attributeType"]?.integer.flatMap { UInt(exactly: $0) }
      .flatMap(NSAttributeType.init(rawValue:))
    element.set("attributeType", type.flatMap(XMLPropertyReader.name(of:)))
    // Dates are numbers in every file of this kind that is known.
    let isDate = type == .dateAttributeType
    element.set(isDate ? "defaultDateTimeInterval" : "defaultValueString", text(facts["XD_PAttK_defaultValueAsString"]))
    element.set(isDate ? "minDateTimeInterval" : "minValueString", text(facts["XD_PAttK_minValueString"]))
    element.set(isDate ? "maxDateTimeInterval" : "maxValueString", text(facts["XD_PAttK_maxValueString"]))
    element.set("regularExpressionString", facts["XD_PAttK_regularExpressionString"]?.string)
    element.set("valueTransformerName", facts["XD_PAttK_valueTransformerName"]?.string)
    element.set(
      "allowsExternalBinaryDataStorage", yes: facts["XD_PAttK_allowsExternalBinaryDataStorage"]?.bool ?? false)
  }

  private static func addRelationship(_ facts: [String: KeyedArchive.Node], to element: XMLElementNode) {
    element.set("toMany", yes: facts["XD_PRK_isToMany"]?.bool ?? false)
    element.set("minCount", text(facts["XD_PRK_minCount"]))
    element.set("maxCount", text(facts["XD_PRK_maxCount"]))
    element.set("ordered", yes: facts["XD_PRK_ordered"]?.bool ?? false)
    let rule = facts["XD_PRK_deleteRule"]?.integer.flatMap { UInt(exactly: $0) }.flatMap(NSDeleteRule.init(rawValue:))
    element.set("deletionRule", rule.map(XMLPropertyReader.name(of:)))
    element.set("destinationEntity", facts["XD_PRK_destination"].flatMap(name))
    element.set("inverseName", facts["XD_PRK_inverseRelationship"].flatMap(name))
  }

  // MARK: The graph

  private mutating func make(_ name: String) throws -> XMLElementNode {
    budget -= 1
    guard budget > 0 else { throw ArchiveError("the model has too many parts") }
    return XMLElementNode(name)
  }

  private mutating func addUserInfo(_ node: KeyedArchive.Node?, to element: XMLElementNode) throws {
    guard let entries = node?.dictionary, !entries.isEmpty else { return }
    let info = try make("userInfo")
    for (key, value) in entries {
      guard let value = value.foundationValue() else { continue }
      let entry = try make("entry")
      entry.set("key", key)
      entry.set("value", UserInfoText.text(of: value))
      info.children.append(entry)
    }
    if !info.children.isEmpty { element.children.append(info) }
  }

  /// What a part owns under one of its buckets, a dictionary or a list.
  private static func members(of node: KeyedArchive.Node, _ bucket: String) -> [KeyedArchive.Node] {
    guard let storage = node["XDBucketFor\(bucket)storage"] else { return [] }
    return storage.dictionary?.map(\.value) ?? storage.array ?? []
  }

  /// The values of all stereotypes of a part by their names.
  private static func facts(of node: KeyedArchive.Node) -> [String: KeyedArchive.Node] {
    var facts: [String: KeyedArchive.Node] = [:]
    for stereotype in members(of: node, "Stereotypes").prefix(16) {
      for fact in members(of: stereotype, "OwnedAttributes").prefix(100) {
        if let name = name(of: fact), let value = fact["_default"] { facts[name] = value }
      }
    }
    return facts
  }

  private static func name(of node: KeyedArchive.Node) -> String? { node.string ?? node["_name"]?.string }

  /// A text, or a number as text.
  private static func text(_ node: KeyedArchive.Node?) -> String? {
    node?.string ?? node?.integer.map(String.init)
  }
}
