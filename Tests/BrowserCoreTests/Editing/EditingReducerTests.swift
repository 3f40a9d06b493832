import BrowserTestSupport
import CoreData
import CoreDataKit
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct EditingReducerTests {
  private let first = ObjectKey(entity: 1, primaryKey: 1)

  private func unlocked() -> BrowserState {
    var state = openState()
    state.editing.lock = .unlocked
    return state
  }

  private func target(_ state: BrowserState, _ name: String) throws -> EditTarget {
    let event = try #require(state.entity(named: "Event"))
    let property = try #require(event.properties.first { $0.name == name })
    return EditTarget(key: first, property: property, place: .cell)
  }

  private func outcome(_ result: EditOutcome.Result, _ objects: [EditState.Object] = []) -> EditOutcome {
    var state = EditState()
    state.objects = objects
    return EditOutcome(state: state, result: result)
  }

  private func edited(_ property: String, _ value: PropertyValue, problem: String? = nil) -> EditState.Object {
    EditState.Object(
      key: first, entity: "Event", kind: .update,
      fields: [property: EditState.Field(base: .null, mine: value, problem: problem)])
  }

  @Test func `an edit of a locked store asks, and only yes asks the service`() {
    var state = openState()
    var expected = state
    #expect(reduce(&state, .intent(.editing(.add))).isEmpty)
    expected.editing.afterUnlock = .add
    expected.overlay = .question(.unlock)
    #expect(state == expected)
    #expect(reduce(&state, .intent(.editing(.confirm))) == [.editing(.unlock)])
    expected.overlay = nil
    expected.editing.lock = .unlocking
    expected.message = Message(text: "Unlocking…")
    #expect(state == expected)
  }

  @Test func `the editor opens with the value, and each key reads it anew`() throws {
    var state = unlocked()
    state.list?.column = 1
    let target = try target(state, "priority")
    #expect(reduce(&state, .intent(.editing(.begin))).isEmpty)
    #expect(state.editor == FieldEditor(target, value: .integer(27), text: "27"))
    #expect(reduce(&state, .intent(.edit(KeyPress("0")))) == [.editing(.validate(target, .integer(270)))])
    #expect(state.editor?.verdict == .checking(.integer(270)))
    #expect(reduce(&state, .intent(.edit(KeyPress(.left)))).isEmpty)
    #expect(reduce(&state, .intent(.edit(KeyPress("x")))) == [.cancel([.validation])])
    #expect(state.editor?.verdict == .unreadable("not an integer: write digits, such as 42"))
  }

  @Test func `an answer about another text than the one on screen is dropped`() throws {
    var state = unlocked()
    state.list?.column = 1
    let target = try target(state, "priority")
    _ = reduce(&state, .intent(.editing(.begin)))
    _ = reduce(&state, .intent(.edit(KeyPress("0"))))
    let before = state
    #expect(
      reduce(&state, .answer(.editing(.validated(target, .integer(27), problem: "too old")))).isEmpty)
    #expect(state == before)
    #expect(reduce(&state, .answer(.editing(.validated(target, .integer(270), problem: "too large")))).isEmpty)
    #expect(state.editor?.verdict == .invalid(.integer(270), "too large"))
  }

  @Test func `operations wait for each other, and what waits is shown already`() {
    var state = unlocked()
    let (one, two) = (
      EditOperation.set(first, property: "title", .text("One")),
      EditOperation.set(first, property: "title", .text("Two"))
    )
    #expect(state.perform(one) == [.editing(.perform(one))])
    #expect(state.perform(two).isEmpty)
    #expect(state.editing.value(of: "title", in: first) == .text("Two"))
    #expect(state.pendingRows[first]?.values["title"] == .text("Two"))
    let effects = reduce(&state, .answer(.editing(.done(one, outcome(.done, [edited("title", .text("One"))])))))
    #expect(effects.contains(.editing(.perform(two))))
    #expect(state.editing.operations == [two])
  }

  @Test func `a failed operation is told and the next one goes on`() {
    var state = unlocked()
    _ = state.perform(.undo)
    _ = state.perform(.redo)
    let problem = Problem(summary: "The disk is full.", detail: "")
    #expect(reduce(&state, .answer(.editing(.failed(.undo, problem)))) == [.editing(.perform(.redo))])
    #expect(state.lastProblem == problem)
  }

  @Test func `saved values show before the store tells of them`() {
    var state = unlocked()
    state.editing.edits.objects = [edited("title", .text("Mine"))]
    _ = state.perform(.save)
    _ = reduce(&state, .answer(.editing(.done(.save, outcome(.saved(count: 1, keys: [:]))))))
    #expect(state.pendingCount == 0)
    #expect(state.list?.buffer.rows.first?.cells.first == .text("Mine", length: 4))
    #expect(state.message == Message(text: "Saved 1 object."))
  }

  @Test func `values that cannot be saved are listed, and the first is gone to`() {
    var state = unlocked()
    state.list?.cursor = 7
    _ = state.perform(.save)
    let invalid = outcome(
      .invalid(["priority is too large", "title is missing"]), [edited("priority", .integer(1), problem: "large")])
    _ = reduce(&state, .answer(.editing(.done(.save, invalid))))
    #expect(state.selectedKey == first)
    #expect(state.list?.column == 1)
    #expect(state.lastProblem?.detail == "priority is too large\ntitle is missing")
  }

  @Test func `only values that both sides changed are left open, and every line must be chosen`() {
    let field = EditConflict.Field.init
    let conflict = EditConflict(
      key: first, entity: "Event", title: nil, isGone: false,
      fields: [
        field("both", .integer(1), .integer(2), .integer(3)), field("mine", .integer(1), .integer(2), .integer(1)),
        field("same", .integer(1), .integer(2), .integer(2)), field("theirs", .integer(1), .integer(1), .integer(3)),
      ])
    let gone = EditConflict(
      key: ObjectKey(entity: 1, primaryKey: 9), entity: "Event", title: nil, isGone: true, fields: [])
    var state = unlocked()
    state.overlay = .conflict(ConflictState([conflict, gone]))
    #expect(reduce(&state, .intent(.editing(.resolve))).isEmpty)
    _ = reduce(&state, .intent(.editing(.choose(.theirs))))
    _ = reduce(&state, .intent(.editing(.choose(.mine))))
    let sides: [ObjectKey: [String: EditConflict.Side]] = [
      first: ["both": .theirs, "mine": .mine, "same": .mine, "theirs": .theirs], gone.key: ["": .mine],
    ]
    #expect(reduce(&state, .intent(.editing(.resolve))) == [.editing(.perform(.resolve(sides)))])
    #expect(state.overlay == nil)
  }

  @Test func `what is typed can be nil, and typing ends that`() throws {
    var editor = FieldEditor(try target(unlocked(), "title"), value: .text("One"), text: "One")
    editor.isNil = true
    let typed = editor.handle(KeyPress("x"), width: 10, height: 1)
    #expect(typed)
    #expect(editor.text == "x" && !editor.isNil)
    editor.isNil = true
    let erased = editor.handle(KeyPress(.backspace), width: 10, height: 1)
    #expect(erased)
    #expect(editor.text.isEmpty && !editor.isNil)
  }
}
