import Foundation

/// An expression whose value is what a fetch finds: `FETCH(request, context, countOnly)`.
///
/// It can be evaluated in memory, on the context's queue; a store cannot be asked it. Source: Apple,
/// "NSFetchRequestExpression".
public final class NSFetchRequestExpression: NSExpression {
  /// An expression that executes the value of one expression, a fetch request, in the value of another, a context; it gives
  /// the objects found, or their number.
  public static func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool
  ) -> NSFetchRequestExpression {
    var captures = fetch.captures
    captures.merge(context.captures)
    return NSFetchRequestExpression(
      .fetch(fetch.tree, context: context.tree, countOnly: .constant(.bool(countOnly))), captures)
  }

  /// What gives the request.
  public var requestExpression: NSExpression { NSExpression(parts.request, captures) }
  /// What gives the context.
  public var contextExpression: NSExpression { NSExpression(parts.context, captures) }
  /// Whether the value is the number of objects.
  public var isCountOnlyRequest: Bool { parts.countOnly == .constant(.bool(true)) }

  private var parts: (request: ExpressionTree, context: ExpressionTree, countOnly: ExpressionTree) {
    guard case .fetch(let request, let context, let countOnly) = tree else {
      return (.constant(.null), .constant(.null), .constant(.null))
    }
    return (request, context, countOnly)
  }
}

extension PredicateEvaluator {
  /// What a fetch finds: objects in the request's order, or their number.
  func fetch(
    _ request: PredicateValue, in context: PredicateValue, countOnly: PredicateValue
  ) throws(PredicateError) -> PredicateValue {
    guard let request = request.anyValue(captures) as? any ExecutableFetch,
      let context = context.anyValue(captures) as? NSManagedObjectContext
    else { throw PredicateError("FETCH needs a fetch request and a context") }
    let isCount =
      if case .constant(let constant) = countOnly { constant.doubleValue.map { $0 != 0 } ?? false } else { false }
    do {
      return isCount
        ? .integer(Int64(try request.count(in: context))) : PredicateValue(try request.results(in: context))
    } catch {
      throw PredicateError("\(error.localizedDescription)")
    }
  }
}

/// A fetch request of any type of results.
private protocol ExecutableFetch {
  func results(in context: NSManagedObjectContext) throws -> [Any]
  func count(in context: NSManagedObjectContext) throws -> Int
}

extension NSFetchRequest: ExecutableFetch {
  func results(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }
  func count(in context: NSManagedObjectContext) throws -> Int { try context.count(for: self) }
}
