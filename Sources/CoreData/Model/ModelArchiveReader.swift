import Foundation

/// Reads a model from a keyed archive: the inflated `Z_MODELCACHE` of a store, or a `.mom` file.
///
/// Follows reference MODELCACHE. Classes are told by their archived names and never made by name; what a recent or
/// damaged archive holds beyond the known is left out.
struct ModelArchiveReader {
  private let root: KeyedArchive.Node
  private var entities: [Int: NSEntityDescription] = [:]
  /// The entities in archive order with their archived form.
  private var listed: [(node: KeyedArchive.Node, entity: NSEntityDescription)] = []

  /// Opens an archive.
  ///
  /// - Throws: `ArchiveError` when it is no keyed archive or its root is no model.
  init(_ bytes: [UInt8]) throws {
    try self.init(try KeyedArchive(bytes))
  }

  /// Takes an archive that was opened.
  ///
  /// - Throws: `ArchiveError` when its root is no model.
  init(_ archive: KeyedArchive) throws {
    guard let root = archive.root, root.isKind(of: "NSManagedObjectModel") else {
      throw ArchiveError("the archive holds no managed object model")
    }
    self.root = root
  }

  /// The model of a store's cache: raw DEFLATE around a keyed archive.
  ///
  /// - Throws: `ArchiveError` when the stream or the archive is damaged.
  static func model(cache: [UInt8]) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var reader = try ModelArchiveReader(try Deflate.inflate(cache))
    try reader.read(into: model)
    return model
  }

  /// Fills an empty model.
  ///
  /// - Throws: `ArchiveError` when the entities cannot be read or their inheritance makes no tree.
  mutating func read(into model: NSManagedObjectModel) throws {
    guard let dictionary = root["NSEntities"]?.dictionary else { throw ArchiveError("the model lists no entities") }
    for (key, node) in dictionary where entities[node.id] == nil {
      let entity = NSEntityDescription()
      entity.name = node["NSEntityName"]?.string ?? key
      entities[node.id] = entity
      listed.append((node, entity))
    }
    try InheritanceBuilder.link(
      listed.map { ($0.entity, $0.node["NSSuperentity"].flatMap { entities[$0.id] }) })
    model.entities = listed.map(\.entity)
    // Parents first: a cache repeats inherited properties in every subentity, and those are to be left out.
    let order = listed.map { (node: $0.node, entity: $0.entity, depth: InheritanceBuilder.depth(of: $0.entity)) }
    let properties = ArchivedPropertyReader(entity: { [entities] in entities[$0.id] }, byName: model.entitiesByName)
    var total = 0
    for item in order.sorted(by: { $0.depth < $1.depth }) {
      total += item.node["NSProperties"]?.dictionary?.count ?? 0
      guard total <= InheritanceBuilder.propertyLimit else { throw ArchiveError("the model has too many properties") }
      fill(item.entity, from: item.node, with: properties)
    }
    try InheritanceBuilder.checkSize(model)
    for item in listed { properties.linkInverses(of: item.entity, in: item.node) }
    for item in listed { properties.readIndexes(of: item.entity, in: item.node) }
    readModel(model, with: properties)
  }

  private func fill(_ entity: NSEntityDescription, from node: KeyedArchive.Node, with reader: ArchivedPropertyReader) {
    entity.explicitClassName = node["NSClassNameForEntity"]?.string
    entity.isAbstract = node["NSIsAbstract"]?.bool ?? false
    entity.userInfo = reader.userInfo(node)
    entity.versionHashModifier = node["NSVersionHashModifier"]?.string
    entity.renamingIdentifier = node["NSRenamingIdentifier"]?.string
    entity.uniqueAttributeNames = node["NSUniqueTuples"]?.array?.compactMap(\.strings) ?? []
    entity.compoundIndexNames = node["NSCompoundIndexes"]?.array?.compactMap(\.strings) ?? []
    var taken = Set((entity.superentity?.properties ?? []).map(\.name))
    entity.properties = (node["NSProperties"]?.dictionary ?? []).compactMap { key, node in
      guard taken.insert(reader.name(of: node, key: key)).inserted else { return nil }
      return reader.property(node, key: key)
    }
  }

  private func readModel(_ model: NSManagedObjectModel, with reader: ArchivedPropertyReader) {
    // Strings by nature; a number is the most that else hashes safely.
    model.versionIdentifiers = Set(
      (root["NSVersionIdentifiers"]?.array ?? []).compactMap { node -> AnyHashable? in
        node.string.map(AnyHashable.init) ?? node.integer.map(AnyHashable.init)
      })
    for (name, node) in root["NSConfigurations"]?.dictionary ?? [] {
      let members = Set((node.array ?? []).map(\.id))
      let configured = listed.filter { members.contains($0.node.id) }.map(\.entity)
      model.setEntities(configured, forConfigurationName: name)
    }
    for (name, node) in root["NSFetchRequestTemplates"]?.dictionary ?? [] {
      model.fetchRequestTemplates[name] = reader.template(node)
    }
  }
}
