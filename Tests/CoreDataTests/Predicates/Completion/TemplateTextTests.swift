import CoreData
import Testing

@Suite("Variables in the text of a template")
struct TemplateTextTests {
  @Test func `variables are found in order, each once, and not those of subqueries`() {
    #expect(PredicatePlaces.variables(of: "a > $LOW AND b < $HIGH AND c != $LOW") == ["LOW", "HIGH"])
    #expect(
      PredicatePlaces.variables(of: "SUBQUERY(items, $x, $x.price > $LIMIT).@count > 0 AND a IN {1, $b, 2}") == [
        "LIMIT", "b",
      ])
    #expect(PredicatePlaces.variables(of: "name == '$who'").isEmpty)
  }

  @Test func `literals take the place of variables, whatever their length`() {
    #expect(
      PredicatePlaces.replacing(["A": "\"long text\"", "B": "1"], in: "x == $A OR ü == $B OR y == $A")
        == "x == \"long text\" OR ü == 1 OR y == \"long text\"")
    #expect(
      PredicatePlaces.replacing(["x": "1"], in: "SUBQUERY(a, $x, $x.b == 2).@count > 0")
        == "SUBQUERY(a, $x, $x.b == 2).@count > 0")
  }

  @Test func `the attribute that a variable is compared with tells the type that is asked for`() {
    func type(_ text: String) -> NSAttributeType? {
      ModelCheck.attribute(comparedWith: "V", in: text, entity: Pantry.recipe)?.attributeType
    }
    #expect(type("created > $V") == .dateAttributeType)
    #expect(type("NOT (name == 'x' OR $V == servings)") == .integer16AttributeType)
    #expect(type("category.name IN {$V, 'b'}") == .stringAttributeType)
    #expect(type("category == $V") == nil)
    #expect(type("name == 'x'") == nil)
  }
}
