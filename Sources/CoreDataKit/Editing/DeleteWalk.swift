#if os(Linux)
  import CoreData

  /// Walks the delete rules from some objects on, and counts what a delete would take along; changes nothing.
  ///
  /// Keeps an id for each object that it comes by, and a name for the first few of each line.
  struct DeleteWalk {
    private struct Road: Hashable {
      var fate: DeletePreview.Line.Fate
      var entity: String
      var relationship: String?
    }
    /// The names of more objects than these are not told.
    static let exampleLimit = 5

    private let edits: Edits
    private var lines: [DeletePreview.Line] = []
    private var numbers: [Road: Int] = [:]
    private var going: [NSManagedObject] = []
    private var seen: Set<NSManagedObjectID> = []

    init(_ edits: Edits) { self.edits = edits }

    /// What deleting the objects would take along.
    mutating func preview(of keys: [ObjectKey]) throws -> DeletePreview {
      for key in keys {
        let object = try edits.object(key)
        if seen.insert(object.objectID).inserted {
          count(object, Road(fate: .chosen, entity: object.entity.name ?? ""))
          going.append(object)
        }
      }
      var next = 0
      while next < going.count {
        follow(.cascadeDeleteRule, from: going[next]) { walk, object, relationship in
          guard walk.seen.insert(object.objectID).inserted else { return }
          walk.count(object, Self.road(.cascaded, object, relationship))
          walk.going.append(object)
        }
        next += 1
      }
      var told: [Road: Set<NSManagedObjectID>] = [:]
      for object in going {
        for rule in [NSDeleteRule.nullifyDeleteRule, .denyDeleteRule] {
          follow(rule, from: object) { walk, object, relationship in
            // Those that go as well lose nothing and forbid nothing.
            guard !walk.seen.contains(object.objectID) else { return }
            guard rule == .denyDeleteRule || relationship.inverseRelationship != nil else { return }
            let road =
              rule == .denyDeleteRule
              ? Self.road(.denying, object, relationship)
              : Self.road(.nullified, object, relationship.inverseRelationship ?? relationship)
            if told[road, default: []].insert(object.objectID).inserted { walk.count(object, road) }
          }
        }
      }
      let order: [DeletePreview.Line.Fate] = [.chosen, .cascaded, .nullified, .denying]
      return DeletePreview(lines: order.flatMap { fate in lines.filter { $0.fate == fate } })
    }

    private static func road(
      _ fate: DeletePreview.Line.Fate, _ object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) -> Road {
      Road(
        fate: fate, entity: object.entity.name ?? "",
        relationship: "\(relationship.entity?.name ?? "").\(relationship.name)")
    }

    private mutating func follow(
      _ rule: NSDeleteRule, from object: NSManagedObject,
      _ body: (inout DeleteWalk, NSManagedObject, NSRelationshipDescription) -> Void
    ) {
      for name in object.entity.listedPropertyNames {
        guard let relationship = object.entity.relationshipsByName[name], relationship.deleteRule == rule else {
          continue
        }
        let value = object.value(forKey: name)
        let ends: [Any] =
          if let ordered = value as? NSOrderedSet { ordered.array } else if let set = value as? NSSet {
            set.allObjects
          } else {
            value.map { [$0] } ?? []
          }
        for case let end as NSManagedObject in ends where !end.isDeleted { body(&self, end, relationship) }
      }
    }

    private mutating func count(_ object: NSManagedObject, _ road: Road) {
      guard let number = numbers[road] else {
        numbers[road] = lines.count
        lines.append(
          .init(
            fate: road.fate, entity: road.entity, relationship: road.relationship, count: 1,
            examples: [name(of: object)]))
        return
      }
      lines[number].count += 1
      if lines[number].examples.count < Self.exampleLimit { lines[number].examples.append(name(of: object)) }
    }

    private func name(of object: NSManagedObject) -> String {
      if let name = edits.displayName(of: object), !name.isEmpty { return name }
      return edits.key(of: object).flatMap { $0.primaryKey > 0 ? "p\($0.primaryKey)" : nil } ?? "new"
    }
  }
#endif
