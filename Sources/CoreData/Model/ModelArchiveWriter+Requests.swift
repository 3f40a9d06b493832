import Foundation

extension ModelArchiveWriter {
  /// Copies what came from another archive; entities in it become those of this model.
  mutating func copy(_ node: KeyedArchive.Node) throws -> Reference {
    let byName = model.entitiesByName
    let references = entityReferences
    return try archive.copy(node) { node in
      if node.isKind(of: "NSManagedObjectModel") || node.isKind(of: "NSPropertyDescription") { return .null }
      guard node.isKind(of: "NSEntityDescription") else { return nil }
      let entity = node["NSEntityName"]?.string.flatMap { byName[$0] }
      return entity.flatMap { references[ObjectIdentifier($0)] } ?? .null
    }
  }

  /// Writes a predicate: the archived graph where there is one, else the graph of its text.
  ///
  /// - Throws: `ArchiveError` when the text cannot be put in an archive.
  mutating func write(_ predicate: ModelPredicate) throws -> Reference {
    if let archived = predicate.archived { return try copy(archived) }
    return try PredicateArchiver.write(format: predicate.format ?? "", to: &archive)
  }

  /// Writes an expression: the archived graph where there is one, else the graph of its text.
  ///
  /// - Throws: `ArchiveError` when the text cannot be put in an archive.
  mutating func write(_ expression: ModelExpression) throws -> Reference {
    if let archived = expression.archived { return try copy(archived) }
    return try PredicateArchiver.write(expression: expression.text ?? "", to: &archive)
  }

  /// Writes a fetch request.
  mutating func write(_ template: FetchRequestTemplate) throws -> Reference {
    if let archived = template.archived { return try copy(archived) }
    let entity = template.entityName.flatMap { model.entitiesByName[$0] }
    let sorts = template.sorts.map { sort in
      archive.object(
        class: ["NSSortDescriptor", "NSObject"],
        [
          Entry("NSKey", archive.add(sort.key).value), Entry("NSAscending", .bool(sort.isAscending)),
          Entry("NSSelector", archive.add(sort.selector ?? "compare:").value),
        ])
    }
    let sortList = sorts.isEmpty ? .null : archive.collection(class: KeyedArchiveWriter.Class.array, sorts)
    // 2 and 8 are set in every known request.
    let flags =
      2 | 8 | (template.returnsDistinctResults ? 1 : 0) | (template.includesPropertyValues ? 4 : 0)
      | (template.includesPendingChanges ? 16 : 0)
    return archive.object(
      class: ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
      [
        Entry("NSEntity", (entity.map { reference(to: $0) } ?? .null).value),
        Entry("NSPredicate", try template.predicate.map { try write($0).value } ?? .uid(0)),
        Entry("NSSortDescriptors", sortList.value), Entry("NSValuesToFetch", .uid(0)),
        Entry("NSValuesToGroupBy", .uid(0)), Entry("NSHavingPredicate", .uid(0)),
        Entry("NSRelationshipKeyPathsForPrefetching", .uid(0)), Entry("NSHasFetchRequestFlags", .bool(true)),
        Entry("NSFetchRequestFlags", .integer(Int64(flags))),
        Entry("NSResultType", .integer(Int64(template.resultType))),
        Entry("NSFetchLimit", .integer(Int64(template.fetchLimit))),
        Entry("NSFetchOffset", .integer(Int64(template.fetchOffset))),
        Entry("NSBatchSize", .integer(Int64(template.fetchBatchSize))), Entry("NSAllocationType", .integer(0)),
      ])
  }
}
