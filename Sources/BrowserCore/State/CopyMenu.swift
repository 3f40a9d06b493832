import CoreData

/// The forms in which a filter can be copied, and the one that is chosen.
struct CopyMenu: Hashable, Sendable {
  /// A form with its text.
  struct Form: Hashable, Sendable {
    var title: String
    /// `nil` where the filter has no such form.
    var text: String?
    /// Why it has none.
    var reason = ""
  }

  var forms: [Form]
  var selected = 0

  /// The forms of a filter of an entity's objects.
  init(_ filter: PredicateTree, of entity: NSEntityDescription, sort: [ListSortKey]) {
    forms = [
      Self.form("format string") { try PredicateSource.format(filter) },
      Self.form("Swift NSPredicate") { try PredicateSource.predicate(filter) },
      Self.form("Swift #Predicate") { try PredicateSource.macro(filter, of: entity) },
      Self.form("fetch request") {
        try PredicateSource.request(
          filter, of: entity, sort: sort.map { SortKey(key: $0.key, ascending: $0.ascending) })
      },
    ]
  }

  private static func form(_ title: String, _ text: () throws -> String) -> Form {
    do { return Form(title: title, text: try text()) } catch {
      return Form(title: title, text: nil, reason: "\(error)")
    }
  }

  /// The chosen form.
  var form: Form? { forms.indices.contains(selected) ? forms[selected] : nil }
}
