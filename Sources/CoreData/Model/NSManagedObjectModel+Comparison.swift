import Foundation

/// One thing in which two models differ.
package struct ModelDifference: Hashable, Sendable, CustomStringConvertible {
  /// Such as `Car` or `Car.owner`; empty for the model itself.
  package let place: String
  /// Such as `optional`; empty when the whole entity, property or index is missing on one side.
  package let fact: String
  /// What the first model says; nil for nothing.
  package let first: String?
  /// What the second model says; nil for nothing.
  package let second: String?

  /// The place, the fact and what both say, as in `Car.owner optional: yes and no`.
  package var description: String {
    let subject = [place, fact].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(subject): \(Self.text(first, beside: second)) and \(Self.text(second, beside: first))"
  }

  /// Whether stores of the two models differ for it: the fact is part of a version hash (reference HASHES, dependency table).
  package var affectsHash: Bool {
    fact.isEmpty ? !place.isEmpty && !place.contains(" index ") : Self.hashedFacts.contains(fact)
  }

  private static let hashedFacts: Set = [
    "abstract", "parent", "modifier", "unique", "kind", "optional", "transient", "read-only", "type", "external",
    "kept in history", "destination", "inverse", "count", "ordered", "derivation", "filter", "parts",
  ]

  /// What one side says; a flag that is not there says no.
  static func text(_ value: String?, beside other: String?) -> String {
    value ?? (other == "yes" ? "no" : "absent")
  }
}

extension NSManagedObjectModel {
  /// Where another model differs from this one, sorted by place and fact; empty for equal models.
  ///
  /// Order of entities and properties does not count, for a model's file does not keep it.
  package func differences(from other: NSManagedObjectModel) -> [ModelDifference] {
    let first = ModelFacts(self).facts
    let second = ModelFacts(other).facts
    var result: [ModelDifference] = []
    for place in Set(first.keys).union(second.keys).sorted() {
      guard let left = first[place], let right = second[place] else {
        let isFirst = first[place] != nil
        result.append(
          ModelDifference(
            place: place, fact: "", first: isFirst ? "present" : nil, second: isFirst ? nil : "present"))
        continue
      }
      for fact in Set(left.keys).union(right.keys).sorted() where left[fact] != right[fact] {
        result.append(ModelDifference(place: place, fact: fact, first: left[fact], second: right[fact]))
      }
    }
    return result
  }
}
