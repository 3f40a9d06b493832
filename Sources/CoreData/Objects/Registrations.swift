/// The live objects of one id, at most one a context.
///
/// Most ids are known to a single context, so the first registration needs no array.
struct Registrations {
  /// An object held weakly, with the context it belongs to.
  ///
  /// Sendable is unchecked: the object is given only to the context that registered it, which runs on its own queue;
  /// other threads compare the context's identity and touch nothing else.
  private struct Entry: @unchecked Sendable {
    let context: ObjectIdentifier
    weak var object: NSManagedObject?
  }
  private var first: Entry?
  private var others: [Entry] = []

  /// The object that a context has for the id.
  func object(in context: ObjectIdentifier) -> NSManagedObject? {
    if let first, first.context == context { return first.object }
    return others.first { $0.context == context }?.object
  }

  /// Makes an object the context's own for the id; forgets objects that are gone.
  mutating func register(_ object: NSManagedObject, in context: ObjectIdentifier) {
    let entry = Entry(context: context, object: object)
    if first?.object == nil || first?.context == context { return first = entry }
    others.removeAll { $0.object == nil || $0.context == context }
    others.append(entry)
  }
}
