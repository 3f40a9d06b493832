import Foundation

extension NSManagedObjectModel {
  /// Fills this empty model with copies of another's entities; relationships and indexes lead to the copies.
  func take(from other: NSManagedObjectModel) {
    var copies: [ObjectIdentifier: NSEntityDescription] = [:]
    func copy(of entity: NSEntityDescription?) -> NSEntityDescription? {
      entity.map { copies[ObjectIdentifier($0)] ?? $0 }
    }
    for entity in other.entities { copies[ObjectIdentifier(entity)] = entity.copy() as? NSEntityDescription }
    entities = other.entities.compactMap { copies[ObjectIdentifier($0)] }
    for entity in other.entities {
      copy(of: entity)?.subentities = entity.subentities.compactMap { copy(of: $0) }
    }
    for entity in entities { redirect(entity, to: copy) }
    versionIdentifiers = other.versionIdentifiers
    isInferred = other.isInferred
    localizationDictionary = other.localizationDictionary
    fetchRequestTemplates = other.fetchRequestTemplates
    for (name, members) in other.entitiesByConfiguration {
      setEntities(members.compactMap { copy(of: $0) }, forConfigurationName: name)
    }
  }

  private func redirect(_ entity: NSEntityDescription, to copy: (NSEntityDescription?) -> NSEntityDescription?) {
    for case let relationship as NSRelationshipDescription in entity.declaredProperties {
      let inverseName = relationship.inverseRelationship?.name
      relationship.destinationEntity = copy(relationship.destinationEntity)
      relationship.inverseRelationship = inverseName.flatMap {
        relationship.destinationEntity?.relationship(named: $0)
      }
    }
    for index in entity.indexes {
      index.elements = index.elements.map { element in
        guard let property = entity.property(named: element.propertyName) else { return element }
        let redirected = NSFetchIndexElementDescription(property: property, collationType: element.collationType)
        redirected.isAscending = element.isAscending
        return redirected
      }
    }
  }
}
