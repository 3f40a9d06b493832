import CoreData
import Foundation
import TestSupport
import Testing

/// Texts that nobody writes: whatever comes, a text is parsed or refused at a place inside it, and nothing crashes.
@Suite struct PredicateFuzzTests {
  private let arguments: [Any] = [
    "key", 1, 2.5, "text", ["a", "b"], NSNull(), Date(timeIntervalSinceReferenceDate: 0),
  ]
  private let object: [String: Any] = [
    "a": 1, "name": "Zoë", "size": [1, 2, 3], "b2": NSNull(), "größe": 1.5, "k": ["x": 1],
  ]

  /// A quick run takes so many texts; a long one as many as ten minutes allow.
  private static let quickCount = 3_000

  @Test func `mutated texts are parsed or refused, and what is parsed prints, evaluates and reads back`() throws {
    var fuzz = PredicateFuzz(seed: LongRun.isOn ? UInt64(Date().timeIntervalSince1970) : 7)
    let seed = fuzz.seed
    let end = ContinuousClock.now + .seconds(600)
    var (count, parsed) = (0, 0)
    while LongRun.isOn ? ContinuousClock.now < end : count < Self.quickCount {
      let text = fuzz.text()
      count += 1
      guard let failure = try check(text, counting: &parsed) else { continue }
      Issue.record("seed \(seed), text \(count): \(failure)\n\(text)")
      return
    }
    print("fuzzed \(count) texts, \(parsed) of them predicates (seed \(seed))")
    #expect(parsed > count / 10 && parsed < count)
  }

  @Test(arguments: PathologicalShape.allCases)
  func `a pathological text of any length is parsed or refused`(_ shape: PathologicalShape) throws {
    var parsed = 0
    for length in [100, 10_000, LongRun.isOn || shape == .nestedSums ? 600_000 : 50_000] {
      let text = shape.text(length)
      if let failure = try check(text, counting: &parsed) {
        Issue.record("\(length) characters: \(failure)\n\(text.prefix(200))")
      }
    }
  }

  /// What is wrong; nil when all is well.
  private func check(_ text: String, counting parsed: inout Int) throws -> String? {
    let form: PredicateForm
    do {
      form = try PredicateForm(format: text, arguments: arguments)
    } catch {
      guard (0...text.utf8.count).contains(error.offset), !error.hint.isEmpty else {
        return "refused at \(error.offset)"
      }
      return nil
    }
    parsed += 1
    _ = form.tree.format()
    // Whether it can be evaluated is another matter; to be raised is fine.
    _ = try? form.evaluate(with: object)
    _ = try? CompiledPredicate(form, nulls: .fetch).evaluate(PredicateValue(object))
    let written = form.tree.format(.parsable)
    do {
      let again = try PredicateForm(format: written, arguments: []).tree.format(.parsable)
      return again == written ? nil : "is\n\(written.prefix(500))\nthen\n\(again.prefix(500))"
    } catch {
      return "cannot be read back: \(error)\n\(written.prefix(500))"
    }
  }
}

/// Random texts: a grammar's, with bytes changed and pieces of others put in.
private struct PredicateFuzz {
  let seed: UInt64
  private var generator: PredicateGenerator
  private var last = "a == 1"

  init(seed: UInt64) {
    self.seed = seed
    generator = PredicateGenerator(seed: seed)
  }

  mutating func text() -> String {
    var bytes = Array(base().utf8)
    for _ in 0..<generator.below(4) { mutate(&bytes) }
    last = String(decoding: bytes, as: UTF8.self)
    return last
  }

  private mutating func base() -> String {
    switch generator.below(6) {
    case 0: generator.noise()
    case 1: generator.twin(depth: generator.below(4)).format
    case 2: last
    case 3: generator.pick(PathologicalShape.allCases).text(generator.below(400))
    default: generator.predicate(depth: 1 + generator.below(4)).format(.parsable)
    }
  }

  private static let pieces = [
    "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%@", "%K", "%d", "%", "$", "$x", "@", "#", ".", ":", ":=", "=", "!",
    "-", "~", "**", "<<", "NOT ", "ANY ", "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", ", ", " AND ", " OR ", "[cd]",
    "[FIRST]", "nil", "SELF", "0x", "1e", "\u{0}", "é", "\u{301}", "\n", "UTI-", "99999999999999999999", "\\u",
    "\\U0001",
  ]

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = generator.below(bytes.count + 1)
    switch generator.below(7) {
    case 0 where place < bytes.count: bytes.remove(at: place)
    case 1 where place < bytes.count: bytes[place] = UInt8(generator.below(256))
    case 2 where place < bytes.count: bytes[place] ^= UInt8(1 << generator.below(8))
    case 3: bytes.insert(contentsOf: Array(last.utf8.prefix(generator.below(60))), at: place)
    case 4:
      let end = Swift.min(bytes.count, place + generator.below(20))
      bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    case 5: bytes.removeSubrange(place..<Swift.min(bytes.count, place + generator.below(20)))
    default: bytes.insert(contentsOf: Array(generator.pick(Self.pieces).utf8), at: place)
    }
  }
}
