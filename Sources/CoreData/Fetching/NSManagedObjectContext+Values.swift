import Foundation

extension NSManagedObjectContext {
  /// Different values of an attribute for a person to choose from, `limit` at most, the most frequent first.
  ///
  /// Only so many rows are looked at, from both ends of the table, that the cost does not depend on its size: a value that
  /// is rare can be missing. Strings and numbers begin with `prefix`, whatever the case. Ours, Apple has no such method. Runs
  /// on the context's queue; throws `CocoaError.userCancelled` once `cancellation` is used.
  public func listValues(
    of attribute: String, entity: String, prefix: String, limit: Int, cancellation: FetchCancellation? = nil
  ) throws -> [CellValue] {
    try listStore().values(
      of: attribute, entity: entity, prefix: prefix, limit: limit, cancellation: cancellation)
  }
}
