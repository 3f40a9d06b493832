import Foundation

/// Why a model does not serve a store: the entities whose version hashes are not the store's.
package struct ModelMismatch: Sendable, Equatable {
  /// One entity and what is known about it.
  package struct Entity: Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with an entity.
    package enum Kind: Sendable, Equatable {
      /// Both have it, with different hashes.
      case differs
      /// Only the model has it.
      case notInStore
      /// Only the store has it.
      case notInModel
    }

    /// The entity's name.
    package let name: String
    /// What is wrong.
    package let kind: Kind
    /// What differs, as in `owner optional: yes in the model, no in the store`; empty when only hashes are known.
    package let details: [String]

    /// The name with the details in parentheses.
    package var description: String {
      let facts =
        switch kind {
        case .differs: details
        case .notInStore: ["not in the store"]
        case .notInModel: ["not in the model"]
        }
      return facts.isEmpty ? name : "\(name) (\(facts.joined(separator: "; ")))"
    }
  }

  /// The entities, sorted by name; never empty.
  package let entities: [Entity]

  /// Compares a model with the hashes of a store; nil when it serves.
  ///
  /// `storeModel` is the model that the store carries, if it carries one that can be read: it tells what differs.
  package init?(_ model: NSManagedObjectModel, storeHashes: [String: Data], storeModel: NSManagedObjectModel?) {
    let names = model.entityNamesDiffering(from: storeHashes)
    guard !names.isEmpty else { return nil }
    let known = model.entitiesByName
    let differences = storeModel.map { model.differences(from: $0).filter(\.affectsHash) } ?? []
    entities = names.map { name in
      let kind: Entity.Kind =
        known[name] == nil ? .notInModel : storeHashes[name] == nil ? .notInStore : .differs
      let line = Self.line(of: known[name])
      let own = differences.filter { line.contains($0.place.components(separatedBy: ".")[0]) }
      return Entity(name: name, kind: kind, details: kind == .differs ? own.map { Self.text($0, in: name) } : [])
    }
  }

  /// The names of an entity and its ancestors, whose properties its hash covers.
  private static func line(of entity: NSEntityDescription?) -> Set<String> {
    var names: Set<String> = []
    var current = entity
    while let entity = current, names.insert(entity.name ?? "").inserted { current = entity.superentity }
    return names
  }

  private static func text(_ difference: ModelDifference, in entity: String) -> String {
    let place = difference.place.hasPrefix(entity + ".") ? String(difference.place.dropFirst(entity.count + 1)) : ""
    let subject = place.isEmpty && difference.place != entity ? difference.place : place
    if difference.fact.isEmpty {
      return "\(subject) is not in the \(difference.first == nil ? "model" : "store")"
    }
    let first = ModelDifference.text(difference.first, beside: difference.second)
    let second = ModelDifference.text(difference.second, beside: difference.first)
    let fact = [subject, difference.fact].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(fact): \(first) in the model, \(second) in the store"
  }

  /// All entities in one line, of which the first eight are told.
  package var summary: String {
    let told = entities.prefix(8).map(\.description).joined(separator: ", ")
    return entities.count > 8 ? "\(told), and \(entities.count - 8) more" : told
  }
}
