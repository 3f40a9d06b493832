import CoreData
import Testing

@Suite("What can be typed at a place of a filter")
struct PredicateCompletionTests {
  /// The completion where `|` stands in a text.
  private func completion(_ marked: String) -> PredicateCompletion {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return PredicateCompletion(
      parts.joined(), caret: parts[0].utf8.count, entity: Pantry.recipe)
  }

  private func texts(_ marked: String) -> [String] { completion(marked).candidates.map(\.text) }

  @Test(arguments: [
    ("|", ["name", "created", "id", "isPublic"]),
    ("na|", ["name"]), ("NA|", ["name"]), ("si|", ["#size"]), ("#si|", ["#size"]),
    ("category.na|", ["name"]), ("category.|", ["name", "recipes"]), ("category.na| == 'x'", ["name"]),
    ("SELF.na|", ["name"]), ("name == 'x' AND ser|", ["servings"]), ("NOT ser|", ["servings"]),
    ("(ser|", ["servings"]), ("ANY |", ["ingredients", "name"]), ("ANY ingredients.na|", ["name"]),
    ("SUBQUERY(ingredients, $x, $x.na|", ["name"]), ("SUBQUERY(ingredients, $x, $|", ["$x"]),
    ("SUBQUERY(category.recipes, $r, SUBQUERY($r.ingredients, $i, $i.bo|", ["bought"]),
    ("ingredients.@su|", ["@sum"]), ("ingredients.@sum.|", ["name", "amount"]),
    ("category.recipes.@cou|", ["@count"]), ("servings == ra|", ["rating"]), ("sum(ingredients.am|", ["amount"]),
    ("ingredients[|", ["FIRST", "LAST", "SIZE"]), ("größe == 1 OR na|", ["name"]),
  ])
  func `keys are those of the entity at the place`(_ marked: String, _ first: [String]) {
    #expect(Array(texts(marked).prefix(first.count)) == first)
  }

  @Test(arguments: [
    ("name |", ["==", "!=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"]), ("name BEG|", ["BEGINSWITH"]),
    ("servings |", ["==", "!=", ">", "<", ">=", "<=", "BETWEEN", "IN", "+"]), ("created |", [">", "<"]),
    ("category |", ["==", "!=", "IN"]), ("ingredients |", ["CONTAINS"]),
    ("ANY ingredients.name |", ["==", "!=", "CONTAINS"]),
    ("isPublic |", ["==", "!="]), ("ingredients.@count |", ["==", "!=", ">"]), ("(name |", ["==", "!=", "CONTAINS"]),
    ("SUBQUERY(ingredients, $x, $x.bought |", [">", "<"]), ("id |", ["==", "!=", "IN"]),
  ])
  func `operators suit the type`(_ marked: String, _ first: [String]) {
    #expect(Array(texts(marked).prefix(first.count)) == first)
  }

  @Test func `what does not suit the type is not offered`() {
    #expect(texts("isPublic |") == ["==", "!="])
    #expect(texts("category |") == ["==", "!=", "IN"])
    #expect(!texts("servings |").contains("CONTAINS"))
    #expect(!texts("ingredients.|").contains("servings"))
    #expect(!texts("|").contains("draft"), "a transient property is in no store")
  }

  @Test(arguments: [
    ("name == 'x' |", ["AND", "OR"]), ("name == 'x' A|", ["AND"]), ("(name == 'x' |", ["AND", "OR"]),
    ("TRUEPREDICATE |", ["AND", "OR"]), ("name ==[|", ["cd]", "c]", "d]", "n]", "l]"]), ("name ==[c|", ["cd]", "c]"]),
    ("name CONTAINS[c|] 'x'", ["cd", "c"]), ("isPublic == |", ["YES", "NO", "nil"]), ("isPublic == n|", ["NO", "nil"]),
    ("category == |", ["nil"]), ("created > |", ["\"2025-01-31\"", "now()"]), ("servings BETWEEN |", ["{"]),
    ("name IN |", ["{"]), ("SUBQUERY(ingredients, |", ["$x"]), ("photo != |", ["nil"]),
  ])
  func `connectives, options and literals stand where they can`(_ marked: String, _ first: [String]) {
    #expect(Array(texts(marked).prefix(first.count)) == first)
  }

  @Test(arguments: [
    ("name == |", "Recipe", "name", ""), ("name == \"De|", "Recipe", "name", "De"),
    ("name CONTAINS[cd] 'so|up'", "Recipe", "name", "so"), ("category.name == \"D|", "Category", "name", "D"),
    ("ANY ingredients.name == |", "Ingredient", "name", ""), ("name IN {\"a\", \"b|", "Recipe", "name", "b"),
    ("servings > 1|", "Recipe", "servings", "1"),
    ("SUBQUERY(ingredients, $x, $x.name == \"f|", "Ingredient", "name", "f"),
  ])
  func `after an operator the attribute's own values can stand`(
    _ marked: String, _ entity: String, _ attribute: String, _ prefix: String
  ) {
    #expect(completion(marked).values == .init(entity: entity, attribute: attribute, prefix: prefix))
  }

  @Test func `a candidate takes the place of the whole word, and a value that of the whole string`() {
    #expect(completion("category.na|me == 'x'").range == 9..<13)
    #expect(completion("name == \"Des|sert\" AND x").range == 8..<17)
    #expect(completion("name == \"Des|").range == 8..<12)
    #expect(completion("name == |").range == 8..<8)
  }

  @Test(arguments: [
    "name == 'x'|", "name ==== |", "name == 'x')|", "AND |", "%@ |", "name == 'x' name |", "= |", "a b: c d|",
  ])
  func `nothing is offered where nothing can stand or the text is wrong before`(_ marked: String) {
    #expect(completion(marked).candidates.isEmpty)
  }

  @Test func `details tell types and destinations`() {
    let details = Dictionary(
      completion("|").candidates.map { ($0.text, $0.detail) }, uniquingKeysWith: { first, _ in first })
    #expect(details["servings"] == "integer")
    #expect(details["category"] == "to Category")
    #expect(details["ingredients"] == "to many Ingredient")
    #expect(completion("categ|").candidates.first?.kind == .relationship)
  }

  @Test func `every candidate brings the text on: what was a whole filter parses, or breaks off later`() throws {
    for marked in ["|", "name |", "category.|", "ANY |", "name == 'x' |", "servings |", "ingredients.|"] {
      let (text, completion) = (marked.replacingOccurrences(of: "|", with: ""), completion(marked))
      for candidate in completion.candidates {
        let next = text + candidate.text + " "
        do { _ = try PredicateForm(format: next, arguments: []) } catch {
          #expect(error.offset >= next.utf8.count - 1, "\(next): \(error)")
        }
      }
    }
  }

  @Test func `any text and any caret have an answer`() {
    let pieces = [
      "name", "category", ".", "ingredients", "==", " ", "\"", "'", "(", ")", "{", "}", "[", "]", "SUBQUERY(", "$x",
      "$", "#",
      "@", "@count", "AND", "NOT", "ANY", "IN", "BETWEEN", ",", "12", "1.", "é🎪", "\\", "%", "%@", "UTI-", "\u{0}",
      "\n", "+",
      "CAST(", "FUNCTION(", "TERNARY(", "-", "~", "[c", "LIKE", ":=", "nil",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let caret = Int.random(in: -1...text.utf8.count + 1, using: &random)
      let completion = PredicateCompletion(text, caret: caret, entity: Pantry.recipe)
      #expect(completion.range.upperBound <= text.utf8.count && completion.range.lowerBound >= 0, "\(text) at \(caret)")
    }
  }
}
