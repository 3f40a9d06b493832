import Foundation

/// Reads a model from the `contents` of an `.xcdatamodel`, as Xcode writes it since version 4.
struct ModelXMLReader {
  private let root: XMLElementNode

  /// Opens a document.
  ///
  /// - Throws: `ArchiveError` when it is no XML or not a model.
  init(_ data: Data) throws {
    try self.init(root: XMLElementNode.document(data))
  }

  /// Takes a document that was read.
  ///
  /// - Throws: `ArchiveError` when it is not a model.
  init(root: XMLElementNode) throws {
    guard root.name == "model" else { throw ArchiveError("the XML is not a data model") }
    self.root = root
  }

  /// Fills an empty model.
  ///
  /// - Throws: `ArchiveError` when inheritance makes no tree or a composite contains itself.
  func read(into model: NSManagedObjectModel) throws {
    let elements = root.all("entity")
    var byName: [String: NSEntityDescription] = [:]
    let entities = elements.map { element in
      let entity = NSEntityDescription()
      entity.name = element["name"] ?? ""
      if let name = entity.name, byName[name] == nil { byName[name] = entity }
      return entity
    }
    let pairs = Array(zip(entities, elements))
    try InheritanceBuilder.link(pairs.map { ($0, $1["parentEntity"].flatMap { byName[$0] }) })
    model.entities = entities
    let properties = XMLPropertyReader(entities: byName, composites: root.all("composite"))
    for (entity, element) in pairs { try fill(entity, from: element, with: properties) }
    try InheritanceBuilder.checkSize(model)
    for (entity, element) in pairs { properties.linkInverses(of: entity, in: element) }
    for (entity, element) in pairs { properties.readIndexes(of: entity, in: element) }
    for configuration in root.all("configuration") {
      let members = configuration.all("memberEntity").compactMap { $0["name"].flatMap { byName[$0] } }
      model.setEntities(members, forConfigurationName: configuration["name"] ?? "")
    }
    for request in root.all("fetchRequest") {
      if let name = request["name"] { model.fetchRequestTemplates[name] = properties.template(request) }
    }
    // The compiler gives a model without an identifier the empty one.
    model.versionIdentifiers = [root["userDefinedModelVersionIdentifier"] ?? ""]
  }

  private func fill(
    _ entity: NSEntityDescription, from element: XMLElementNode, with reader: XMLPropertyReader
  ) throws {
    // A leading dot means the module that is built; compiled models leave it out.
    let className = element["representedClassName"].map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    entity.explicitClassName = className == "NSManagedObject" || className?.isEmpty == true ? nil : className
    entity.isAbstract = element.isYes("isAbstract")
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"]
    entity.userInfo = reader.userInfo(element)
    entity.uniqueAttributeNames =
      element.first("uniquenessConstraints")?.all("uniquenessConstraint")
      .map { $0.all("constraint").compactMap { $0["value"] } } ?? []
    entity.compoundIndexNames =
      element.first("compoundIndexes")?.all("compoundIndex")
      .map { $0.all("index").compactMap { $0["value"] } } ?? []
    entity.properties = try element.children.compactMap { try reader.property($0) }
  }
}
