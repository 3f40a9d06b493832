// A cell has changed when its bytes have, whether or not it looks different: so a mark shows every change.

extension CellValue {
  /// Whether two are the same value, texts byte for byte.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.boolean(let one), .boolean(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.date(let one), .date(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.objects(let one), .objects(let other)): one == other
    case (.decimal(let one), .decimal(let other)), (.odd(let one), .odd(let other)):
      ExactText(one) == ExactText(other)
    case (.text(let one, let length), .text(let other, let otherLength)):
      length == otherLength && ExactText(one) == ExactText(other)
    case (.bytes(let one, let count), .bytes(let other, let otherCount)): count == otherCount && one == other
    case (.object(let one, let title), .object(let other, let otherTitle)):
      one == other && title.map(ExactText.init) == otherTitle.map(ExactText.init)
    default: false
    }
  }

  /// Hashes the value, texts by their bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .objects(let count): hasher.combine(count)
    case .decimal(let text), .odd(let text), .text(let text, _): hasher.combine(ExactText(text))
    case .bytes(let head, let count):
      hasher.combine(head)
      hasher.combine(count)
    case .object(let key, let title):
      hasher.combine(key)
      hasher.combine(title.map(ExactText.init))
    }
  }
}
