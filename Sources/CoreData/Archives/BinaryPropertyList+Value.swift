import Foundation

extension BinaryPropertyList {
  /// The property list as a tree.
  ///
  /// - Throws: `ArchiveError` when it nests deeper than 128 levels, contains itself, expands to far more values than
  ///   it has objects, or has keys that are not strings.
  func value() throws -> PropertyListValue {
    try value(at: root)
  }

  /// One object as a tree, within the same bounds.
  func value(at index: Int) throws -> PropertyListValue {
    // Shared containers are copied in a tree; what honest files share is small.
    var budget = 1_000 + 16 * (objects.count + references.count)
    return try value(at: index, depth: 0, budget: &budget)
  }

  private func value(at index: Int, depth: Int, budget: inout Int) throws -> PropertyListValue {
    budget -= 1
    guard depth <= 128, budget >= 0 else { throw ArchiveError("the property list nests without end") }
    func values(_ range: Range<Int>, _ budget: inout Int) throws -> [PropertyListValue] {
      try references[range].map { try value(at: $0, depth: depth + 1, budget: &budget) }
    }
    switch objects[index] {
    case .null: throw ArchiveError("the property list holds a null")
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .unsigned(value)
    case .real(let value): return .real(value)
    case .date(let value): return .date(value)
    case .data(let range): return .data(Data(bytes[range]))
    case .string(let value): return .string(value)
    case .uid(let value): return .uid(value)
    case .array(let range): return .array(try values(range, &budget))
    case .set(let range): return .set(try values(range, &budget))
    case .dictionary(let keys, let range):
      let names = try references[keys].map { key in
        guard case .string(let name) = objects[key] else { throw ArchiveError("a key is not a string") }
        return name
      }
      return .dictionary(zip(names, try values(range, &budget)).map { PropertyListValue.Entry($0, $1) })
    }
  }
}
