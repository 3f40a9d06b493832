import Foundation

/// One thing in which two models differ.
struct ModelDifference: Hashable, Sendable, CustomStringConvertible {
  /// Such as `Car` or `Car.owner`; empty for the model itself.
  let place: String
  /// Such as `optional`; empty when the whole entity or property is missing on one side.
  let fact: String
  let first: String?
  let second: String?

  var description: String {
    let subject = [place, fact].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(subject): \(first ?? "absent") and \(second ?? "absent")"
  }
}

extension NSManagedObjectModel {
  /// Where another model differs from this one, sorted by place and fact; empty for equal models.
  ///
  /// Order of entities and properties does not count, for a model's file does not keep it.
  func differences(from other: NSManagedObjectModel) -> [ModelDifference] {
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
