// Foundation's `NSCompoundPredicate` prints and compares wrongly, and stays the type of that name all the same: a second
// class would make the name ambiguous for a client that imports both modules. Functions of that name do not, and win over
// the initialisers they spell, in every order of imports. Two things are the compiler's: with three functions that differ
// in nothing but a label the call is ambiguous again, unless they take a parameter more (`_ unused`); and a function for
// `init(type:subpredicates:)` is always ambiguous, so that this one makes Foundation's own class. Its `tree` is right.

/// The predicates joined by `AND`; true for none.
public func NSCompoundPredicate(
  andPredicateWithSubpredicates subpredicates: [NSPredicate]
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .and, subpredicates: subpredicates)
}

/// The predicates joined by `OR`; false for none.
public func NSCompoundPredicate(
  orPredicateWithSubpredicates subpredicates: [NSPredicate], _ unused: Void = ()
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .or, subpredicates: subpredicates)
}

/// The predicate negated.
public func NSCompoundPredicate(
  notPredicateWithSubpredicate predicate: NSPredicate, _ unused: Void = ()
) -> Foundation.NSCompoundPredicate {
  CompoundPredicate(type: .not, subpredicates: [predicate])
}

/// Foundation's compound with a tree: prints, compares and copies as Apple's does.
final class CompoundPredicate: Foundation.NSCompoundPredicate, FormedPredicate {
  private(set) lazy var formed = PredicateForm(compoundPredicateType, of: subpredicates)
  private(set) lazy var compiled = CompiledPredicate(formed, nulls: .memory)

  // Foundation lets both be set.
  override var subpredicates: [NSPredicate] {
    didSet { renew() }
  }
  override var compoundPredicateType: LogicalType {
    didSet { renew() }
  }

  private func renew() {
    formed = PredicateForm(compoundPredicateType, of: subpredicates)
    compiled = CompiledPredicate(formed, nulls: .memory)
  }

  override var predicateFormat: String { formed.tree.format() }
  override var description: String { formed.tree.format() }
  override var hash: Int { formed.tree.compared.hashValue }
  override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  override func copy(with zone: NSZone? = nil) -> Any {
    CompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
  }
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    holds(for: object, bindings)
  }
}
