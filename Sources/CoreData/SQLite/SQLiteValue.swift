/// One value in SQLite's five storage classes, for binding and for what is read one at a time.
///
/// Texts are equal when their bytes are. Only bound, never read: a test that a condition asks.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  case test(RowTest)
}

extension SQLiteValue {
  static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.blob(let one), .blob(let other)): one == other
    case (.text(let one), .text(let other)): ExactText(one) == ExactText(other)
    case (.test(let one), .test(let other)): one === other
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let text): hasher.combine(ExactText(text))
    case .blob(let bytes): hasher.combine(bytes)
    case .test(let test): hasher.combine(ObjectIdentifier(test))
    }
  }
}
