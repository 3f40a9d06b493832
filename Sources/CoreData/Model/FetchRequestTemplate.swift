import Foundation

/// A fetch request as a model states it: of a fetched property, or a template under a name.
///
/// Held as data because a model outlives every context; the fetching layer makes an `NSFetchRequest` of it.
struct FetchRequestTemplate {
  /// One key to sort by.
  struct Sort: Hashable, Sendable {
    var key: String
    var isAscending: Bool
    /// The comparison's selector, such as `compare:`.
    var selector: String?
  }

  var entityName: String?
  var predicate: ModelPredicate?
  var sorts: [Sort] = []
  /// 0 objects, 1 object ids, 2 dictionaries, 4 a count.
  var resultType = 0
  var fetchLimit = 0
  var fetchOffset = 0
  var fetchBatchSize = 0
  var includesSubentities = true
  var includesPropertyValues = true
  var includesPendingChanges = true
  var returnsObjectsAsFaults = true
  var returnsDistinctResults = false
  /// The archived request, from which a writer takes what is not stated above.
  var archived: KeyedArchive.Node?

  /// Sets the flags that the compiler gives a request of a result type, seen in pairs of XML and .mom.
  mutating func takeUsualFlags(ofResultType type: Int) {
    resultType = type
    includesPropertyValues = type != 1
    includesPendingChanges = type != 2
  }
}
