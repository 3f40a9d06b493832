import Foundation

/// Links parents and children that were read from outside, and refuses what would not end.
enum InheritanceBuilder {
  /// No model nests this deep; beyond it, the model is damaged.
  static let depthLimit = 200
  /// Properties of all entities, inherited ones counted again; the largest known model has some 3,000.
  static let propertyLimit = 500_000

  /// Makes each entity a child of its parent.
  ///
  /// - Throws: `ArchiveError` when parents go in a circle or nest too deeply.
  static func link(_ pairs: [(entity: NSEntityDescription, parent: NSEntityDescription?)]) throws {
    let parents = Dictionary(
      pairs.compactMap { pair in pair.parent.map { (ObjectIdentifier(pair.entity), $0) } },
      uniquingKeysWith: { first, _ in first })
    var children: [ObjectIdentifier: [NSEntityDescription]] = [:]
    for (entity, parent) in pairs {
      var depth = 0
      var ancestor = parent
      while let current = ancestor {
        depth += 1
        guard depth <= depthLimit, current !== entity else { throw ArchiveError("the model's inheritance is no tree") }
        ancestor = parents[ObjectIdentifier(current)]
      }
      if let parent { children[ObjectIdentifier(parent), default: []].append(entity) }
    }
    for (entity, _) in pairs {
      if let found = children[ObjectIdentifier(entity)] { entity.subentities = found }
    }
  }

  /// How many ancestors an entity has.
  static func depth(of entity: NSEntityDescription) -> Int {
    var depth = 0
    var ancestor = entity.superentity
    while let current = ancestor {
      depth += 1
      ancestor = current.superentity
    }
    return depth
  }

  /// Refuses a model whose inherited properties multiply beyond reason.
  ///
  /// - Throws: `ArchiveError` beyond `propertyLimit`.
  static func checkSize(_ model: NSManagedObjectModel) throws {
    var total = 0
    for entity in model.entities {
      var ancestor: NSEntityDescription? = entity
      while let current = ancestor {
        total += current.declaredProperties.count
        ancestor = current.superentity
      }
      guard total <= propertyLimit else { throw ArchiveError("the model has too many properties") }
    }
  }
}
