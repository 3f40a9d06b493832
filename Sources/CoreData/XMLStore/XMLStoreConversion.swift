import Foundation

/// Puts the objects of an XML store into a private SQLite store of the same model, which is read in its place.
///
/// Objects keep their numbers, so that their URIs are those that the framework gives them. A value that does not fit the
/// model's type is kept as the text it is; what the model does not have is told in `remarks`.
struct XMLStoreConversion {
  private let document: XMLStoreDocument
  private let entities: [String: NSEntityDescription]
  private(set) var remarks: [String] = []
  private var seen: Set<String> = []
  /// Texts that are no values of their attribute's type.
  private var misfits: [(entity: String, attribute: String, key: Int64, text: String)] = []

  /// Converts a document by the names of a model, whose letters' case is all that the format leaves out.
  ///
  /// - Throws: An error of the Cocoa domain when the document has an entity that the model does not have.
  init(_ document: XMLStoreDocument, model: NSManagedObjectModel, path: String) throws {
    self.document = document
    entities = Dictionary(
      model.entities.compactMap { entity in entity.name.map { ($0.uppercased(), entity) } },
      uniquingKeysWith: { first, _ in first })
    let unknown = Set(document.objects.map(\.entity)).filter { entities[$0] == nil }.sorted()
    guard unknown.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        "the model has no entity for the store's objects of type \(unknown.joined(separator: ", "))", path: path)
    }
  }

  /// Makes the SQLite store; `name` is that of its file.
  mutating func convert(model: NSManagedObjectModel, name: String) throws -> PrivateCopy {
    let copy = try PrivateCopy(named: name)
    let url = URL(filePath: copy.path)
    try SQLiteStoreCreator(model: model).createStore(at: url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try SQLiteStore(coordinator: coordinator, url: url, isReadOnly: false)
    defer { store.close() }
    let ids = Dictionary(
      document.objects.compactMap { object in id(of: object, in: store).map { (object.key, $0) } },
      uniquingKeysWith: { first, _ in first })
    var request = SaveRequest()
    // The copy has nothing beside it.
    request.inlineLimit = .max
    for object in document.objects {
      guard let id = ids[object.key] else { continue }
      request.inserted.append(saved(object, id, ids, in: store))
    }
    _ = try store.save(request)
    try store.withConnection { connection in
      for misfit in misfits {
        guard let entity = store.map[misfit.entity], case .attribute(let column)? = entity.properties[misfit.attribute]
        else { continue }
        try connection.execute(
          "UPDATE \(quoted(entity.table)) SET \(quoted(column)) = ? WHERE Z_PK = ?",
          [.text(misfit.text), .integer(misfit.key)])
      }
      _ = try connection.rows("PRAGMA journal_mode = DELETE")
    }
    return copy
  }

  private func id(of object: XMLStoreDocument.Object, in store: SQLiteStore) -> NSManagedObjectID? {
    entities[object.entity].flatMap { store.number(of: $0) }
      .flatMap { store.objectID(entity: $0, primaryKey: object.key) }
  }

  private mutating func saved(
    _ object: XMLStoreDocument.Object, _ id: NSManagedObjectID, _ ids: [Int64: NSManagedObjectID],
    in store: SQLiteStore
  ) -> SavedObject {
    var saved = SavedObject(id: id)
    let entity = id.entity
    let properties = Dictionary(
      entity.propertiesByName.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    for attribute in object.attributes {
      guard let known = properties[attribute.name.lowercased()] as? NSAttributeDescription else {
        remark("the model has no attribute “\(attribute.name)” of \(entity.name ?? "?"), which the store holds")
        continue
      }
      if let value = Self.value(attribute.text, of: known.attributeType) {
        saved.attributes[known.name] = value
      } else {
        misfits.append((entity.name ?? "", known.name, object.key, attribute.text))
        remark("\(entity.name ?? "?").\(known.name) holds texts that are no values of its type")
      }
    }
    for relationship in object.relationships {
      guard let known = properties[relationship.name.lowercased()] as? NSRelationshipDescription else {
        remark("the model has no relationship “\(relationship.name)” of \(entity.name ?? "?"), which the store holds")
        continue
      }
      let ends = relationship.keys.compactMap { key in
        // What leads to an object that is not there is kept as it is.
        ids[key]
          ?? known.destinationEntity.flatMap { store.number(of: $0) }
          .flatMap { store.objectID(entity: $0, primaryKey: key) }
      }
      if known.isToMany {
        saved.toMany[known.name] = ToManyChange(objects: ends, added: ends, removed: [])
      } else if let end = ends.first {
        if ends.count > 1 { remark("\(entity.name ?? "?").\(known.name) leads to more than one object: one is shown") }
        saved.toOne[known.name] = end
      }
    }
    return saved
  }

  /// Notes what does not fit, once.
  private mutating func remark(_ text: String) {
    if seen.insert(text).inserted { remarks.append(text) }
  }

  /// What a text means as a value of a type; nil when it means none.
  private static func value(_ text: String, of type: NSAttributeType) -> Any? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return Int64(trimmed).map(NSNumber.init(value:))
    case .booleanAttributeType: return ["0": false, "1": true][trimmed].map(NSNumber.init(value:))
    case .doubleAttributeType: return Double(trimmed).map(NSNumber.init(value:))
    case .floatAttributeType: return Float(trimmed).map(NSNumber.init(value:))
    case .decimalAttributeType:
      return Decimal(string: trimmed, locale: nil).map { NSDecimalNumber(decimal: $0) }
    // Seconds since 2001, in decimal.
    case .dateAttributeType: return Double(trimmed).map(Date.init(timeIntervalSinceReferenceDate:))
    case .binaryDataAttributeType, .transformableAttributeType:
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    case .UUIDAttributeType: return UUID(uuidString: trimmed)
    case .URIAttributeType: return URL(string: trimmed)
    case .stringAttributeType: return text
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
    }
  }
}
