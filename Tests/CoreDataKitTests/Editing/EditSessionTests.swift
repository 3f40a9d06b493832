import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// Edits before a save: what waits, what can be taken back, what is refused.
@Suite struct EditSessionTests {
  @Test func `an edit waits with its base, and the store stays as it is`() throws {
    let kitchen = try Kitchen()
    let state = try kitchen.done(.set(Kitchen.pie, property: "name", .text("Pear Pie")))
    #expect(state.objects.map(\.key) == [Kitchen.pie])
    let pie = try #require(state[Kitchen.pie])
    #expect(pie.kind == .update && pie.entity == "Recipe" && pie.version == 1 && !pie.isCascade)
    #expect(pie.fields == ["name": .init(base: .text("Apple Pie"), mine: .text("Pear Pie"))])
    #expect(state.undoTitle == "edit of Recipe.name")
    #expect(state.redoTitle == nil)
    #expect(try kitchen.file.rows("SELECT ZNAME FROM ZRECIPE WHERE Z_PK = 1") == ["Apple Pie"])
  }

  @Test func `a value set back to its base is no edit any more, and one that is there already is no step`() throws {
    let kitchen = try Kitchen()
    #expect(try kitchen.done(.set(Kitchen.pie, property: "name", .text("Apple Pie"))).undoTitle == nil)
    try kitchen.done(.set(Kitchen.pie, property: "servings", .integer(6)))
    #expect(try kitchen.done(.set(Kitchen.pie, property: "servings", .integer(8))).isEmpty)
  }

  @Test func `a text that only its bytes tell from its base is an edit, and is saved`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("\u{E1}")))
    #expect(try kitchen.perform(.save).result == .saved(count: 1, keys: [:]))
    let state = try kitchen.done(.set(Kitchen.pie, property: "name", .text("a\u{301}")))
    #expect(state[Kitchen.pie]?.fields["name"] == .init(base: .text("\u{E1}"), mine: .text("a\u{301}")))
    #expect(try kitchen.perform(.save).result == .saved(count: 1, keys: [:]))
    #expect(try kitchen.file.rows("SELECT hex(ZNAME) FROM ZRECIPE WHERE Z_PK = 1") == ["61CC81"])
  }

  @Test func `every kind of value can be set and read back from the store`() throws {
    let kitchen = try Kitchen()
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    let values: [(String, PropertyValue)] = [
      ("name", .text("日本 🍫")), ("servings", .integer(12)), ("created", .date(date)), ("rating", .real(4.5)),
      ("price", .decimal("12.50")), ("done", .boolean(true)), ("code", .uuid(uuid)),
      ("site", .text("https://example.org/a?b=c")), ("photo", .data(Data([0, 255, 7]))),
    ]
    for (property, value) in values { try kitchen.done(.set(Kitchen.pie, property: property, value)) }
    #expect(try kitchen.perform(.save).result == .saved(count: 1, keys: [:]))
    let other = kitchen.otherSession()
    let state = try oneAnswer(other.perform(.set(Kitchen.pie, property: "name", .text("x")))).state
    #expect(state[Kitchen.pie]?.fields["name"]?.base == .text("日本 🍫"))
    #expect(
      try kitchen.file.rows(
        """
        SELECT ZSERVINGS, ZCREATED, ZRATING, ZPRICE, ZDONE, hex(ZCODE), ZSITE, hex(ZPHOTO), Z_OPT FROM ZRECIPE
        WHERE Z_PK = 1
        """) == [
          "12|700000000.25|4.5|12.5|1|\(uuid.uuidString.replacingOccurrences(of: "-", with: ""))|"
            + "https://example.org/a?b=c|00FF07|2"
        ])
  }

  @Test func `undo and redo walk back and forth over all kinds of steps`() throws {
    let kitchen = try Kitchen()
    var states = [EditState()]
    states.append(try kitchen.done(.set(Kitchen.pie, property: "name", .text("Pear Pie"))))
    let key = try kitchen.insert("Ingredient")
    states.append(try oneAnswer(kitchen.session.state()))
    states.append(try kitchen.done(.set(key, property: "name", .text("Pears"))))
    states.append(try kitchen.done(.set(key, property: "recipe", .object(Kitchen.pie))))
    states.append(try kitchen.done(.delete([Kitchen.cake])))
    func objects(_ state: EditState) -> [EditState.Object] { state.objects }
    for expected in states.dropLast().reversed() { #expect(objects(try kitchen.done(.undo)) == objects(expected)) }
    #expect(try kitchen.perform(.undo).result == .refused("there is nothing to undo"))
    for expected in states.dropFirst() { #expect(objects(try kitchen.done(.redo)) == objects(expected)) }
    #expect(try kitchen.perform(.redo).result == .refused("there is nothing to redo"))
    // What is done after an undo forgets what could be redone.
    try kitchen.done(.undo)
    #expect(try kitchen.done(.set(key, property: "name", .text("Nashi"))).redoTitle == nil)
    #expect(try kitchen.done(.discard) == EditState())
    #expect(try kitchen.file.rows("SELECT count(*) FROM ZINGREDIENT") == ["2"])
  }

  @Test func `new objects have keys below zero that last until the save tells the real ones`() throws {
    let kitchen = try Kitchen()
    let soup = try kitchen.insert("Recipe")
    let onion = try kitchen.insert("Ingredient")
    #expect(soup.primaryKey < 0 && onion.primaryKey < 0 && soup.entity == 4 && onion.entity == 3)
    try kitchen.done(.set(soup, property: "name", .text("Onion Soup")))
    try kitchen.done(.set(onion, property: "name", .text("Onion")))
    // New objects relate to each other and to old ones.
    try kitchen.done(.set(soup, property: "ingredients", .objects([onion, Kitchen.flour])))
    try kitchen.done(.set(soup, property: "category", .object(Kitchen.soup)))
    let state = try kitchen.done(.set(soup, property: "tags", .objects([Kitchen.sweet])))
    #expect(state[onion]?.fields["recipe"]?.mine == .object(soup))
    #expect(state[Kitchen.flour]?.fields["recipe"] == .init(base: .object(Kitchen.pie), mine: .object(soup)))
    #expect(state[soup]?.fields["servings"]?.mine == .integer(1))
    guard case .saved(_, let keys) = try kitchen.perform(.save).result else {
      Issue.record("not saved")
      return
    }
    #expect(keys == [soup: ObjectKey(entity: 4, primaryKey: 3), onion: ObjectKey(entity: 3, primaryKey: 3)])
    #expect(
      try kitchen.file.rows("SELECT Z_PK, ZRECIPE, Z_OPT FROM ZINGREDIENT ORDER BY 1") == ["1|3|2", "2|1|1", "3|3|1"])
    #expect(try kitchen.file.rows("SELECT ZCATEGORY, ZNAME FROM ZRECIPE WHERE Z_PK = 3") == ["2|Onion Soup"])
    #expect(try kitchen.file.rows("SELECT count(*) FROM Z_4TAGS WHERE Z_4RECIPES = 3") == ["1"])
    #expect(try kitchen.file.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'") == ["3"])
  }

  @Test func `a delete shows what cascades and what lets go`() throws {
    let kitchen = try Kitchen()
    let state = try kitchen.done(.delete([Kitchen.pie]))
    #expect(state[Kitchen.pie]?.kind == .delete && state[Kitchen.pie]?.isCascade == false)
    #expect(state[Kitchen.flour]?.isCascade == true && state[Kitchen.apples]?.isCascade == true)
    #expect(state[Kitchen.sweet]?.fields["recipes"]?.mine == .objects([]))
    #expect(state.objects.first?.key == Kitchen.pie)
    #expect(try kitchen.perform(.set(Kitchen.pie, property: "name", .text("x"))).result.isRefusal)
    guard case .saved = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
    #expect(try kitchen.file.rows("SELECT Z_PK FROM ZRECIPE") == ["2"])
    #expect(try kitchen.file.rows("SELECT count(*) FROM ZINGREDIENT") == ["0"])
    #expect(try kitchen.file.rows("SELECT count(*) FROM Z_4TAGS") == ["0"])
  }

  @Test func `a new object that is deleted before a save leaves nothing`() throws {
    let kitchen = try Kitchen()
    let key = try kitchen.insert("Tag")
    #expect(try kitchen.done(.delete([key])).isEmpty)
    #expect(try kitchen.done(.undo).objects.map(\.key) == [key])
  }

  @Test func `what cannot be done is refused in words and changes nothing`() throws {
    let kitchen = try Kitchen()
    let refused: [EditOperation] = [
      .set(ObjectKey(entity: 4, primaryKey: 99), property: "name", .text("x")),
      .set(Kitchen.pie, property: "nothing", .text("x")), .set(Kitchen.pie, property: "servings", .text("x")),
      .set(Kitchen.pie, property: "category", .object(Kitchen.sweet)),
      .set(Kitchen.pie, property: "category", .object(ObjectKey(entity: 2, primaryKey: 99))),
      .set(Kitchen.pie, property: "tags", .object(Kitchen.sweet)), .insert(entity: "Nobody"),
      .delete([Kitchen.pie, ObjectKey(entity: 4, primaryKey: 99)]),
    ]
    for operation in refused {
      let outcome = try kitchen.perform(operation)
      #expect(outcome.result.isRefusal, "\(operation)")
      #expect(outcome.state == EditState(), "\(operation)")
    }
    #expect(
      try kitchen.perform(.set(Kitchen.pie, property: "servings", .text("x"))).result
        == .refused("servings takes a whole number"))
  }

  @Test func `a value is judged as it is typed, without being set`() throws {
    let kitchen = try Kitchen()
    func problem(_ property: String, _ value: PropertyValue) throws -> String? {
      try oneAnswer(kitchen.session.problem(with: value, of: property, in: Kitchen.pie))
    }
    #expect(try problem("servings", .integer(5)) == nil)
    #expect(try problem("servings", .integer(0)) == "too few")
    #expect(try problem("servings", .integer(101)) == "too many")
    #expect(try problem("servings", .text("x")) == "servings takes a whole number")
    #expect(try problem("name", .null) != nil)
    #expect(try problem("nothing", .null) != nil)
    #expect(try oneAnswer(kitchen.session.state()).isEmpty)
  }

  @Test func `values that cannot be saved are marked, and the save tells each`() throws {
    let kitchen = try Kitchen()
    let state = try kitchen.done(.set(Kitchen.pie, property: "servings", .integer(0)))
    #expect(state[Kitchen.pie]?.fields["servings"]?.problem == "too few")
    let key = try kitchen.insert("Recipe")
    #expect(try oneAnswer(kitchen.session.state())[key]?.fields["name"]?.problem != nil)
    let outcome = try kitchen.perform(.save)
    guard case .invalid(let lines) = outcome.result else { return #expect(Bool(false), "\(outcome.result)") }
    #expect(lines.count == 2)
    #expect(lines.contains("Recipe Apple Pie: too few"))
    #expect(outcome.state.objects.count == 2)
    #expect(try kitchen.file.rows("SELECT count(*), sum(Z_OPT) FROM ZRECIPE") == ["2|2"])
    // Once they are put right the same edits are saved.
    try kitchen.done(.set(key, property: "name", .text("Soup")))
    try kitchen.done(.set(Kitchen.pie, property: "servings", .integer(2)))
    guard case .saved(2, _) = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
  }

  @Test func `a deny rule is told by the save, and goes when the other end goes too`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.delete([Kitchen.author]))
    guard case .invalid(let lines) = try kitchen.perform(.save).result else { return #expect(Bool(false), "saved") }
    #expect(lines.count == 1 && lines[0].hasPrefix("Author Ann: "))
    try kitchen.done(.delete([Kitchen.pie, Kitchen.cake]))
    guard case .saved = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
    #expect(try kitchen.file.rows("SELECT count(*) FROM ZAUTHOR") == ["0"])
  }

  @Test func `a store that may not be written refuses the save and keeps the edits`() throws {
    let kitchen = try Kitchen(isReadOnly: true)
    let before = try kitchen.file.fingerprint()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("x")))
    let outcome = try kitchen.perform(.save)
    #expect(outcome.result.isRefusal)
    #expect(outcome.state.objects.count == 1)
    #expect(try kitchen.file.fingerprint() == before)
  }

  @Test func `a dry run tells what a save would change, and saves nothing`() throws {
    let kitchen = try Kitchen(isReadOnly: true)
    let before = try kitchen.file.fingerprint()
    let key = try kitchen.insert("Tag")
    try kitchen.done(.set(key, property: "name", .text("sour")))
    try kitchen.done(.set(Kitchen.cake, property: "servings", .integer(4)))
    try kitchen.done(.delete([Kitchen.pie]))
    let changes = try oneAnswer(kitchen.session.dryRun())
    #expect(changes.transaction == .init(author: "tester", context: "edit"))
    func change(_ key: ObjectKey) -> StoreChanges.Change? { changes.changes.first { $0.key == key } }
    #expect(change(key)?.kind == .insert && change(key)?.properties == ["name": .init(old: nil, new: .text("sour"))])
    #expect(change(Kitchen.cake)?.properties == ["servings": .init(old: .integer(8), new: .integer(4))])
    #expect(change(Kitchen.pie)?.kind == .delete)
    #expect(change(Kitchen.pie)?.properties?["name"] == .init(old: .text("Apple Pie"), new: nil))
    #expect(change(Kitchen.flour)?.kind == .delete)
    try kitchen.done(.set(Kitchen.cake, property: "servings", .integer(0)))
    #expect(throws: NSError.self) { try oneAnswer(kitchen.session.dryRun()) }
    #expect(try kitchen.file.fingerprint() == before)
  }
}

extension EditOutcome.Result {
  /// Whether nothing was done.
  var isRefusal: Bool { if case .refused = self { true } else { false } }
}
