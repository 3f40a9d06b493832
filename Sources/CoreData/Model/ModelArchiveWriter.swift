import Foundation

/// Writes a model as the keyed archive that Apple's framework reads (reference MODELCACHE).
struct ModelArchiveWriter {
  /// The two layouts that differ in little.
  enum Layout {
    /// `Z_MODELCACHE`: entities in a dictionary of known keys, inherited properties repeated, no request templates.
    case cache
    /// A `.mom` file.
    case compiled
  }

  typealias Reference = KeyedArchiveWriter.Reference
  typealias Entry = PropertyListValue.Entry

  let model: NSManagedObjectModel
  let layout: Layout
  var archive = KeyedArchiveWriter()
  private(set) var entityReferences: [ObjectIdentifier: Reference] = [:]
  /// References of properties by entity and name; in a cache an inherited property has one for each entity.
  private(set) var propertyReferences: [PropertyPlace: Reference] = [:]
  private var modelReference = Reference.null

  /// A property as seen from an entity.
  struct PropertyPlace: Hashable {
    let entity: ObjectIdentifier
    let name: String
  }

  private init(_ model: NSManagedObjectModel, layout: Layout) {
    self.model = model
    self.layout = layout
  }

  /// The archive's bytes, not compressed.
  ///
  /// - Throws: `ArchiveError` when a part that came from another archive cannot be copied.
  static func bytes(_ model: NSManagedObjectModel, layout: Layout) throws -> [UInt8] {
    var writer = ModelArchiveWriter(model, layout: layout)
    let root = try writer.writeModel()
    return writer.archive.bytes(root: root)
  }

  /// The content of `Z_MODELCACHE`: the archive as a raw DEFLATE stream.
  ///
  /// - Throws: `ArchiveError` as `bytes(_:layout:)` does.
  static func cache(_ model: NSManagedObjectModel) throws -> [UInt8] {
    try Deflate.deflate(try bytes(model, layout: .cache))
  }

  private mutating func writeModel() throws -> Reference {
    modelReference = archive.reserve()
    let entities = model.entities.sorted { ($0.name ?? "").utf8.lexicographicallyPrecedes(($1.name ?? "").utf8) }
    for entity in entities {
      entityReferences[ObjectIdentifier(entity)] = archive.reserve()
      for property in archivedProperties(of: entity) {
        propertyReferences[place(property, in: entity)] = archive.reserve()
      }
    }
    for entity in entities { try write(entity) }
    let identifiers = model.versionIdentifiers.map { $0.base }.sorted { "\($0)" < "\($1)" }
    let identifierReferences = identifiers.map { archive.add(value: $0) }
    var entries = [
      Entry("NSEntities", writeEntities(entities).value),
      Entry("NSFetchRequestTemplates", try writeTemplates().value),
      Entry(
        "NSVersionIdentifiers",
        archive.collection(class: KeyedArchiveWriter.Class.set, identifierReferences).value),
    ]
    if let configurations = writeConfigurations() { entries.append(Entry("NSConfigurations", configurations.value)) }
    archive.fill(modelReference, class: ["NSManagedObjectModel", "NSObject"], entries)
    return modelReference
  }

  private mutating func writeEntities(_ entities: [NSEntityDescription]) -> Reference {
    let names = entities.map { archive.add($0.name ?? "") }
    let references = entities.map { reference(to: $0) }
    if layout == .compiled {
      return archive.dictionary(
        class: KeyedArchiveWriter.Class.mutableDictionary, zip(names, references).map { (key: $0, value: $1) })
    }
    let keys = archive.collection(class: KeyedArchiveWriter.Class.array, names)
    let mapping = archive.object(
      class: ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      [Entry("keys", keys.value), Entry("length", .integer(Int64(names.count))), Entry("version", .integer(1))])
    let values = archive.collection(class: KeyedArchiveWriter.Class.array, references)
    return archive.object(
      class: [
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject",
      ],
      [
        Entry("values", values.value), Entry("searchMapping", mapping.value),
        Entry("emptyToken", archive.add(Self.emptyToken).value), Entry("version", .integer(1)),
      ])
  }

  /// The same in every store known.
  private static let emptyToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  private mutating func writeConfigurations() -> Reference? {
    guard !model.configurations.isEmpty else { return nil }
    let entries = model.configurations.map { name in
      let members = (model.entities(forConfigurationName: name) ?? []).map { reference(to: $0) }
      return (key: archive.add(name), value: archive.collection(class: KeyedArchiveWriter.Class.set, members))
    }
    return archive.dictionary(class: KeyedArchiveWriter.Class.mutableDictionary, entries)
  }

  private mutating func writeTemplates() throws -> Reference {
    guard layout == .compiled, !model.fetchRequestTemplates.isEmpty else { return .null }
    let entries = try model.fetchRequestTemplates.sorted { $0.key < $1.key }.map { name, template in
      (key: archive.add(name), value: try write(template))
    }
    return archive.dictionary(class: KeyedArchiveWriter.Class.mutableDictionary, entries)
  }

  private mutating func write(_ entity: NSEntityDescription) throws {
    let properties = archivedProperties(of: entity)
    let children = entity.subentities.map { (key: archive.add($0.name ?? ""), value: reference(to: $0)) }
    let members = properties.map { property in
      (key: archive.add(property.name), value: propertyReferences[place(property, in: entity)] ?? .null)
    }
    let mutableDictionary = KeyedArchiveWriter.Class.mutableDictionary
    var entries = [
      Entry("NSEntityName", archive.add(entity.name).value),
      Entry("NSClassNameForEntity", archive.add(entity.explicitClassName).value),
      Entry("NSManagedObjectModel", modelReference.value),
      Entry("NSSuperentity", (entity.superentity.map { reference(to: $0) } ?? .null).value),
      Entry("NSSubentities", archive.dictionary(class: mutableDictionary, children).value),
      Entry("NSProperties", archive.dictionary(class: mutableDictionary, members).value),
      Entry("NSUserInfo", archive.add(value: entity.userInfo ?? [:]).value),
      Entry("NSVersionHashModifier", archive.add(entity.versionHashModifier).value),
      Entry("NSRenamingIdentifier", archive.add(entity.renamingIdentifier).value),
    ]
    if entity.isAbstract { entries.append(Entry("NSIsAbstract", .bool(true))) }
    if !entity.uniqueAttributeNames.isEmpty {
      entries.append(Entry("NSUniqueTuples", write(entity.uniqueAttributeNames).value))
    }
    if !entity.compoundIndexNames.isEmpty {
      entries.append(Entry("NSCompoundIndexes", write(entity.compoundIndexNames).value))
    }
    if !entity.indexes.isEmpty {
      let indexes = try entity.indexes.map { try write($0, of: entity) }
      let list = archive.collection(class: KeyedArchiveWriter.Class.mutableArray, indexes)
      entries.append(Entry("NSFetchIndexDescriptions", list.value))
    }
    archive.fill(reference(to: entity), class: ["NSEntityDescription", "NSObject"], entries)
    for property in properties { try write(property, in: entity) }
  }

  private mutating func write(_ names: [[String]]) -> Reference {
    let lists = names.map { list in
      archive.collection(class: KeyedArchiveWriter.Class.mutableArray, list.map { archive.add($0) })
    }
    return archive.collection(class: KeyedArchiveWriter.Class.mutableArray, lists)
  }

  /// What an entity lists: in a cache the inherited properties, too.
  private func archivedProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    layout == .cache ? entity.properties : entity.declaredProperties
  }

  private func place(_ property: NSPropertyDescription, in entity: NSEntityDescription) -> PropertyPlace {
    PropertyPlace(entity: ObjectIdentifier(entity), name: property.name)
  }

  /// The number of an entity; null for one outside the model.
  func reference(to entity: NSEntityDescription) -> Reference {
    entityReferences[ObjectIdentifier(entity)] ?? .null
  }

  /// The number of a property as its declaring entity lists it; null for one outside the model.
  func reference(to property: NSPropertyDescription) -> Reference {
    property.entity.flatMap { propertyReferences[place(property, in: $0)] } ?? .null
  }

  /// The number of a property as an entity lists it.
  func reference(to property: NSPropertyDescription, in entity: NSEntityDescription) -> Reference {
    propertyReferences[place(property, in: entity)] ?? reference(to: property)
  }
}
