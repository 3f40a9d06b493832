import CoreData

/// Reads the orders that people type after `--sort`: `name`, `price:desc`, `category.name:asc,created`.
enum SortText {
  /// The sort keys of a text, each an attribute of the entity or a path to one over to-one relationships.
  ///
  /// Throws `UsageError` for what is no sort key.
  static func parse(_ text: String, entity: NSEntityDescription) throws(UsageError) -> [ListSortKey] {
    var keys: [ListSortKey] = []
    for word in text.split(separator: ",") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 1 || parts.count == 2 && ["asc", "desc"].contains(parts[1]) else {
        throw UsageError("--sort \(word) is no sort key", "write KEY or KEY:desc")
      }
      try check(parts[0], entity)
      keys.append(ListSortKey(parts[0], ascending: parts.count == 1 || parts[1] == "asc"))
    }
    return keys
  }

  /// A path leads over to-one relationships to an attribute that a store keeps.
  private static func check(_ path: String, _ entity: NSEntityDescription) throws(UsageError) {
    var owner = entity
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (place, key) in keys.enumerated() {
      let relationship = owner.relationshipsByName[key]
      if place == keys.count - 1, let attribute = owner.attributesByName[key], !attribute.isTransient { return }
      guard let relationship, !relationship.isToMany, place < keys.count - 1,
        let next = relationship.destinationEntity
      else {
        if relationship == nil, owner.attributesByName[key] == nil { throw owner.unknownProperty(key) }
        throw UsageError(
          "--sort \(path): \(key) cannot be sorted by", "a path follows to-one relationships to an attribute")
      }
      owner = next
    }
  }
}
