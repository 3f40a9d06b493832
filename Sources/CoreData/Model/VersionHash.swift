import Foundation

/// The version hashes of Apple's framework (reference HASHES; the order of bytes below is stated there).
enum VersionHash {
  /// The hash of one property by itself.
  static func property(_ property: NSPropertyDescription) -> Data {
    var digest = SHA256Digest()
    if let derived = property as? NSDerivedAttributeDescription, let text = derived.derivationExpressionText {
      digest.update(text.utf8)
      return digest.finish()
    }
    digest.update(base(of: property))
    switch property {
    case let attribute as NSAttributeDescription:
      digest.update(littleEndian: Int32(attribute.attributeType.rawValue))
      if attribute.allowsExternalBinaryDataStorage { digest.update([1]) }
      if attribute.preservesValueInHistoryOnDeletion { digest.update([1]) }
    case let relationship as NSRelationshipDescription:
      digest.update((relationship.destinationEntity?.name ?? "").utf8)
      if let inverse = relationship.inverseRelationship, inverse !== relationship { digest.update(inverse.name.utf8) }
      digest.update(littleEndian: Int32(truncatingIfNeeded: relationship.maxCount))
      digest.update(littleEndian: Int32(truncatingIfNeeded: relationship.minCount))
      if relationship.isOrdered { digest.update([1, 0]) }
    default: return base(of: property)
    }
    return digest.finish()
  }

  private static func base(of property: NSPropertyDescription) -> Data {
    let flags: UInt16 = (property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0) | (property.isReadOnly ? 4 : 0)
    var digest = SHA256Digest()
    digest.update(property.name.utf8)
    digest.update(littleEndian: flags)
    digest.update((property.versionHashModifier ?? "").utf8)
    return digest.finish()
  }

  /// The hash of an entity whose parent's hash is known.
  static func entity(_ entity: NSEntityDescription, parent: Data?) -> Data {
    var digest = SHA256Digest()
    digest.update((entity.name ?? "").utf8)
    digest.update([entity.isAbstract ? 1 : 0])
    digest.update(parent ?? Data())
    let hashed = entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    for property in hashed.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      digest.update(Self.property(property))
    }
    digest.update((entity.versionHashModifier ?? "").utf8)
    for constraint in entity.uniqueAttributeNames { digest.update(constraint.joined(separator: ".").utf8) }
    return digest.finish()
  }

  /// The hashes of all entities; each is computed once, parents before children.
  static func entities(of model: NSManagedObjectModel) -> [String: Data] {
    var hashes: [String: Data] = [:]
    var pending = model.entities.filter { $0.superentity == nil }.map { ($0, Data?.none) }
    // A parent outside the model still counts.
    pending += model.entities.filter { $0.superentity.map { $0.managedObjectModel !== model } ?? false }
      .map { ($0, $0.superentity?.versionHash) }
    while let (entity, parent) = pending.popLast() {
      let hash = Self.entity(entity, parent: parent)
      if let name = entity.name { hashes[name] = hash }
      pending += entity.subentities.map { ($0, hash) }
    }
    return hashes
  }

  /// The names and hashes in the order in which checksum and digest take them.
  static func sorted(_ hashes: [String: Data]) -> [(name: String, hash: Data)] {
    hashes.map { (name: $0.key, hash: $0.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// `NSStoreModelVersionChecksumKey`, base64.
  static func checksum(_ hashes: [String: Data]) -> String {
    var digest = SHA256Digest()
    for (_, hash) in sorted(hashes) { digest.update(hash) }
    return digest.finish().base64EncodedString()
  }

  /// `NSStoreModelVersionHashesDigest`, base64.
  static func digest(_ hashes: [String: Data]) -> String {
    var digest = SHA512Digest()
    for (name, hash) in sorted(hashes) {
      digest.update(name.utf8)
      digest.update(hash)
    }
    return digest.finish().base64EncodedString()
  }
}

extension NSPropertyDescription {
  /// The 32 bytes that tell whether two versions of the property store alike.
  ///
  /// Computed on each call.
  public var versionHash: Data { VersionHash.property(self) }
}

extension NSEntityDescription {
  /// The 32 bytes that tell whether two versions of the entity store alike.
  ///
  /// Covers properties, ancestors and uniqueness constraints. Computed on each call.
  public var versionHash: Data { VersionHash.entity(self, parent: superentity?.versionHash) }
}

extension NSManagedObjectModel {
  /// The version hash of each entity by name.
  ///
  /// Computed on each call.
  public var entityVersionHashesByName: [String: Data] { VersionHash.entities(of: self) }

  /// The base64 text that stands for all entity hashes together.
  public var versionChecksum: String { VersionHash.checksum(entityVersionHashesByName) }

  /// The base64 text that a store's metadata carries as the digest of names and hashes.
  var versionHashesDigest: String { VersionHash.digest(entityVersionHashesByName) }
}
