extension CompletionPlace {
  static let equality = [Candidate("==", .operator, "is"), Candidate("!=", .operator, "is not")]
  static let isIn = Candidate("IN", .operator, "is one of")
  static let between = Candidate("BETWEEN", .operator, "from … to")
  static let order = [
    Candidate(">", .operator, "above"), Candidate("<", .operator, "below"), Candidate(">=", .operator, "at least"),
    Candidate("<=", .operator, "at most"),
  ]
  static let numeric = equality + order + [between, isIn]
  static let search = [
    Candidate("CONTAINS", .operator, "has the text"), Candidate("BEGINSWITH", .operator, "starts with"),
    Candidate("ENDSWITH", .operator, "ends with"), Candidate("LIKE", .operator, "? one, * any"),
    Candidate("MATCHES", .operator, "regular expression"),
  ]
  static let text = equality + search + [isIn, between] + order
  static let all = equality + order + search + [isIn, between]

  static let arithmeticSigns = [
    Candidate("+", .operator, "plus"), Candidate("-", .operator, "minus"), Candidate("*", .operator, "times"),
    Candidate("/", .operator, "divided by"), Candidate("**", .operator, "to the power"),
    Candidate("&", .operator, "bits in both"), Candidate("|", .operator, "bits in either"),
  ]

  static let keywords = [
    Candidate("NOT", .keyword, "the opposite"), Candidate("ANY", .keyword, "one of many"),
    Candidate("ALL", .keyword, "each of many"), Candidate("NONE", .keyword, "not one of many"),
    Candidate("SUBQUERY(", .keyword, "those of many that …"), Candidate("SELF", .keyword, "the object"),
    Candidate("TRUEPREDICATE", .keyword, "every object"), Candidate("FALSEPREDICATE", .keyword, "no object"),
  ]

  static let functions =
    [
      ("sum", "sum"), ("count", "how many"), ("min", "smallest"), ("max", "largest"), ("average", "average"),
      ("abs", "without sign"), ("floor", "rounded down"), ("ceiling", "rounded up"), ("sqrt", "square root"),
      ("uppercase", "in capitals"), ("lowercase", "in small letters"), ("length", "characters"),
      ("CAST", "as another type"), ("TERNARY", "one or the other"), ("FUNCTION", "a method"),
    ].map { Candidate($0.0 + "(", .function, $0.1) } + [Candidate("now()", .function, "this moment")]
}
