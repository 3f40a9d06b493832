import Foundation

/// A predicate of a model: its format string, and the archived graph when it came from an archive.
struct ModelPredicate {
  /// What `NSPredicate(format:)` reads; nil when the graph holds something that has no text.
  let format: String?
  let archived: KeyedArchive.Node?
  private let given: NSPredicate?

  /// The predicate with a format string.
  init(format: String) {
    self.format = format
    archived = nil
    given = nil
  }

  /// The predicate of an archived graph.
  init(archived: KeyedArchive.Node) {
    format = ArchivedPredicateText.predicate(archived)
    self.archived = archived
    given = nil
  }

  /// A predicate that was made in code.
  init(_ predicate: NSPredicate) {
    format = predicate.tree.format()
    archived = nil
    given = predicate
  }

  /// The text as predicates print themselves, so that spellings do not matter; as it stands when it is no predicate.
  var canonicalFormat: String? { predicate?.tree.format() ?? format }

  /// The predicate as an object; nil when it has no text or the text is no predicate.
  var predicate: NSPredicate? {
    given ?? format.flatMap { try? PredicateForm(format: $0, arguments: []).predicate }
  }
}

/// An expression of a model: its canonical text, and the archived graph when it came from an archive.
struct ModelExpression: Sendable {
  /// As `NSExpression` prints itself; nil when the graph holds something that has no text.
  let text: String?
  let archived: KeyedArchive.Node?

  /// The expression with a text; a trailing `@count` is written as the function that it is compiled to.
  init(text: String) {
    let suffix = ".@count"
    self.text = text.hasSuffix(suffix) ? "count:(\(text.dropLast(suffix.count)))" : text
    archived = nil
  }

  /// The expression of an archived graph.
  init(archived: KeyedArchive.Node) {
    text = ArchivedPredicateText.expression(archived)
    self.archived = archived
  }

  /// An expression that was made in code.
  init(_ expression: NSExpression) {
    self.init(text: expression.tree.format())
  }

  /// The expression as an object; nil when it has no text or the text is no expression.
  var expression: NSExpression? { text.flatMap { try? NSExpression(parsing: $0) } }
}
