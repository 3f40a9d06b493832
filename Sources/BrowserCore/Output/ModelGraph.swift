import CoreData
import Foundation

/// A model as a graph for Graphviz: entities with their attributes, inheritance, and each pair of relationships once.
struct ModelGraph {
  private let model: NSManagedObjectModel

  init(_ model: NSManagedObjectModel) {
    self.model = model
  }

  /// The graph in the dot language.
  var dot: String {
    let entities = model.entities.sorted { ModelOutput.precedes($0.name ?? "", $1.name ?? "") }
    var lines = ["digraph model {", "  rankdir=LR;", "  node [shape=record];"]
    for entity in entities {
      let attributes = entity.ownProperties.compactMap { $0 as? NSAttributeDescription }
        .map { Self.field("\($0.name): \($0.attributeType.title)") + "\\l" }
      let name = Self.field(entity.name ?? "") + (entity.isAbstract ? " (abstract)" : "")
      lines.append("  \(Self.quoted(entity.name ?? "")) [label=\"{\(name)|\(attributes.joined())}\"];")
    }
    for entity in entities {
      if let parent = entity.superentity?.name {
        lines.append("  \(Self.quoted(entity.name ?? "")) -> \(Self.quoted(parent)) [arrowhead=empty];")
      }
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        if let edge = Self.edge(relationship, from: entity.name ?? "") { lines.append(edge) }
      }
    }
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }

  /// An edge, made by the end that comes first.
  private static func edge(_ relationship: NSRelationshipDescription, from name: String) -> String? {
    guard let target = relationship.destinationEntity?.name else { return nil }
    func head(_ end: NSRelationshipDescription) -> String { end.isToMany ? "crow" : "normal" }
    let ends = "  \(quoted(name)) -> \(quoted(target))"
    guard let inverse = relationship.inverseRelationship, inverse !== relationship else {
      return "\(ends) [label=\(quoted(relationship.name)), arrowhead=\(head(relationship))];"
    }
    let (own, other) = ("\(name).\(relationship.name)", "\(inverse.entity?.name ?? "").\(inverse.name)")
    guard ModelOutput.precedes(own, other) else { return nil }
    let label = quoted("\(relationship.name) / \(inverse.name)")
    return "\(ends) [label=\(label), dir=both, arrowhead=\(head(relationship)), arrowtail=\(head(inverse))];"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars where scalar.value >= 0x20 {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// Text within a record, where braces, bars and angles have a meaning.
  private static func field(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars where scalar.value >= 0x20 {
      if "{}|<>\"\\".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
