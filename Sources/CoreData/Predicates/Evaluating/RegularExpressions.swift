import Synchronization

/// MATCHES: ICU's regular expressions over the whole string (rule 14), compiled once.
package enum RegularExpressions {
  private struct Key: Hashable {
    let pattern: String
    let ignoresCase: Bool
  }

  private static let compiled = Mutex<[Key: NSRegularExpression]>([:])
  private static let capacity = 64

  /// Whether the whole text matches.
  ///
  /// Raises for a pattern that is no regular expression.
  package static func matches(
    _ text: String, _ pattern: String, _ options: PredicateTree.Options
  ) throws(PredicateError) -> Bool {
    let expression = try expression(Key(pattern: pattern, ignoresCase: options.contains(.caseInsensitive)))
    // A pattern cannot be folded, so diacritics go from the text only.
    let text = text.folded(caseInsensitive: false, diacriticInsensitive: options.contains(.diacriticInsensitive))
    let whole = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: whole) != nil
  }

  private static func expression(_ key: Key) throws(PredicateError) -> NSRegularExpression {
    if let known = compiled.withLock({ $0[key] }) { return known }
    // The group and the end mark make the engine look for a match of the whole, not for the first one it meets.
    guard
      let expression = try? NSRegularExpression(
        pattern: "(?:\(key.pattern))\\z", options: key.ignoresCase ? .caseInsensitive : [])
    else { throw PredicateError("Can't do regex matching, reason: (Can't open pattern \(key.pattern))") }
    compiled.withLock { cache in
      if cache.count >= capacity { cache.removeAll() }
      cache[key] = expression
    }
    return expression
  }
}
