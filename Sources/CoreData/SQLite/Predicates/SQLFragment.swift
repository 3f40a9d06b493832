/// SQL text together with the values bound to its question marks, in their order.
///
/// Written as a literal: `"\(column) > \(bound: value)"`. A piece put in brings its values along, a value is always bound,
/// and a name is quoted, so nothing from outside can become SQL.
struct SQLFragment: Hashable, ExpressibleByStringInterpolation {
  var text: String
  var values: [SQLiteValue] = []

  init(text: String, values: [SQLiteValue] = []) {
    self.text = text
    self.values = values
  }

  init(stringLiteral value: StaticString) { text = value.description }

  init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
    values = stringInterpolation.values
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [SQLiteValue] = []

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + 32) }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    mutating func appendInterpolation(_ fragment: SQLFragment) {
      text += fragment.text
      values += fragment.values
    }

    mutating func appendInterpolation(bound value: SQLiteValue) {
      text += "?"
      values.append(value)
    }

    mutating func appendInterpolation(name: String) { text += quoted(name) }

    mutating func appendInterpolation(number: Int64) { text += String(number) }
  }
}

extension [SQLFragment] {
  /// The pieces with a separator between each two.
  func joined(by separator: StaticString) -> SQLFragment {
    SQLFragment(
      text: map(\.text).joined(separator: separator.description), values: flatMap(\.values))
  }
}
