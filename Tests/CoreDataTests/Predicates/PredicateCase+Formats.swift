import CoreData

extension PredicateCase {
  /// The ids of the collected cases.
  static let collected: [String] =
    (1...150).map { "P" + ("000" + String($0)).suffix(3) }.filter { !notCollected.contains($0) }

  private static let notCollected: Set<String> = [
    "P002", "P009", "P017", "P018", "P024", "P025", "P026", "P027", "P029", "P030", "P031", "P033", "P034", "P036",
    "P037", "P040", "P042", "P044", "P047", "P051", "P054", "P065", "P070", "P073", "P074", "P079", "P080", "P083",
    "P084", "P086", "P087", "P088", "P090", "P093", "P094", "P095", "P096", "P099", "P105", "P106", "P107", "P108",
    "P109", "P112", "P113", "P117", "P122", "P123", "P124", "P125", "P126", "P130", "P145", "P149",
  ]

  /// Cases about predicates built in code, which a table of format strings cannot hold.
  static let inOtherTests: Set<String> = ["P069", "P071", "P072", "P075", "P089", "P133", "P150"]

  /// Format strings and arguments (rules 1 to 8).
  static let formats: [PredicateCase] = [
    .init(
      id: "P001", format: "%@ like %@", arguments: { ["firstName", "Adam"] }, canonical: "\"firstName\" LIKE \"Adam\""),
    .init(id: "P003", format: "'%K' like '%@'", canonical: "\"%K\" LIKE \"%@\""),
    .init(id: "P004", format: "\"%K\" like \"%@\"", canonical: "\"%K\" LIKE \"%@\""),
    .unparsable("P005", "%k like %@"),
    .init(
      id: "P006", format: "SELF like[c] 'prefix*suffix'", canonical: "SELF LIKE[c] \"prefix*suffix\"",
      answers: [.init(object: { "prefixxxxxxsuffix" }, expected: .yes), .init(object: { "prefix" }, expected: .no)]),
    .init(
      id: "P007", format: "SELF like[c] %@*%@", arguments: { ["prefix", "suffix"] },
      canonical: "SELF LIKE[c] \"prefix\" * \"suffix\"",
      answers: [.init(object: { "prefixxxsuffix" }, expected: .raises("multiply:by:"))]),
    .init(
      id: "P008", format: "SELF like[c] 'prefix?suffix'", canonical: "SELF LIKE[c] \"prefix?suffix\"",
      answers: [
        .init(object: { "prefixxsuffix" }, expected: .yes), .init(object: { "prefixsuffix" }, expected: .no),
      ]),
    .init(
      id: "P010", format: "isMale == %@", arguments: { [NSNumber(value: true)] }, canonical: "isMale == 1",
      answers: [.init(object: { ["isMale": true] }, expected: .yes)]),
    .init(
      id: "P011", format: "isMale == %@", arguments: { [NSNumber(value: false)] }, canonical: "isMale == 0",
      answers: [.init(object: { ["isMale": true] }, expected: .no)]),
    .init(
      id: "P012", format: "isMale == YES", canonical: "isMale == 1",
      answers: [.init(object: { ["isMale": true] }, expected: .yes)]),
    .init(
      id: "P013", format: "isMale == NO", canonical: "isMale == 0",
      answers: [.init(object: { ["isMale": false] }, expected: .yes)]),
    .init(
      id: "P014", format: "isMale == yes", canonical: "isMale == 1",
      answers: [.init(object: { ["isMale": true] }, expected: .yes)]),
    .init(
      id: "P015", format: "isMale == false", canonical: "isMale == 0",
      answers: [.init(object: { ["isMale": false] }, expected: .yes)]),
    .init(
      id: "P016", format: "isMale == TRUE", canonical: "isMale == 1",
      answers: [.init(object: { ["isMale": NSNumber(value: 1)] }, expected: .yes)]),
    .init(
      id: "P019", format: "a.firstName.length == 3", canonical: "a.firstName.length == 3",
      answers: [.init(object: { ["a": ["firstName": "Lee"]] }, expected: .yes)]),
    .init(
      id: "P020", format: "FUNCTION(a, \"pow:\", 3) == 8", canonical: "FUNCTION(a, \"pow:\" , 3) == 8",
      answers: [.init(object: { ["a": 2] }, expected: .yes)]),
    .init(
      id: "P021", format: "FUNCTION('a', 'uppercase') == 'A'", canonical: "FUNCTION(\"a\", \"uppercase\") == \"A\"",
      answers: [.init(expected: .yes)]),
    .init(
      id: "P022", format: "a[SIZE] == 3", canonical: "a[SIZE] == 3",
      answers: [.init(object: { ["a": [1, 2, 3]] }, expected: .yes)]),
    .init(
      id: "P023", format: "a[FIRST] == 1", canonical: "a[FIRST] == 1",
      answers: [.init(object: { ["a": [1, 2, 3]] }, expected: .yes)]),
    .init(
      id: "P028", format: "TRUEPREDICATE", canonical: "TRUEPREDICATE",
      answers: [.init(expected: .yes), .init(object: { 3 }, expected: .yes)]),
    .init(
      id: "P076", format: "text in { %@, %@ }", arguments: { ["test", "test2"] },
      canonical: "text IN {\"test\", \"test2\"}"),
    .init(
      id: "P077", format: "NOT text in { %@, %@ }", arguments: { ["test", "test2"] },
      canonical: "NOT text IN {\"test\", \"test2\"}",
      answers: [
        .init(object: { ["text": "test"] }, expected: .no), .init(object: { ["text": "x"] }, expected: .yes),
      ]),
    .init(id: "P078", format: "text ==[c] %@", arguments: { ["test"] }, canonical: "text ==[c] \"test\""),
    .init(
      id: "P127", format: "SELF == '%@'", arguments: { ["Do"] },
      answers: ["Do", "Re", "Mi", "Fa", "So", "La"].map { (note: String) in .init(object: { note }, expected: .no) }),
    .init(
      id: "P128", format: "description == 'Do'",
      answers: [.init(object: { "Do" }, expected: .yes), .init(object: { "Re" }, expected: .no)]),
  ]

  /// Literals, operators and arithmetic (rules 9 to 14).
  static let literals: [PredicateCase] =
    [
      ("P032", "2 => 1", true), ("P035", "8 >> 2 == 2", true), ("P038", "2 ^ 1 == 3", true),
      ("P039", "!(1 < 0)", true), ("P041", "'Hello' BEGINSWITH[cd] 'he'", true),
      ("P043", "'HELLO' CONTAINS[cd] 'll'", true), ("P045", "'helllo' LIKE 'hel*o'", true),
      ("P046", "'helo' LIKE 'hel?o'", false), ("P048", "'helllo' == 'hel*o'", false),
      ("P146", "multiply:by:(5,3) = 15", true), ("P147", "FUNCTION('a/path', 'lastPathComponent') = 'path'", true),
    ].map { id, format, holds in
      PredicateCase(id: id, format: format, answers: [.init(expected: holds ? .yes : .no)])
    } + [
      .init(
        id: "P049", format: "$a[$b] == 'ABC'",
        answers: [.init(variables: { ["a": ["a": "ABC"], "b": "a"] }, expected: .yes)]),
      .init(
        id: "P050", format: "$a.$b == 'ABC'",
        answers: [.init(variables: { ["a": ["a": "ABC"], "b": "a"] }, expected: .yes)]),
      .init(
        id: "P052", format: "($a + 1) ** 3 == 8.0", answers: [.init(variables: { ["a": 1] }, expected: .yes)]),
      .unparsable("P053", "1"), .unparsable("P053", "TRUE"), .unparsable("P053", "FALSE"),
      .unparsable("P053", "0 || 1"),
      .init(
        id: "P055", format: "%@ + %@", isExpression: true, arguments: { [NSNumber(value: 1), NSNumber(value: 1)] },
        canonical: "1 + 1", answers: [.init(expected: .number(2))]),
      .init(
        id: "P056", format: "%@ + %@", isExpression: true, arguments: { ["1", "1"] }, canonical: "\"1\" + \"1\"",
        answers: [.init(expected: .raises("add:to:"))]),
      .init(
        id: "P057", format: "12.845 * x + (y)", isExpression: true,
        answers: [
          .init(object: { ["x": 1, "y": 2] }, expected: .number(14.845)),
          .init(object: { ["x": 1] }, expected: .raises("add:to:")),
          .init(object: { ["y": 2] }, expected: .raises("multiply:by:")),
        ]),
      .init(
        id: "P058", format: "12.845 * x[0] + x[1]", isExpression: true,
        answers: [.init(object: { ["x": [1, 2]] }, expected: .number(14.845))]),
      .unparsable("P059", "x.0", expression: true), .unparsable("P060", "a12.845 * x[0]", expression: true),
      .unparsable("P061", "12.845 == 12.845", expression: true),
      .init(
        id: "P062", format: "(a.d)[0]", isExpression: true, canonical: "(a.d)[0]",
        answers: [.init(object: { ["a": ["d": [1]]] }, expected: .number(1))]),
      .init(
        id: "P063", format: "a.d[0]", isExpression: true, canonical: "a.d[0]",
        answers: [.init(object: { ["a": ["d": [1]]] }, expected: .raises("not a key"))]),
      .init(id: "P064", format: "-1", isExpression: true, canonical: "-1", answers: [.init(expected: .number(-1))]),
      .init(
        id: "P140", format: "(4 + 3 - 1 + 2) * 10**2", isExpression: true, answers: [.init(expected: .number(800))]),
      .init(id: "P141", format: "4 + 3 - 1 + 2", isExpression: true, answers: [.init(expected: .number(8))]),
    ]
}
