import CoreData

extension PredicateCase {
  private static let letters: @Sendable () -> Any? = {
    zip(["a", "b", "c", "a", "b", "c"], 0...).map { ["id": "v\($1)", "requiredString": $0, "extraInt": $1] }
  }
  private static let people: @Sendable () -> Any? = {
    [
      ["id": "alice", "firstName": "Alice", "lastName": "Smith", "age": 24],
      ["id": "bob", "firstName": "Bob", "lastName": "Jones", "age": 27],
      ["id": "charlie", "firstName": "Charlie", "lastName": "Smith", "age": 33],
      ["id": "quentin", "firstName": "Quentin", "lastName": "Alberts", "age": 31],
    ] as [[String: Any]]
  }
  private static let names: @Sendable () -> Any? = {
    ["prefix-match", "match-suffix", "Café con Leche"].map { ["id": $0, "name": $0] }
  }
  private static let counters: @Sendable () -> Any? = {
    [("low", 1), ("mid", 3), ("edge", 5), ("high", 9)].map { ["id": $0.0, "counter": $0.1] as [String: Any] }
  }
  private static let children: @Sendable () -> Any? = {
    func child(_ name: String, _ parent: Int) -> [String: Any] { ["id": name, "parent": Thing(parent)] }
    return [child("childA1", 1), child("childA2", 1), child("childB", 2)]
  }
  private static func day(_ month: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(month) * 2_600_000) }

  /// Selections from collections of records (rules 12 to 14, 24 to 31).
  static let records: [PredicateCase] = [
    .init(
      id: "P066", format: "requiredString != %@", arguments: { ["c"] }, canonical: "requiredString != \"c\"",
      answers: [.init(object: letters, expected: .selects(["v0", "v1", "v3", "v4"]))]),
    .init(
      id: "P067", format: "extraInt <= 1", canonical: "extraInt <= 1",
      answers: [.init(object: letters, expected: .selects(["v0", "v1"]))]),
    .init(
      id: "P068", format: "extraInt BETWEEN {%@, %@}", arguments: { [1, 3] }, canonical: "extraInt BETWEEN {1, 3}",
      answers: [.init(object: letters, expected: .selects(["v1", "v2", "v3"]))]),
    .init(
      id: "P081", format: "age IN %@", arguments: { [[Int]()] }, canonical: "age IN {}",
      answers: [.init(object: people, expected: .selects([]))]),
    .init(
      id: "P082", format: "firstName BEGINSWITH[d] %@", arguments: { ["Bó"] },
      canonical: "firstName BEGINSWITH[d] \"Bó\"", answers: [.init(object: people, expected: .selects(["bob"]))]),
    .init(
      id: "P085", format: "firstName LIKE[cd] %@", arguments: { ["BôB"] }, canonical: "firstName LIKE[cd] \"BôB\"",
      answers: [.init(object: people, expected: .selects(["bob"]))]),
    .init(
      id: "P091", format: "eventRaw.keyRaw == %@", arguments: { ["2015qcmo"] },
      canonical: "eventRaw.keyRaw == \"2015qcmo\"",
      answers: [
        .init(
          object: { [["id": "first", "eventRaw": ["keyRaw": "2015qcmo"]], ["id": "second"]] as [[String: Any]] },
          expected: .selects(["first"]))
      ]),
    .init(
      id: "P092",
      format: "yearRaw == 2020 AND ((eventTypeRaw == 4 OR eventTypeRaw == 3) AND "
        + "(keyRaw == %@ OR parentEventRaw.keyRaw == %@))",
      arguments: { ["2020cmpmi", "2020cmpmi"] },
      canonical: "yearRaw == 2020 AND ((eventTypeRaw == 4 OR eventTypeRaw == 3) AND "
        + "(keyRaw == \"2020cmpmi\" OR parentEventRaw.keyRaw == \"2020cmpmi\"))",
      answers: [
        .init(
          object: {
            let parent: [String: Any] = ["id": "parent", "yearRaw": 2020, "eventTypeRaw": 4, "keyRaw": "2020cmpmi"]
            return [
              parent,
              ["id": "child", "yearRaw": 2020, "eventTypeRaw": 3, "keyRaw": "2020x", "parentEventRaw": parent],
              ["id": "third", "yearRaw": 2020, "eventTypeRaw": 3, "keyRaw": "2020y"],
            ]
          }, expected: .selects(["parent", "child"]))
      ]),
    .init(
      id: "P097", format: "name LIKE 'prefix-*'",
      answers: [.init(object: names, expected: .selects(["prefix-match"]))]),
    .init(
      id: "P098", format: "name MATCHES '.*-suffix'",
      answers: [.init(object: names, expected: .selects(["match-suffix"]))]),
    .init(
      id: "P100", format: "NOT (counter IN %@)", arguments: { [[1, 9]] },
      answers: [.init(object: counters, expected: .selects(["mid", "edge"]))]),
    .init(
      id: "P101", format: "parent == %@", arguments: { [Thing(1)] },
      answers: [.init(object: children, expected: .selects(["childA1", "childA2"]))]),
    .init(
      id: "P102", format: "parent == %@", arguments: { [Thing.ID(2)] },
      answers: [.init(object: children, expected: .selects(["childB"]))]),
    .init(
      id: "P103", format: "SELF IN %@", arguments: { [[Thing(1)]] },
      answers: [.init(object: { Thing(1) }, expected: .yes), .init(object: { Thing(2) }, expected: .no)]),
    .init(
      id: "P104", format: "ANY children.name == 'ready'",
      answers: [
        .init(
          object: {
            func parent(_ id: String, _ names: [String]) -> [String: Any] {
              ["id": id, "children": names.map { ["name": $0] }]
            }
            return [
              parent("mixed", ["ready", "pending"]), parent("all-ready", ["ready", "ready"]), parent("empty", []),
            ]
          }, expected: .selects(["mixed", "all-ready"]))
      ]),
    .init(
      id: "P129", format: "SELF.foo <= 2", answers: [.init(object: { ["foo": "2"] }, expected: .raises("compare"))]),
    .init(
      id: "P131", format: "SELF BETWEEN {%@, %@}", arguments: { [day(2), day(3)] },
      answers: zip(1...4, [PredicateCase.Expected.no, .yes, .yes, .no]).map { month, expected in
        .init(object: { day(month) }, expected: expected)
      }),
    .init(
      id: "P136", format: "age BETWEEN %@", arguments: { [[0, 3]] },
      answers: [
        .init(
          object: { (0...9).map { ["id": "\($0)", "age": $0] as [String: Any] } },
          expected: .selects(["0", "1", "2", "3"]))
      ]),
    .init(
      id: "P137", format: "name MATCHES %@", arguments: { ["t.*t"] },
      answers: [
        .init(object: { ["test", "tesp"].map { ["id": $0, "name": $0] } }, expected: .selects(["test"]))
      ]),
    .init(
      id: "P138", format: "name LIKE %@", arguments: { ["test*.foo"] },
      answers: [
        .init(
          object: { ["test.foo", "test.foo", "hello.foo", "atestp.foo"].map { ["id": $0, "name": $0] } },
          expected: .selects(["test.foo", "test.foo"]))
      ]),
    .init(
      id: "P139", format: "     NOT((self.speed >= -7) AND (self.age < -15))    ",
      answers: [.init(object: { ["speed": -7, "age": 5] }, expected: .yes)]),
  ]
}
