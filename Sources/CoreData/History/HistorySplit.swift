/// Gives net changes to the transactions that made them.
enum HistorySplit {
  typealias Change = StoreChanges.Change

  /// The changes by the transaction that made them what they are, oldest first, and before them those that no transaction
  /// tells of.
  ///
  /// Each change is in one part: in that of the last transaction which names its object. What changed only at the far end
  /// of a relationship is named by none; where all else is, it goes with the last.
  static func parts(
    of changes: [ObjectKey: Change], among transactions: [HistoryTransaction]
  ) -> [(changes: [Change], transaction: StoreChanges.Transaction?)] {
    var owner: [ObjectKey: Int] = [:]
    for (index, transaction) in transactions.enumerated() {
      for change in transaction.changes where changes[change.key] != nil { owner[change.key] = index }
    }
    var parts = Array(repeating: [Change](), count: transactions.count)
    var rest: [Change] = []
    for (key, change) in changes {
      if let index = owner[key] { parts[index].append(change) } else { rest.append(change) }
    }
    if let last = parts.lastIndex(where: { !$0.isEmpty }), rest.allSatisfy(\.isFarEnd) {
      parts[last] += rest
      rest = []
    }
    var result: [(changes: [Change], transaction: StoreChanges.Transaction?)] = rest.isEmpty ? [] : [(rest, nil)]
    for (part, transaction) in zip(parts, transactions) where !part.isEmpty {
      result.append(
        (part, StoreChanges.Transaction(author: transaction.author, context: transaction.contextName)))
    }
    return result
  }

  /// What became of each object that some transactions name.
  static func net(of transactions: [HistoryTransaction]) -> [ObjectKey: Change.Kind] {
    var first: [ObjectKey: Change.Kind] = [:]
    var last: [ObjectKey: Change.Kind] = [:]
    for change in transactions.flatMap(\.changes) {
      if first[change.key] == nil { first[change.key] = change.kind }
      last[change.key] = change.kind
    }
    return last.reduce(into: [:]) { net, change in
      let (wasThere, isThere) = (first[change.key] != .insert, change.value != .delete)
      switch (wasThere, isThere) {
      case (true, true): net[change.key] = .update
      case (true, false): net[change.key] = .delete
      case (false, true): net[change.key] = .insert
      case (false, false): break
      }
    }
  }
}

extension StoreChanges.Change {
  /// Whether nothing but to-many relationships, whose values are not told, is known to differ.
  fileprivate var isFarEnd: Bool {
    guard kind == .update, let properties, !properties.isEmpty else { return false }
    return properties.values.allSatisfy { $0.old == nil && $0.new == nil }
  }
}
