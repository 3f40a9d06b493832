import CoreData

/// What it takes to parse predicates and to evaluate them on objects.
enum PredicateFigures {
  private static let clauses =
    "rating > 5000 AND name BEGINSWITH 'Sample' AND note != nil AND isDone == YES AND amount BETWEEN {10, 90000.5}"

  static func measure(in folder: URL) throws -> [Figure] {
    try parsing() + evaluating(in: folder)
  }

  // MARK: Parsing

  private struct Record: Decodable {
    var rating: Int
    var name: String
    var note: String?
    var isDone: Bool
    var amount: [Double]
  }

  /// Five clauses, beside `JSONDecoder` on a text of the same length; then long texts of several shapes.
  private static func parsing() throws -> [Figure] {
    let rounds = 10_000
    let head = #"{"rating": 5000, "isDone": true, "amount": [10, 90000.5], "note": null, "name": ""#
    let json = head + String(repeating: "s", count: clauses.utf8.count - head.utf8.count - 2) + "\"}"
    let data = Data(json.utf8)
    let decoding = try time {
      let decoder = JSONDecoder()
      for _ in 0..<rounds { use(try decoder.decode(Record.self, from: data)) }
    }
    let parsing = try time {
      for _ in 0..<rounds { use(try PredicateForm(format: clauses, arguments: [])) }
    }
    var figures = [
      Figure(name: "parse five clauses, beside JSONDecoder", ours: parsing, bare: decoding, pieces: rounds)
    ]
    for (name, text) in longTexts {
      let seconds = time { use(try? PredicateForm(format: text, arguments: [])) }
      figures.append(Figure(name: "parse \(text.utf8.count) characters: \(name)", ours: seconds, bare: nil))
    }
    return figures
  }

  private static var longTexts: [(String, String)] {
    func repeated(_ piece: String, to count: Int = 10_000) -> String {
      String(repeating: piece, count: count / piece.utf8.count)
    }
    return [
      ("clauses in a row", repeated(clauses + " AND ") + "a == 1"),
      ("parentheses", repeated("(", to: 5_000) + "a == 1" + repeated(")", to: 5_000)),
      ("100 levels of everything", repeated("(a == 1 OR NOT SUBQUERY(b, $x, ", to: 3_100) + repeated("a ")),
      ("negations", repeated("NOT ") + "a == 1"),
      ("a sum", "a == " + repeated("1 + ") + "1"),
      ("sums within sums", "a == " + repeated("(", to: 100) + "1" + repeated(" + 1 + 1)")),
      ("a list", "a IN {" + repeated("1, ") + "1}"),
      ("a key path", repeated("a.") + "a == 1"),
      ("a string", "a == '" + repeated("x") + "'"),
      ("a string of escapes", "a == '" + repeated(#"\n"#) + "'"),
      ("a word", repeated("a") + " == 1"),
      ("digits", "a == " + repeated("9")),
      ("opened only", repeated("{")),
    ]
  }

  // MARK: Evaluating

  /// Five clauses on objects that are there, beside a closure that reads their properties.
  private static func evaluating(in folder: URL) throws -> [Figure] {
    let count = ObjectFigures.count
    let coordinator = try SampleStore.open(folder.appendingPathComponent("predicates.sqlite").path, count: count)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
      let predicate = NSPredicate(format: clauses)
      var counts = (0, 0)
      let closure = time { counts.0 = samples.count(where: isWanted) }
      let evaluating = time { counts.1 = samples.count { predicate.evaluate(with: $0) } }
      precondition(counts.0 == counts.1 && counts.0 > 0, "the two find \(counts)")
      return [
        Figure(
          name: "evaluate five clauses on 100,000 objects, beside Swift", ours: evaluating, bare: closure, pieces: count
        )
      ]
    }
  }

  /// What the clauses say.
  @inline(never)
  private static func isWanted(_ sample: Sample) -> Bool {
    sample.rating > 5_000 && sample.name.hasPrefix("Sample") && sample.note != nil && sample.isDone
      && (10...90_000.5).contains(sample.amount)
  }
}
