import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test only where the corpus is, and says in the report how many cases were left out elsewhere.
  public static func corpus(cases: Int) -> Self {
    .enabled(if: Corpus.found != nil, "the corpus is absent: \(cases) cases left out")
  }
}
