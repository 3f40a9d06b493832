import CoreData
import Testing

@Suite("Predicates at random, seeded")
struct PredicateRandomTests {
  @Test func `format, parse, format is stable for random trees (rule 22)`() throws {
    var generator = PredicateGenerator(seed: 1)
    for _ in 0..<3_000 {
      let tree = generator.predicate(depth: 3)
      let text = tree.format(.parsable)
      let again = try PredicateForm(format: text, arguments: [])
      let second = again.tree.format(.parsable)
      guard second == text else {
        Issue.record("\(text)\nbecame\n\(second)")
        return
      }
      // From here on the tree itself is stable, and so is the canonical text.
      let third = try PredicateForm(format: second, arguments: [])
      #expect(third.tree == again.tree)
      #expect(again.tree.format() == third.tree.format())
    }
  }

  @Test func `the evaluator, compiled or not, selects what a plain Swift filter selects`() throws {
    var generator = PredicateGenerator(seed: 2)
    let records = (0..<200).map { _ in generator.record() }
    let objects = records.map(\.dictionary)
    for _ in 0..<500 {
      let twin = generator.twin(depth: generator.below(4))
      let form = try PredicateForm(format: twin.format, arguments: [])
      let compiled = CompiledPredicate(form, nulls: .memory)
      let fetching = CompiledPredicate(form, nulls: .fetch)
      let evaluator = PredicateEvaluator(form.captures, nulls: .fetch)
      for (record, object) in zip(records, objects) {
        let holds = try form.evaluate(with: object)
        let value = PredicateValue(object)
        #expect(try compiled.evaluate(value) == holds)
        #expect(try fetching.evaluate(value) == evaluator.evaluate(form.tree, value))
        guard holds == twin.filter(record) else {
          Issue.record("\(twin.format) is \(holds) for \(record)")
          return
        }
      }
    }
  }

  @Test func `noise parses or is refused at a place inside it`() {
    var generator = PredicateGenerator(seed: 3)
    var refused = 0
    for _ in 0..<20_000 {
      let text = generator.noise()
      do {
        let form = try PredicateForm(format: text, arguments: ["k", 1, "x"])
        _ = form.tree.format()
      } catch {
        refused += 1
        #expect((0...text.utf8.count).contains(error.offset))
        #expect(!error.hint.isEmpty)
      }
    }
    print("noise refused: \(refused) of 20000")
    #expect((5_000..<20_000).contains(refused))
  }
}
