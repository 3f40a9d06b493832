// Foundation's `NSCompoundPredicate` prints and compares wrongly and stays the type's name all the same: a class of that
// name here would be ambiguous for a client that imports both modules. A function of that name is not, and wins over the
// initialiser it spells.

/// A compound of predicates by `AND`, `OR` or `NOT`.
///
/// `NOT` takes the first predicate. No predicates: `AND` is true, `OR` is false. Source: Apple, `NSCompoundPredicate`.
public func NSCompoundPredicate(
  type: Foundation.NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate]
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: type, subpredicates: subpredicates)
}

/// The predicates joined by `AND`; true for none.
public func NSCompoundPredicate(
  andPredicateWithSubpredicates subpredicates: [NSPredicate]
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .and, subpredicates: subpredicates)
}

/// The predicates joined by `OR`; false for none.
public func NSCompoundPredicate(
  orPredicateWithSubpredicates subpredicates: [NSPredicate]
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .or, subpredicates: subpredicates)
}

/// The predicate negated.
public func NSCompoundPredicate(
  notPredicateWithSubpredicate predicate: NSPredicate
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .not, subpredicates: [predicate])
}

/// Foundation's compound with a tree: prints, compares and copies as Apple's does.
final class CompoundPredicate: Foundation.NSCompoundPredicate, FormedPredicate {
  private(set) lazy var formed = PredicateForm(compoundPredicateType, of: subpredicates)

  // Foundation lets both be set.
  override var subpredicates: [NSPredicate] {
    didSet { formed = PredicateForm(compoundPredicateType, of: subpredicates) }
  }
  override var compoundPredicateType: LogicalType {
    didSet { formed = PredicateForm(compoundPredicateType, of: subpredicates) }
  }

  override var predicateFormat: String { formed.tree.format() }
  override var description: String { formed.tree.format() }
  override var hash: Int { formed.tree.hashValue }
  override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  override func copy(with zone: NSZone? = nil) -> Any {
    CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
  }
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    holds(for: object, bindings)
  }
}
