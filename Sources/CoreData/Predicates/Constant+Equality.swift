extension Constant: Hashable {
  /// Whether both are of one kind and the same to the letter.
  ///
  /// Texts that only look alike are told apart: comparing with them gives different answers (rule 26). So are a whole and
  /// a floating number of one amount, for a division goes by the difference; `compared` leaves that aside.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    // Not-a-number is the same constant, though no number equals it.
    case (.double(let left), .double(let right)): left == right || (left.isNaN && right.isNaN)
    case (.decimal(let left), .decimal(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.identity(let left), .identity(let right)): left == right
    case (.collection(let left), .collection(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.captured(let left), .captured(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? .infinity : value)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ExactText(value))
    case .date(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .url(let value): hasher.combine(value)
    case .identity(let value): hasher.combine(value)
    case .collection(let value): hasher.combine(value)
    case .dictionary(let value): hasher.combine(value)
    case .captured(let value): hasher.combine(value)
    }
  }

  /// The constant in the form in which predicates are compared: of a number, its amount, as two `NSNumber`s are equal.
  fileprivate var compared: Constant {
    switch self {
    case .bool(let value): .integer(value ? 1 : 0)
    case .double(let value): Int64(exactly: value).map(Constant.integer) ?? self
    case .decimal(let value):
      if let whole = Int64(exactly: value.nearestDouble), Decimal(whole) == value {
        .integer(whole)
      } else if case let number = value.nearestDouble, Decimal(string: "\(number)") == value {
        .double(number)
      } else {
        self
      }
    case .collection(let values): .collection(values.map(\.compared))
    case .dictionary(let values): .dictionary(values.mapValues(\.compared))
    default: self
    }
  }
}

extension ExpressionTree {
  /// The tree in the form in which expressions are compared (rule 23): numbers by amount.
  var compared: ExpressionTree {
    mapExpressions { if case .constant(let constant) = $0 { .constant(constant.compared) } else { $0 } }
  }
}

extension PredicateTree {
  /// The tree in the form in which predicates are compared (rule 23): numbers by amount.
  var compared: PredicateTree {
    mapExpressions { if case .constant(let constant) = $0 { .constant(constant.compared) } else { $0 } }
  }
}
