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
    /// What goes, each with the relationship that it was come by.
    private var going: [(object: NSManagedObject, by: NSRelationshipDescription?)] = []
    private var seen: Set<NSManagedObjectID> = []

    init(_ edits: Edits) { self.edits = edits }

    /// What deleting the objects would take along.
    mutating func preview(of keys: [ObjectKey]) throws -> DeletePreview {
      for key in keys {
        let object = try edits.object(key)
        if seen.insert(object.objectID).inserted {
          count(object, Road(fate: .chosen, entity: object.entity.name ?? ""))
          going.append((object, nil))
        }
      }
      var next = 0
      while next < going.count {
        readRows(from: next)
        follow(.cascadeDeleteRule, from: next) { walk, object, relationship in
          guard walk.seen.insert(object.objectID).inserted else { return }
          walk.count(object, Self.road(.cascaded, object, relationship))
          walk.going.append((object, relationship))
        }
        next += 1
      }
      var told: [Road: Set<NSManagedObjectID>] = [:]
      for index in going.indices {
        for rule in [NSDeleteRule.nullifyDeleteRule, .denyDeleteRule] {
          follow(rule, from: index) { walk, object, relationship in
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

    /// Reads the rows of what goes in pages, as the walk comes by.
    private func readRows(from index: Int) {
      guard index % Self.page == 0 else { return }
      edits.context.readRows(of: going[index..<min(index + Self.page, going.count)].map(\.object))
    }

    private static let page = 500

    private mutating func follow(
      _ rule: NSDeleteRule, from index: Int,
      _ body: (inout DeleteWalk, NSManagedObject, NSRelationshipDescription) -> Void
    ) {
      let (object, road) = going[index]
      for name in object.entity.listedPropertyNames {
        guard let relationship = object.entity.relationshipsByName[name], relationship.deleteRule == rule else {
          continue
        }
        // The way back leads to what goes as well.
        if !relationship.isToMany, let road, relationship.inverseRelationship === road { continue }
        for end in ends(of: relationship, from: object) where !end.isDeleted { body(&self, end, relationship) }
      }
    }

    /// The objects of a relationship, in their order or else by key.
    private func ends(of relationship: NSRelationshipDescription, from object: NSManagedObject) -> [NSManagedObject] {
      switch object.value(forKey: relationship.name) {
      case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
      case let set as NSSet:
        set.allObjects.compactMap { $0 as? NSManagedObject }
          .map { (edits.key(of: $0)?.primaryKey ?? 0, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
      case let one as NSManagedObject: [one]
      default: []
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
