import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// Saves that meet what others committed meanwhile.
@Suite struct EditConflictTests {
  @Test func `a save that meets another program's commit shows base, mine and theirs, and saves nothing`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    try kitchen.done(.set(Kitchen.cake, property: "name", .text("Mine too")))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs', ZSERVINGS = 3, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;")
    let conflicts = try kitchen.conflicts(try kitchen.perform(.save))
    #expect(conflicts.map(\.key) == [Kitchen.pie])
    let conflict = try #require(conflicts.first)
    #expect(!conflict.isGone && conflict.entity == "Recipe")
    #expect(
      conflict.fields.sorted { $0.property < $1.property } == [
        .init(property: "name", base: .text("Apple Pie"), mine: .text("Mine"), theirs: .text("Theirs")),
        .init(property: "servings", base: .integer(8), mine: .integer(8), theirs: .integer(3)),
      ])
    #expect(try kitchen.file.rows("SELECT ZNAME FROM ZRECIPE ORDER BY Z_PK") == ["Theirs", "Carrot Cake"])
  }

  @Test func `SQLITE 9: plain SQL that leaves Z_OPT alone is a conflict too`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs' WHERE Z_PK = 1;")
    #expect(try kitchen.conflicts(try kitchen.perform(.save)).first?.fields.first?.theirs == .text("Theirs"))
  }

  @Test func `a conflict is settled property by property`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    try kitchen.done(.set(Kitchen.pie, property: "servings", .integer(5)))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs', ZSERVINGS = 3, ZRATING = 2 WHERE Z_PK = 1;")
    _ = try kitchen.conflicts(try kitchen.perform(.save))
    let outcome = try kitchen.perform(.resolve([Kitchen.pie: ["name": .theirs, "servings": .mine]]))
    #expect(outcome.result == .saved(count: 1, keys: [:]))
    #expect(outcome.state == EditState())
    #expect(
      try kitchen.file.rows("SELECT ZNAME, ZSERVINGS, ZRATING, Z_OPT FROM ZRECIPE WHERE Z_PK = 1") == [
        "Theirs|5|2.0|2"
      ])
  }

  @Test func `a conflict that is settled while yet another commit comes is shown again`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'One' WHERE Z_PK = 1;")
    _ = try kitchen.conflicts(try kitchen.perform(.save))
    // The choice is made for what was seen; the newer value is found by the next save.
    #expect(try kitchen.perform(.resolve([Kitchen.pie: ["name": .mine]])).result == .saved(count: 1, keys: [:]))
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine again")))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Two' WHERE Z_PK = 1;")
    let conflicts = try kitchen.conflicts(try kitchen.perform(.save))
    #expect(conflicts.first?.fields.first?.base == .text("Mine"))
  }

  @Test func `undoing something else keeps the base that an edit started from`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs' WHERE Z_PK = 1;")
    // Another context reads the new row, and so the coordinator's cache has it.
    #expect(
      try oneAnswer(kitchen.otherSession().perform(.set(Kitchen.pie, property: "name", .text("x")))).state[Kitchen.pie]?
        .fields["name"]?.base == .text("Theirs"))
    try kitchen.done(.set(Kitchen.cake, property: "name", .text("x")))
    let state = try kitchen.done(.undo)
    #expect(state[Kitchen.pie]?.fields["name"]?.base == .text("Apple Pie"))
    #expect(try kitchen.conflicts(try kitchen.perform(.save)).count == 1)
  }

  @Test func `an object that is first touched after a commit is edited as it is then`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("x")))
    try kitchen.done(.discard)
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs' WHERE Z_PK = 1;")
    let state = try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    #expect(state[Kitchen.pie]?.fields["name"]?.base == .text("Theirs"))
    #expect(try kitchen.perform(.save).result == .saved(count: 1, keys: [:]))
  }

  @Test func `a commit to the far end of a relationship does not stand in the way`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.set(Kitchen.pie, property: "category", .object(Kitchen.soup)))
    try kitchen.file.write("UPDATE ZCATEGORY SET ZNAME = 'Sweets', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;")
    guard case .saved = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
    #expect(try kitchen.file.rows("SELECT ZCATEGORY FROM ZRECIPE ORDER BY Z_PK") == ["2", "1"])
    #expect(try kitchen.file.rows("SELECT ZNAME FROM ZCATEGORY WHERE Z_PK = 1") == ["Sweets"])
  }

  @Test func `edits of an object that is gone can be forgotten or kept`() throws {
    for side in [EditConflict.Side.theirs, .mine] {
      let kitchen = try Kitchen()
      try kitchen.done(.set(Kitchen.cake, property: "name", .text("Mine")))
      try kitchen.done(.set(Kitchen.pie, property: "name", .text("Pear Pie")))
      try kitchen.file.write("DELETE FROM ZRECIPE WHERE Z_PK = 2;")
      let conflict = try #require(try kitchen.conflicts(try kitchen.perform(.save)).first)
      #expect(conflict.isGone && conflict.key == Kitchen.cake && conflict.title == "Mine")
      let outcome = try kitchen.perform(.resolve([Kitchen.cake: ["": side]]))
      #expect(outcome.result == .saved(count: 1, keys: [:]), "\(side)")
      #expect(try kitchen.file.rows("SELECT ZNAME FROM ZRECIPE") == ["Pear Pie"])
      #expect(outcome.state.objects.map(\.key) == (side == .mine ? [Kitchen.cake] : []))
      if side == .mine {
        #expect(outcome.state[Kitchen.cake]?.fields["name"]?.mine == .text("Mine"))
        #expect(try kitchen.conflicts(try kitchen.perform(.save)).first?.isGone == true)
        #expect(try kitchen.done(.undo).isEmpty)
      }
    }
  }

  @Test func `deleting what others deleted is done, and deleting what others changed is asked about`() throws {
    let kitchen = try Kitchen()
    try kitchen.done(.delete([Kitchen.soup]))
    try kitchen.file.write("DELETE FROM ZCATEGORY WHERE Z_PK = 2;")
    guard case .saved = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
    for side in [EditConflict.Side.theirs, .mine] {
      let kitchen = try Kitchen()
      try kitchen.done(.delete([Kitchen.cake]))
      try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs' WHERE Z_PK = 2;")
      let conflict = try #require(try kitchen.conflicts(try kitchen.perform(.save)).first)
      #expect(
        conflict.fields == [.init(property: "name", base: .text("Carrot Cake"), mine: .null, theirs: .text("Theirs"))])
      let outcome = try kitchen.perform(.resolve([Kitchen.cake: ["name": side]]))
      guard case .saved = outcome.result else { return #expect(Bool(false), "\(outcome.result)") }
      #expect(outcome.state.isEmpty)
      #expect(try kitchen.file.rows("SELECT count(*) FROM ZRECIPE") == [side == .mine ? "1" : "2"])
    }
  }

  @Test func `two sessions of one process meet each other's saves`() throws {
    let kitchen = try Kitchen()
    let other = kitchen.otherSession()
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Mine")))
    _ = try oneAnswer(other.perform(.set(Kitchen.pie, property: "name", .text("Other"))))
    #expect(try oneAnswer(other.perform(.save)).result == .saved(count: 1, keys: [:]))
    let conflict = try #require(try kitchen.conflicts(try kitchen.perform(.save)).first)
    #expect(
      conflict.fields.first
        == .init(property: "name", base: .text("Apple Pie"), mine: .text("Mine"), theirs: .text("Other")))
  }
}
