/// A predicate as a tree, together with what the tree cannot hold.
package struct PredicateForm {
  package var tree: PredicateTree
  package var captures: Captures

  package init(_ tree: PredicateTree, _ captures: Captures = Captures()) {
    self.tree = tree
    self.captures = captures
  }

  /// What a predicate says.
  ///
  /// A class that the tree does not know is held as a block.
  package init(_ predicate: NSPredicate) {
    if let formed = predicate as? any FormedPredicate {
      self = formed.formed
    } else if type(of: predicate) == Foundation.NSCompoundPredicate.self,
      let compound = predicate as? Foundation.NSCompoundPredicate
    {
      self.init(compound.compoundPredicateType, of: compound.subpredicates)
    } else if type(of: predicate) == NSPredicate.self, let value = Self.constants[predicate.foundationFormat] {
      self.init(.value(value))
    } else {
      var captures = Captures()
      let id = captures.hold(predicate, text: "BLOCKPREDICATE(\(UInt(bitPattern: ObjectIdentifier(predicate))))")
      self.init(.block(id), captures)
    }
  }

  /// A compound of predicates; a negation negates the first.
  package init(_ type: Foundation.NSCompoundPredicate.LogicalType, of predicates: [NSPredicate]) {
    captures = Captures()
    var children: [PredicateTree] = []
    for form in predicates.map(PredicateForm.init) {
      children.append(form.tree)
      captures.merge(form.captures)
    }
    tree =
      switch type {
      case .and: .and(children)
      case .or: .or(children)
      case .not: children.first.map(PredicateTree.not) ?? .value(true)
      }
  }

  /// Parses a format string.
  package init(format: String, arguments: [Any]) throws(PredicateParseError) {
    var parser = try PredicateParser(format, FormatArguments(arguments))
    tree = try parser.wholePredicate()
    captures = parser.arguments.captures
  }

  /// The predicate object of that meaning: a comparison, a compound, or a plain predicate, as on Apple's platforms.
  package var predicate: NSPredicate {
    switch tree {
    case .comparison(let comparison): NSComparisonPredicate(comparison, captures)
    case .not(let child): CompoundPredicate(type: .not, subpredicates: [PredicateForm(child, captures).predicate])
    case .and(let children):
      CompoundPredicate(type: .and, subpredicates: children.map { PredicateForm($0, captures).predicate })
    case .or(let children):
      CompoundPredicate(type: .or, subpredicates: children.map { PredicateForm($0, captures).predicate })
    case .value, .block: PlainPredicate(self)
    }
  }

  /// What Foundation's own constant predicates print.
  private static let constants = ["TRUEPREDICATE": true, "FALSEPREDICATE": false]
}

/// A predicate of one of this module's classes.
protocol FormedPredicate: NSPredicate {
  var formed: PredicateForm { get }
  /// The same, ready for many objects, with the nil rules of memory.
  var compiled: CompiledPredicate { get }
}

extension FormedPredicate {
  /// Evaluates as Apple's predicates do in memory; raises what they raise.
  func holds(for object: Any?, _ variables: [String: Any]?) -> Bool {
    do {
      guard let variables, !variables.isEmpty else { return try compiled.evaluate(PredicateValue(object)) ?? false }
      return try formed.evaluate(with: object, variables: variables)
    } catch {
      fatalError("*** Terminating app due to uncaught exception '\(error.name)', reason: '\(error.reason)'")
    }
  }

  func isSame(as other: Any?) -> Bool {
    guard let other = other as? NSPredicate else { return false }
    return other === self || PredicateForm(other).tree.compared == formed.tree.compared
  }
}

extension PredicateForm {
  /// Whether the predicate holds for the object, by the rules for memory (PREDICATES.md, section 4).
  package func evaluate(with object: Any?, variables: [String: Any] = [:]) throws(PredicateError) -> Bool {
    let evaluator = PredicateEvaluator(captures, bindings: variables, nulls: .memory)
    return try evaluator.evaluate(tree, PredicateValue(object)) ?? false
  }
}

/// Reads Foundation's `predicateFormat` without the warning attached to it.
private protocol WrittenPredicate {
  var predicateFormat: String { get }
}

extension NSPredicate: WrittenPredicate {}

extension NSPredicate {
  fileprivate var foundationFormat: String { (self as any WrittenPredicate).predicateFormat }

  /// The canonical format of any predicate; also of Foundation's own compounds, whose `predicateFormat` is wrong.
  package var writtenFormat: String { PredicateForm(self).tree.format() }
}
