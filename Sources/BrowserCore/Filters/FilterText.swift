import CoreData
import Foundation

/// Reads the filters that people type: in the filter bar, after `--where`, and those that were saved.
enum FilterText {
  /// What a text asks of the objects of an entity.
  ///
  /// Keys are checked against the model, and strings beside dates, UUIDs, URIs, numbers, data and relationships stand for such
  /// values. Dates without a zone are on the clock of `zone`. An error has its place in the text, and a hint in one line.
  static func parse(
    _ text: String, entity: NSEntityDescription, zone: DateZone = .utc
  ) throws(PredicateParseError) -> PredicateTree {
    try ModelCheck.tree(of: text, entity: entity) { literal, type in
      Self.constant(literal, as: type, ValueReader(zone: zone))
    }
  }

  /// What is wrong with a text that is still being typed; `nil` for a filter.
  static func problem(in text: String, entity: NSEntityDescription, zone: DateZone = .utc) -> PredicateParseError? {
    ModelCheck.problem(in: text, entity: entity) { literal, type in
      Self.constant(literal, as: type, ValueReader(zone: zone))
    }
  }

  /// The value that a literal stands for beside an attribute of a type.
  private static func constant(
    _ literal: String, as type: NSAttributeType, _ reader: ValueReader
  ) -> Result<Constant, ModelCheck.LiteralProblem> {
    guard let kind = PropertyOutline.Kind(type) else { return .success(.string(literal)) }
    return reader.value(of: literal, as: kind)
      .map { value in Constant(value, as: kind) ?? .string(literal) }
      .mapError { ModelCheck.LiteralProblem($0.words) }
  }
}

extension Constant {
  /// A value of a property as a predicate holds it; `nil` for a value that none holds.
  init?(_ value: PropertyValue, as kind: PropertyOutline.Kind) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .boolean(let isTrue): self = .bool(isTrue)
    case .real(let number): self = .double(number)
    case .decimal(let text):
      guard let number = Decimal(string: text) else { return nil }
      self = .decimal(number)
    case .date(let date): self = .date(date)
    case .uuid(let uuid): self = .uuid(uuid)
    case .text(let text):
      guard kind == .uri else {
        self = .string(text)
        return
      }
      guard let url = URL(string: text) else { return nil }
      self = .url(url)
    case .data(let data): self = .data(data)
    case .object, .objects, .odd: return nil
    }
  }
}

extension UsageError {
  /// What is wrong with the filter after `--where`, with its place.
  init(where error: PredicateParseError) {
    self.init("--where: at \(error.column + 1): \(error.hint)", "see storebrowser --help")
  }
}
