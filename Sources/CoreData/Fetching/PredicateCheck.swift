import Foundation

/// Whether a store can be asked a predicate at all: what it names must be in the model, and kept by a store.
///
/// The texts are those that users of Apple's SQLite store see (reference/PREDICATES.md 34).
struct PredicateCheck {
  let entity: NSEntityDescription

  /// Throws an error of the Cocoa domain for the first thing that cannot be asked.
  func check(_ tree: PredicateTree) throws {
    try tree.forEachKeyPath(from: entity) { path in
      guard let start = path.entity else { return }
      let end = try follow(path.keys, from: start)
      guard end.crossesToMany, !end.isAggregated else { return }
      switch path.role {
      case .many: break
      case .single: throw Self.refusal("to-many key not allowed here")
      case .argument(let text): throw Self.refusal("Unsupported function expression \(text)")
      }
    }
  }

  /// What a sort descriptor sorts by; throws for one that only memory can sort by.
  func sortKey(of descriptor: NSSortDescriptor) throws -> SortKey {
    guard let sort = descriptor.sortKey else {
      throw NSError.coreData(NSCoreDataError, descriptor.refusal ?? "unsupported NSSortDescriptor")
    }
    try checkSort(sort.key)
    return sort
  }

  /// Throws unless a fetch can be sorted by a key path: attributes and objects behind to-one relationships.
  ///
  /// Without a path it is the objects themselves.
  func checkSort(_ keyPath: String?) throws {
    let keys = (keyPath ?? "self").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if try follow(keys, from: entity).crossesToMany { throw Self.refusal("to-many key not allowed here") }
  }

  private func follow(
    _ keys: [String], from start: NSEntityDescription
  ) throws -> (crossesToMany: Bool, isAggregated: Bool) {
    var current = start
    var crossesToMany = false
    for (place, key) in keys.enumerated() where key != "self" && key != "SELF" {
      if key.utf8.first == UInt8(ascii: "@") {
        if !crossesToMany { throw unknown(keys, start) }
        try _ = follow(Array(keys[(place + 1)...]), from: current)
        return (true, true)
      }
      guard let property = current.propertiesByName[key], !property.isTransient,
        !(property is NSFetchedPropertyDescription)
      else { throw unknown(keys, start) }
      guard let relationship = property as? NSRelationshipDescription else {
        // What is behind an attribute belongs to its value: a string's length, a URL's host.
        return (crossesToMany, false)
      }
      if relationship.isToMany { crossesToMany = true }
      guard let next = relationship.destinationEntity else { throw unknown(keys, start) }
      current = next
    }
    return (crossesToMany, false)
  }

  private func unknown(_ keys: [String], _ start: NSEntityDescription) -> NSError {
    Self.refusal("keypath \(keys.joined(separator: ".")) not found in entity \(start.name ?? "")")
  }

  static func refusal(_ text: String) -> NSError { .coreData(NSCoreDataError, text) }
}
