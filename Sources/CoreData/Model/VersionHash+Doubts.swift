import Foundation

/// A property or entity whose version hash no known file confirms (reference HASHES, "Not settled").
struct VersionHashDoubt: Hashable, Sendable, CustomStringConvertible {
  let entity: String
  let property: String?
  let reason: String

  var description: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}

extension NSManagedObjectModel {
  /// What a writer must say before it claims that Apple's framework would compute the same hashes; sorted by place.
  var versionHashDoubts: [VersionHashDoubt] {
    entities.flatMap { entity -> [VersionHashDoubt] in
      let name = entity.name ?? ""
      var doubts: [VersionHashDoubt] = []
      if entity.uniqueAttributeNames.count > 1 {
        doubts.append(
          VersionHashDoubt(entity: name, property: nil, reason: "it has more than one uniqueness constraint"))
      }
      for property in entity.declaredProperties where !property.isTransient {
        guard let reason = Self.doubt(about: property) else { continue }
        doubts.append(VersionHashDoubt(entity: name, property: property.name, reason: reason))
      }
      return doubts
    }
    .sorted { $0.description < $1.description }
  }

  private static func doubt(about property: NSPropertyDescription) -> String? {
    if !property.name.utf8.allSatisfy({ $0 < 0x80 }) { return "its name is not plain ASCII" }
    switch property {
    case let derived as NSDerivedAttributeDescription:
      if derived.filter != nil { return "its derivation is filtered" }
      guard let text = derived.derivationExpressionText else { return "its derivation has no text" }
      return DerivationExpression(text) == nil ? "its derivation is neither a key path nor a function of one" : nil
    case is NSCompositeAttributeDescription: return "it is a composite"
    case let attribute as NSAttributeDescription:
      if attribute.allowsExternalBinaryDataStorage && attribute.preservesValueInHistoryOnDeletion {
        return "it is stored externally and kept in history"
      }
      return attribute.isReadOnly ? "it is read-only" : nil
    default: return nil
    }
  }
}
