import Foundation

extension NSManagedObjectModel {
  /// Whether a store with this metadata was made with the same versions of the configuration's entities.
  ///
  /// True when the metadata's `NSStoreModelVersionHashes` name exactly these entities with these hashes.
  public func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data],
      let entities = entities(forConfigurationName: configuration)
    else { return false }
    let names = Set(entities.compactMap(\.name))
    return entityVersionHashesByName.filter { names.contains($0.key) } == stored
  }

  /// The entities whose hashes differ from a store's, or that only one side has; sorted by name.
  func entityNamesDiffering(from storeHashes: [String: Data]) -> [String] {
    let own = entityVersionHashesByName
    return Set(own.keys).union(storeHashes.keys).filter { own[$0] != storeHashes[$0] }.sorted()
  }

  /// One model of the entities of several; nil for none.
  ///
  /// An entity that occurs twice must be the same in both, or the program stops, as with Apple's framework.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models, !models.isEmpty else { return nil }
    self.init()
    merge(models)
  }

  /// One model of those entities of several models whose hashes are a store's; nil when one is missing.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] else { return nil }
    let fitting = models.filter { model in
      let hashes = model.entityVersionHashesByName
      return !hashes.isEmpty && hashes.allSatisfy { stored[$0.key] == $0.value }
    }
    guard Set(fitting.flatMap { $0.entitiesByName.keys }) == Set(stored.keys) else { return nil }
    self.init()
    merge(fitting)
  }

  /// A model merged from the models found in bundles: `.momd` and `.mom` in their resources, sorted by name.
  ///
  /// Nil bundles stand for the main bundle. Nil when there is no model.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    NSManagedObjectModel(byMerging: models(in: bundles))
  }

  /// A model merged from those in bundles that a store was made with; nil when they do not cover it.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    NSManagedObjectModel(byMerging: models(in: bundles), forStoreMetadata: metadata)
  }

  private class func models(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
    let places = (bundles ?? [.main]).flatMap { bundle in
      ["momd", "mom", "xcdatamodeld"].flatMap { kind in
        (bundle.urls(forResourcesWithExtension: kind, subdirectory: nil) ?? []).map {
          URL(fileURLWithPath: $0.path ?? "")
        }
      }
    }
    return places.sorted { $0.path < $1.path }.compactMap { NSManagedObjectModel(contentsOf: $0) }
  }

  private func merge(_ models: [NSManagedObjectModel]) {
    var merged: [NSEntityDescription] = []
    var hashes: [String: Data] = [:]
    let copies = models.compactMap { $0.copy() as? NSManagedObjectModel }
    for copy in copies {
      let copyHashes = copy.entityVersionHashesByName
      for entity in copy.entities {
        guard let name = entity.name else { continue }
        if let known = hashes[name] {
          precondition(known == copyHashes[name], "Can't merge models with two different entities named '\(name)'")
        } else {
          hashes[name] = copyHashes[name]
          merged.append(entity)
        }
      }
    }
    // Entities move over; those that lead to a dropped twin are led to the one that stays.
    entities = merged
    let byName = entitiesByName
    for entity in merged {
      entity.subentities = entity.subentities.compactMap { $0.name.flatMap { byName[$0] } }
      for case let relationship as NSRelationshipDescription in entity.declaredProperties {
        let inverse = relationship.inverseRelationship?.name
        relationship.destinationEntity = relationship.destinationEntity?.name.flatMap { byName[$0] }
        relationship.inverseRelationship = inverse.flatMap { relationship.destinationEntity?.relationship(named: $0) }
      }
    }
    for copy in copies {
      versionIdentifiers.formUnion(copy.versionIdentifiers)
      for name in copy.configurations {
        let members = (copy.entities(forConfigurationName: name) ?? []).compactMap { $0.name.flatMap { byName[$0] } }
        let known = entities(forConfigurationName: name) ?? []
        setEntities(known + members.filter { member in !known.contains { $0 === member } }, forConfigurationName: name)
      }
      fetchRequestTemplates.merge(copy.fetchRequestTemplates) { first, _ in first }
    }
  }
}

extension NSManagedObjectModel {
  /// Whether a store of a configuration holds an entity: its own, and those of their trees; all without a configuration.
  func holds(_ name: String, in configuration: String?) -> Bool {
    guard let configuration, let members = entities(forConfigurationName: configuration) else { return true }
    guard let root = entitiesByName[name]?.rootEntity else { return false }
    return members.contains { $0.rootEntity === root }
  }
}
