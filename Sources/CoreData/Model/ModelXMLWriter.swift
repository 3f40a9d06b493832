import Foundation

/// Writes a model as the `contents` of an `.xcdatamodel`, in the shape in which Xcode saves it.
///
/// Entities and properties are sorted by name. XML has no place for some of what a model can hold (free validation
/// predicates, sort descriptors, defaults of odd classes): `document(of:)` says what was left out.
struct ModelXMLWriter {
  /// A model as text, and where the model that is read from the text differs.
  struct Document: Sendable {
    /// The XML, in UTF-8 when it is put in a file.
    let text: String
    /// What XML could not say, as the first model against the one read from the text; sorted by place.
    let losses: [ModelDifference]
  }

  private let model: NSManagedObjectModel
  private var properties: XMLPropertyWriter

  /// Writes a model, reads it again and compares.
  ///
  /// - Throws: `ArchiveError` when the text cannot be read again: names that XML cannot hold, or inheritance too deep.
  static func document(of model: NSManagedObjectModel) throws -> Document {
    var writer = ModelXMLWriter(model: model, properties: XMLPropertyWriter(model))
    let text = writer.root().document()
    let read = NSManagedObjectModel()
    try ModelXMLReader(Data(text.utf8)).read(into: read)
    return Document(text: text, losses: model.differences(from: read))
  }

  private mutating func root() -> XMLElementNode {
    let root = XMLElementNode("model")
    root.set("type", "com.apple.IDECoreDataModeler.DataModel")
    root.set("documentVersion", "1.0")
    // A pair of versions that Xcode wrote; it asks for an upgrade of files without them.
    root.set("lastSavedToolsVersion", "22758")
    root.set("systemVersion", "23E224")
    root.set("minimumToolsVersion", "Automatic")
    root.set("sourceLanguage", "Swift")
    let identifiers = model.versionIdentifiers.map { "\($0)" }.sorted()
    root.set("userDefinedModelVersionIdentifier", identifiers.joined(separator: ", "))
    for entity in Self.byName(model.entities) { root.children.append(element(of: entity)) }
    root.children += model.fetchRequestTemplates.sorted { $0.key < $1.key }
      .map { XMLPropertyWriter.element(of: $0.value, named: $0.key) }
    root.children += properties.composites()
    for name in model.configurations {
      let configuration = XMLElementNode("configuration")
      configuration.set("name", name)
      configuration.children = Self.byName(model.entities(forConfigurationName: name) ?? []).map { entity in
        let member = XMLElementNode("memberEntity")
        member.set("name", entity.name)
        return member
      }
      root.children.append(configuration)
    }
    return root
  }

  private mutating func element(of entity: NSEntityDescription) -> XMLElementNode {
    let element = XMLElementNode("entity")
    element.set("name", entity.name ?? "")
    // The reader takes a leading dot for the module that is built.
    let className = entity.managedObjectClassName
    element.set("representedClassName", className.hasPrefix(".") ? "." + className : className)
    element.set("isAbstract", yes: entity.isAbstract)
    element.set("parentEntity", entity.superentity?.name)
    element.set("elementID", entity.explicitRenamingIdentifier)
    element.set("versionHashModifier", entity.versionHashModifier)
    element.set("syncable", yes: true)
    let declared = entity.declaredProperties.sorted { $0.name < $1.name }
    let kinds: [(NSPropertyDescription) -> Bool] = [
      { $0 is NSAttributeDescription }, { $0 is NSRelationshipDescription }, { $0 is NSFetchedPropertyDescription },
    ]
    for kind in kinds { element.children += declared.filter(kind).map { properties.element(of: $0) } }
    element.children += entity.indexes.map(XMLPropertyWriter.element(of:))
    element.children += Self.list(
      entity.uniqueAttributeNames, "uniquenessConstraints", "uniquenessConstraint", "constraint")
    element.children += Self.list(entity.compoundIndexNames, "compoundIndexes", "compoundIndex", "index")
    element.children += XMLPropertyWriter.userInfo(entity.userInfo)
    return element
  }

  /// Lists of names within a list; none for none.
  private static func list(_ names: [[String]], _ outer: String, _ inner: String, _ part: String) -> [XMLElementNode] {
    guard !names.isEmpty else { return [] }
    let list = XMLElementNode(outer)
    list.children = names.map { names in
      let element = XMLElementNode(inner)
      element.children = names.map { name in
        let child = XMLElementNode(part)
        child.set("value", name)
        return child
      }
      return element
    }
    return [list]
  }

  private static func byName(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }
}
