import CoreData

extension PredicateCase {
  private static let object: @Sendable () -> Any? = {
    [
      "a": 1, "b": "Hello", "c": 2.3, "d": 4, "f": true, "g": [5, 6, 7, 8, 9], "h": ["A": 1, "B": 2],
      "i": Date.distantFuture, "j": NSNull(),
    ] as [String: Any]
  }
  private static let album: @Sendable () -> Any? = {
    [
      "title": "A Title", "Record1": ["Name": "John", "Age": 34, "Children": ["Kid1", "Kid2"]] as [String: Any],
      "Record2": ["Name": "Mary", "Age": 30, "Children": ["Kid1", "Girl1"]] as [String: Any],
    ] as [String: Any]
  }

  /// Key paths, indexes, collections and functions (rules 7, 10, 13, 20, 29, 30).
  static let paths: [PredicateCase] =
    [
      ("P110", "SUBQUERY(g, $_local_1, $_local_1 == d).@count > 0", false),
      ("P111", "(SELF.g)[0] == 2", false),
      ("P114", "TERNARY(f == YES AND YES == YES, YES, NO) == NO", false),
      ("P115", "TERNARY(j != NULL, j, '').length == 0", true),
      ("P116", "g.@max.#self == g.@min.#self", false),
      ("P118", "b MATCHES '.*[e-f][l-m].*'", true),
      ("P119", "SUBQUERY(g, $_local_1, NOT ($_local_1 == 2)).@count == 0", false),
    ].map { id, format, holds in
      PredicateCase(id: id, format: format, answers: [.init(object: object, expected: holds ? .yes : .no)])
    } + [
      // The same constructs where they hold, so that a refusal to evaluate cannot pass for "no".
      .init(
        id: "P110", format: "SUBQUERY(g, $x, $x == d + 1).@count == 1", answers: [.init(object: object, expected: .yes)]
      ),
      .init(id: "P111", format: "(SELF.g)[0] == 5", answers: [.init(object: object, expected: .yes)]),
      .init(
        id: "P116", format: "g.@max.#self == 9 AND g.@min.#self == 5", answers: [.init(object: object, expected: .yes)]),
      .init(
        id: "P120", format: "%@ CONTAINS %@", arguments: { ["AABBBAA", "BBB"] },
        answers: [.init(object: album, expected: .yes)]),
      .init(
        id: "P121", format: "%@ IN %@", arguments: { ["BBB", "AABBBAA"] },
        answers: [.init(object: album, expected: .yes)]),
      .init(
        id: "P132", format: "sum(a) == 3", answers: [.init(object: { [["a": 1], ["a": 2]] }, expected: .yes)]),
      .init(id: "P134", format: "name IN 'wxyz'", answers: [.init(object: { ["name": "xyz"] }, expected: .yes)]),
      .init(
        id: "P135", format: "list CONTAINS 'a'",
        answers: [.init(object: { ["name": "xyz", "list": ["a", "b"]] as [String: Any] }, expected: .yes)]),
      .init(
        id: "P135", format: "list CONTAINS 'z'",
        answers: [.init(object: { ["name": "xyz", "list": ["a", "b"]] as [String: Any] }, expected: .no)]),
      .init(
        id: "P142", format: "{Record1.Name, Record1.Age} = {'John',34}", answers: [.init(object: album, expected: .yes)]
      ),
      .init(
        id: "P143", format: "Record1.Children[  FIRST ] = 'Kid1'", answers: [.init(object: album, expected: .yes)]),
      // Another implementation's "yes", not to be copied: on Apple's platforms it raises, as P063 does.
      .init(
        id: "P144", format: "Record1.Children[1] = 'Kid2'", canonical: "Record1.Children[1] == \"Kid2\"",
        answers: [.init(object: album, expected: .raises("not a key"))]),
      .init(
        id: "P148", format: "SUBQUERY(Record1.Children, $x, $x BEGINSWITH $Begining)[SIZE] = 2",
        answers: [
          .init(object: album, variables: { ["Begining": "Kid"] }, expected: .yes),
          .init(object: album, variables: { ["Begining": "Girl"] }, expected: .no),
        ]),
    ]
}
