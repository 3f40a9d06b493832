import CoreData
import Foundation

/// Values written as they stand in a filter.
struct FilterLiteral {
  var zone: DateZone
  /// `Z_UUID` of the store, which URIs of objects begin with.
  var store = ""
  /// What stands before it.
  var scheme = "x-coredata"

  /// The literal of a whole value; `nil` for one that no filter can name.
  ///
  /// `entity` answers the name of an object's entity.
  func text(of value: CellValue, entity: (ObjectKey) -> String = { _ in "" }) -> String? {
    switch value {
    case .null: "nil"
    case .integer(let number): String(number)
    case .boolean(let isTrue): isTrue ? "YES" : "NO"
    case .real(let number): number.isFinite ? ValueReader(zone: zone).text(of: .real(number)) : nil
    case .decimal(let text): Self.quoted(text)
    case .date(let date): self.date(date)
    case .uuid(let uuid): Self.quoted(uuid.uuidString)
    case .text(let text, let length): text.count == length ? Self.quoted(text) : nil
    case .object(let key, _):
      key.isNew ? nil : Self.quoted("\(scheme)://\(store)/\(Self.path(entity(key)))/p\(key.primaryKey)")
    case .bytes, .objects, .odd: nil
    }
  }

  /// As people write it where that is exact, else in seconds.
  private func date(_ date: Date) -> String {
    let reader = ValueReader(zone: zone)
    let text = reader.text(of: .date(date))
    if case .success(.date(let read)) = reader.value(of: text, as: .date), read == date { return Self.quoted(text) }
    return "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
  }

  /// An entity's name as a URI has it.
  private static func path(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? name
  }

  /// A string in quotes, what they would end escaped.
  static func quoted(_ text: String) -> String { ExpressionTree.constant(.string(text)).format() }
}

/// Filters joined to filters.
enum FilterJoin {
  /// Both; the first in parentheses where it would not hold together without.
  static func and(_ first: String?, _ second: String) -> String {
    guard let first, !first.isEmpty else { return second }
    guard case .or? = try? PredicateForm(format: first, arguments: []).tree else { return "\(first) AND \(second)" }
    return "(\(first)) AND \(second)"
  }

  /// Whether some string attribute of an entity contains a text; `nil` for an entity without any.
  static func anyText(_ text: String, of entity: EntityOutline) -> String? {
    let keys = entity.properties.filter { $0.kind == .string }.map { key($0.name) }
    guard !keys.isEmpty else { return nil }
    let parts = keys.map { "\($0) CONTAINS[cd] \(FilterLiteral.quoted(text))" }
    return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " OR ") + ")"
  }

  /// A key as it is written at the start of a path.
  static func key(_ name: String) -> String { ExpressionTree.keyPath([name]).format() }
}
