/// A fetch request of a model, by its name: what a person can choose to see.
package struct ModelFetch: Hashable, Sendable {
  /// The name of the template.
  package var name: String
  /// The entity that is fetched.
  package var entity: String
  /// The predicate's canonical format; `nil` for all objects.
  package var format: String?
  /// The order.
  package var sort: [ListSortKey]
  /// The names of the variables that need a value, in the order in which they are met.
  package var variables: [String]

  /// A fetch.
  package init(name: String, entity: String, format: String?, sort: [ListSortKey], variables: [String]) {
    (self.name, self.entity, self.format, self.sort, self.variables) = (name, entity, format, sort, variables)
  }
}

extension NSManagedObjectModel {
  /// The fetch-request templates, by name; those of entities that the model does not have, or with a predicate that has no
  /// text, are left out.
  package var fetches: [ModelFetch] {
    fetchRequestTemplates.sorted { $0.key < $1.key }.compactMap { name, template in
      guard let entity = template.entityName, entitiesByName[entity] != nil else { return nil }
      let tree = template.predicate?.predicate?.tree
      if template.predicate != nil, tree == nil { return nil }
      return ModelFetch(
        name: name, entity: entity, format: tree.map { $0.format() },
        sort: template.sorts.map { ListSortKey($0.key, ascending: $0.isAscending) },
        variables: tree.map { PredicatePlaces.variables(of: $0.format()) } ?? [])
    }
  }
}
