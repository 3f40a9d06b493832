import Foundation

/// A predicate of a model: its format string, and the archived graph when it came from an archive.
///
/// The format string is what `NSPredicate(format:)` reads; nil when the graph holds something that has no text.
struct ModelPredicate: Sendable {
  let format: String?
  let archived: KeyedArchive.Node?

  /// The predicate with a format string.
  init(format: String) {
    self.format = format
    archived = nil
  }

  /// The predicate of an archived graph.
  init(archived: KeyedArchive.Node) {
    format = ArchivedPredicateText.predicate(archived)
    self.archived = archived
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
}
