import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

@Suite("Filters as people type them")
struct FilterTextTests {
  private static let model: NSManagedObjectModel = {
    let draft = ModelSketch.attribute("draft", .stringAttributeType)
    draft.isTransient = true
    let recipe = ModelSketch.entity(
      "Recipe",
      [
        ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("servings", .integer16AttributeType),
        ModelSketch.attribute("price", .decimalAttributeType), ModelSketch.attribute("isPublic", .booleanAttributeType),
        ModelSketch.attribute("created", .dateAttributeType), ModelSketch.attribute("id", .UUIDAttributeType),
        ModelSketch.attribute("link", .URIAttributeType), ModelSketch.attribute("photo", .binaryDataAttributeType),
        draft,
      ])
    let item = ModelSketch.entity(
      "Item",
      [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("bought", .dateAttributeType)])
    ModelSketch.relate(recipe, "category", .one, to: item)
    ModelSketch.relate(recipe, "items", .many, to: item)
    return ModelSketch.model([recipe, item])
  }()

  private func failure(_ text: String) -> PredicateParseError? {
    do {
      _ = try FilterText.parse(text, entity: Self.model.entities[0])
      return nil
    } catch {
      return error
    }
  }

  private func constant(_ text: String) throws -> Constant {
    let tree = try FilterText.parse(text, entity: Self.model.entities[0])
    guard case .comparison(let comparison) = tree, case .constant(let constant) = comparison.right else {
      Issue.record("\(text) is no comparison with a constant")
      return .null
    }
    return constant
  }

  @Test(arguments: [
    ("nmae == 'x'", 0, "keypath nmae not found in entity Recipe: did you mean name?"),
    ("name == 'x' AND serving > 3", 16, "keypath serving not found in entity Recipe: did you mean servings?"),
    ("category.nam == 'x'", 9, "keypath nam not found in entity Item: did you mean name?"),
    ("objectID == nil", 0, "keypath objectID not found in entity Recipe"),
    (
      "name == 'name' OR draft == 'name'", 18,
      "keypath draft not found in entity Recipe: it is transient, no store keeps it"
    ),
    ("items.name == 'x'", 0, "to-many key not allowed here: write ANY items.name, or count it with .@count"),
    ("servings == items", 12, "to-many key not allowed here: write ANY items, or count it with .@count"),
    ("SUBQUERY(items, $x, $x.nme == 'a').@count > 0", 23, "keypath nme not found in entity Item: did you mean name?"),
    ("SUBQUERY(category, $x, $x.name == 'a').@count > 0", 9, "SUBQUERY needs a to-many relationship"),
    ("items.@cuont > 0", 6, "there is no operator @cuont: did you mean @count?"),
    ("category.@count > 0", 9, "@count needs a to-many relationship before it"),
    ("name.length > 3", 5, "name is an attribute: no key leads on from it"),
    ("name == $who", 8, "$who has no value"),
    ("name == 'a' AND created > 'soon'", 26, "“soon”: not a date: write 2025-11-02 18:04"),
    ("created BETWEEN {'2025-01-01', '2025-13-01'}", 31, "“2025-13-01”: there is no month 13"),
    ("category == 'Dessert'", 12, "an object is named by its URI: x-coredata://STORE/Entity/p42"),
    ("servings == 'many'", 12, "“many”: not an integer: write digits, such as 42"),
    ("sum(items.nmae) > 3", 10, "keypath nmae not found in entity Item: did you mean name?"),
  ])
  func `what the model does not allow is told under the word that is wrong`(
    _ text: String, _ offset: Int, _ words: String
  ) throws {
    let error = try #require(failure(text))
    #expect(error.offset == offset, "\(error)")
    #expect(error.hint == words)
  }

  @Test(arguments: [
    "name == 'x'", "items.@count > 2", "ANY items.name == 'x'", "ALL items.name != nil",
    "items CONTAINS 'x-coredata://A/Item/p1'",
    "SUBQUERY(items, $x, $x.name == name).@count > 0", "category.name IN {'a', 'b'}", "SELF.name LIKE 'a*'",
    "items.@sum.name > 1", "items[SIZE] > 1", "NONE items.name == 'a'", "TRUEPREDICATE", "1 == 1",
    "TERNARY(name == nil, 'a', name) == 'b'", "servings + 1 > 3", "#name == 'x'", "sum(items.name) > 1",
    "'x-coredata://A/Item/p1' IN items", "name MATCHES '.*' AND NOT (servings BETWEEN {1, 3})",
  ])
  func `what the model allows is no error`(_ text: String) throws {
    #expect(failure(text) == nil)
  }

  @Test func `a string stands for a value of the attribute's type`() throws {
    let day = Date(timeIntervalSinceReferenceDate: 757_382_400)  // 2025-01-01
    #expect(try constant("created > '2025-01-01'") == .date(day))
    #expect(try constant("category.bought == '2025-01-01T00:00:00Z'") == .date(day))
    #expect(try constant("ANY items.bought < '2025-01-01'") == .date(day))
    #expect(try constant("items.@max.bought < '2025-01-01'") == .date(day))
    let uuid = try #require(UUID(uuidString: "6E1B1F5C-7B0E-4C63-9E4F-0A4D2A9D5B11"))
    #expect(try constant("id == '6e1b1f5c-7b0e-4c63-9e4f-0a4d2a9d5b11'") == .uuid(uuid))
    #expect(try constant("link == 'https://example.org'") == .url(try #require(URL(string: "https://example.org"))))
    #expect(try constant("photo == 'base64:AQI='") == .data(Data([1, 2])))
    #expect(try constant("servings == '12'") == .integer(12))
    #expect(try constant("isPublic == 'yes'") == .bool(true))
    #expect(try constant("name == '2025-01-01'") == .string("2025-01-01"))
    #expect(try constant("name CONTAINS '2025'") == .string("2025"))
  }

  @Test func `a list of strings stands for a list of values, on either side`() throws {
    let tree = try FilterText.parse("created IN {'2025-01-01', '2025-01-02'}", entity: Self.model.entities[0])
    #expect(tree.format() == "created IN {CAST(757382400.000000, \"NSDate\"), CAST(757468800.000000, \"NSDate\")}")
    let mirrored = try FilterText.parse("'2025-01-01' < created", entity: Self.model.entities[0])
    #expect(mirrored.format() == "CAST(757382400.000000, \"NSDate\") < created")
  }

  @Test func `an object is named by its URI`() throws {
    let uri = "x-coredata://F0E1/Item/p42"
    for text in ["category == '\(uri)'", "SELF == '\(uri)'", "items CONTAINS '\(uri)'"] {
      guard case .identity(let identity) = try constant(text) else {
        Issue.record("\(text) holds no identity")
        continue
      }
      #expect((identity.id as? ObjectReference)?.uri.absoluteString == uri)
    }
  }

  @Test func `a date without a zone is on the clock that dates are shown by`() throws {
    let zone = try #require(DateZone("Europe/Paris"))
    let tree = try FilterText.parse("created == '2025-01-01'", entity: Self.model.entities[0], zone: zone)
    #expect(tree.format() == "created == CAST(757378800.000000, \"NSDate\")")
  }

  @Test(arguments: [
    ("nmae ", 0), ("nmae == ", 0), ("name == 'x' AND nmae == ", 16), ("(nmae > 3 OR ", 1),
    ("name == 'x' OR nmae == \"a", 15),
    ("SUBQUERY(items, $x, $x.nme == ", 23), ("ANY itms.name ", 4), ("created > 'soon' AND name ", 10),
    ("name IN {nmae, ", 9),
  ])
  func `while something is missing at the end, what is wrong before it is told already`(_ text: String, _ offset: Int)
    throws
  {
    let error = try #require(FilterText.problem(in: text, entity: Self.model.entities[0]))
    #expect(error.offset == offset, "\(error)")
    #expect(error.format == text)
  }

  @Test(arguments: [
    "nmae", "name", "name ", "items ", "items.@cou", "name == ", "created > 'so", "(name == 'x'", "name BEG", "$", "\"",
  ])
  func `what may become right yet is no more than incomplete`(_ text: String) throws {
    let error = try #require(FilterText.problem(in: text, entity: Self.model.entities[0]))
    #expect(error.offset >= text.utf8.count || text == "name BEG", "\(error)")
    #expect(FilterText.problem(in: "name == 'x'", entity: Self.model.entities[0]) == nil)
  }

  @Test func `an error after --where has its place`() throws {
    let error = UsageError(where: try #require(failure("name == 'x' AND serving > 3")))
    #expect(error.problem == "--where: at 17: keypath serving not found in entity Recipe: did you mean servings?")
  }
}
