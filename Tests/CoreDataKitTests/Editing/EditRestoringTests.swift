import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// Edits that an earlier run left, taken up again.
@Suite struct EditRestoringTests {
  /// The same store, seen by another session after the first was killed.
  private func restore(_ state: EditState, _ kitchen: Kitchen) throws -> (EditSession, EditOutcome) {
    let session = kitchen.otherSession()
    let decoded = try JSONDecoder().decode(EditState.self, from: try JSONEncoder().encode(state))
    #expect(decoded == state)
    return (session, try oneAnswer(session.perform(.restore(decoded))))
  }

  private func edited(_ kitchen: Kitchen) throws -> EditState {
    let tag = try kitchen.insert("Tag")
    try kitchen.done(.set(tag, property: "name", .text("sour")))
    try kitchen.done(.set(Kitchen.pie, property: "name", .text("Pear Pie")))
    try kitchen.done(.set(Kitchen.pie, property: "tags", .objects([tag, Kitchen.sweet])))
    try kitchen.done(.set(Kitchen.pie, property: "ingredients", .objects([Kitchen.apples])))
    return try kitchen.done(.delete([Kitchen.cake]))
  }

  @Test func `restored edits are those that were left, and are saved alike`() throws {
    let kitchen = try Kitchen()
    let state = try edited(kitchen)
    let (session, outcome) = try restore(state, kitchen)
    #expect(outcome.result == .done)
    func sorted(_ state: EditState) -> [EditState.Object] {
      state.objects.sorted { ($0.key.entity, $0.key.primaryKey) < ($1.key.entity, $1.key.primaryKey) }
    }
    #expect(sorted(outcome.state) == sorted(state))
    #expect(outcome.state.undoTitle == "restored edits")
    guard case .saved = try oneAnswer(session.perform(.save)).result else { return #expect(Bool(false), "not saved") }
    #expect(try kitchen.file.rows("SELECT ZNAME FROM ZRECIPE") == ["Pear Pie"])
    #expect(try kitchen.file.rows("SELECT Z_5TAGS FROM Z_4TAGS ORDER BY 1") == ["1", "2"])
    #expect(try kitchen.file.rows("SELECT Z_PK FROM ZINGREDIENT WHERE ZRECIPE = 1") == ["2"])
  }

  @Test func `restored edits can be taken back as one`() throws {
    let kitchen = try Kitchen()
    let (session, outcome) = try restore(try edited(kitchen), kitchen)
    #expect(try oneAnswer(session.perform(.undo)).state.isEmpty)
    #expect(try oneAnswer(session.perform(.redo)).state.objects == outcome.state.objects)
  }

  @Test func `edits restored onto a newer store are conflicts, with the base they were made on`() throws {
    let kitchen = try Kitchen()
    let state = try edited(kitchen)
    try kitchen.file.write("UPDATE ZRECIPE SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;")
    let (session, outcome) = try restore(state, kitchen)
    #expect(outcome.result == .done)
    // Killed again, they would be restored with the same base.
    #expect(outcome.state[Kitchen.pie]?.version == 1)
    #expect(outcome.state[Kitchen.pie]?.fields["name"]?.base == .text("Apple Pie"))
    let conflicts = try kitchen.conflicts(try oneAnswer(session.perform(.save)))
    let name = try #require(conflicts.first { $0.key == Kitchen.pie }?.fields.first { $0.property == "name" })
    #expect(name == .init(property: "name", base: .text("Apple Pie"), mine: .text("Pear Pie"), theirs: .text("Theirs")))
    let resolved = try oneAnswer(session.perform(.resolve([Kitchen.pie: ["name": .theirs, "tags": .mine]])))
    guard case .saved = resolved.result else { return #expect(Bool(false), "\(resolved.result)") }
    #expect(try kitchen.file.rows("SELECT ZNAME FROM ZRECIPE") == ["Theirs"])
    #expect(try kitchen.file.rows("SELECT count(*) FROM Z_4TAGS") == ["2"])
  }

  @Test func `edits of an object that is gone by then wait for a choice`() throws {
    let kitchen = try Kitchen()
    let state = try kitchen.done(.set(Kitchen.cake, property: "name", .text("Mine")))
    try kitchen.file.write("DELETE FROM ZRECIPE WHERE Z_PK = 2;")
    let (session, outcome) = try restore(state, kitchen)
    #expect(outcome.state.objects == state.objects)
    #expect(try kitchen.conflicts(try oneAnswer(session.perform(.save))).first?.isGone == true)
    let resolved = try oneAnswer(session.perform(.resolve([Kitchen.cake: ["": .theirs]])))
    #expect(resolved.result == .saved(count: 0, keys: [:]) && resolved.state.isEmpty)
  }

  @Test func `edits that make no sense are refused, and nothing is mixed with edits that wait`() throws {
    let kitchen = try Kitchen()
    var state = EditState()
    state.objects = [.init(key: ObjectKey(entity: 4, primaryKey: 7), entity: "Recipe", kind: .insert)]
    #expect(try kitchen.perform(.restore(state)).result.isRefusal)
    let other = try kitchen.done(.set(Kitchen.pie, property: "name", .text("x")))
    #expect(try kitchen.perform(.restore(other)).result.isRefusal)
  }
}
