import BrowserTestSupport
import CoreData
import CoreDataKit
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// What becomes of edits: undone, discarded, saved, met by others' changes, left for later.
@MainActor @Suite struct EditSavingTests {
  @Test func `edits are taken back and done again before the save`() async throws {
    let browser = try await editingBrowser()
    await browser.press("u")
    #expect(browser.terminal.shows("There is nothing to take back."))
    await browser.press("e<c-u>One<enter>e<c-u>Two<enter>u")
    #expect(browser.terminal.shows("Took back: title of"))
    #expect(browser.mine("title") == .text("One"))
    await browser.press("<c-r>")
    #expect(browser.mine("title") == .text("Two"))
    await browser.press("uu")
    #expect(browser.pending.isEmpty)
  }

  @Test func `discarding asks when more than one object is pending`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>One<enter>D")
    #expect(browser.session.state.overlay == nil && browser.pending.isEmpty)
    await browser.press("e<c-u>One<enter>je<c-u>Two<enter>D")
    #expect(browser.session.state.overlay == .question(.discard))
    await browser.press("<esc>")
    #expect(browser.pending.objects.count == 2)
    await browser.press("Dy")
    #expect(browser.pending.isEmpty)
  }

  @Test func `operations are done one after the other, however fast they come`() async throws {
    let browser = try await editingBrowser()
    browser.service.hold(.edit)
    browser.typeAhead("e<c-u>One<enter>je<c-u>Two<enter>")
    await browser.quiet()
    #expect(browser.terminal.shows("One") && browser.terminal.shows("Two"))
    #expect(browser.service.waitingCount == 1)
    browser.service.release(.edit)
    await browser.quiet()
    #expect(browser.pending.objects.count == 2)
  }

  // MARK: Leaving and recovery

  @Test func `quitting asks when edits are pending`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>One<enter>q")
    #expect(!browser.session.isOver)
    #expect(browser.terminal.shows("save and quit"))
    await browser.press("<esc>q")
    await browser.press("s")
    #expect(browser.session.isOver)
    #expect(browser.service.store.object(.firstEvent)?.values["title"] == .plain(.text("One", length: 3)))
  }

  @Test func `a save that fails keeps the program and the edits`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>One<enter>")
    browser.service.fail(.edit, FakeFailure("The disk is full."))
    await browser.press("qs")
    #expect(!browser.session.isOver)
    #expect(browser.terminal.shows("The disk is full."))
    #expect(browser.mine("title") == .text("One"))
    browser.service.fail(.edit, nil)
    await browser.press("<c-s>")
    #expect(!browser.session.isOver && browser.pending.isEmpty)
  }

  private func recovering() -> FakeStore {
    var store = FakeStore.festival()
    var edits = EditState()
    edits.objects = [
      EditState.Object(
        key: .firstEvent, entity: "Event", kind: .update,
        fields: ["title": EditState.Field(base: .text("Opening 1"), mine: .text("Recovered"))])
    ]
    store.outline.recovered = edits
    return store
  }

  @Test func `edits of an earlier run are offered once, and taken up`() async throws {
    let browser = try BrowserUnderTest(recovering())
    await browser.quiet()
    #expect(browser.terminal.shows("Unsaved edits of an earlier run"))
    await browser.press("<enter>")
    #expect(browser.session.state.editing.lock == .unlocked)
    #expect(browser.mine("title") == .text("Recovered"))
    #expect(browser.terminal.shows("Recovered"))
  }

  @Test func `edits of an earlier run are kept for later, or forgotten`() async throws {
    let later = try BrowserUnderTest(recovering())
    await later.quiet()
    await later.press("<esc>")
    #expect(later.service.log.contains("edit") == false)
    let forget = try BrowserUnderTest(recovering())
    await forget.quiet()
    await forget.press("D")
    #expect(forget.service.log.contains("edit"))
    #expect(forget.session.state.editing.edits.isEmpty)
  }

  // MARK: Conflicts and held changes

  @Test func `a conflict shows three values, lets one choose, and saves what was chosen`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>Mine<enter>le<c-u>50<enter>")
    browser.service.change {
      $0.set(.firstEvent, "title", text: "Theirs")
      $0.set(.firstEvent, "rating", .plain(.real(4.5)))
    }
    await browser.quiet()
    await browser.press("<c-s>")
    #expect(browser.terminal.shows("Changed by others meanwhile"))
    #expect(browser.terminal.shows("1 to choose"))
    await browser.press("<enter>")
    #expect(browser.terminal.shows("One value is still to be chosen."))
    await browser.press("t")
    #expect(browser.terminal.shows("all chosen"))
    await browser.press("<enter>")
    #expect(browser.session.state.overlay == nil && browser.pending.isEmpty)
    let values = browser.service.store.object(.firstEvent)?.values
    #expect(values?["title"] == .plain(.text("Theirs", length: 6)))
    #expect(values?["priority"] == .plain(.integer(50)))
    #expect(values?["rating"] == .plain(.real(4.5)))
  }

  @Test func `a whole object is settled at once, and leaving a conflict loses nothing`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>Mine<enter>le<c-u>50<enter>")
    browser.service.change {
      $0.set(.firstEvent, "title", text: "Theirs")
      $0.set(.firstEvent, "priority", .plain(.integer(7)))
    }
    await browser.press("<c-s><esc>")
    #expect(browser.mine("title") == .text("Mine"))
    await browser.press("<c-s>M<enter>")
    #expect(browser.service.store.object(.firstEvent)?.values["title"] == .plain(.text("Mine", length: 4)))
    #expect(browser.service.store.object(.firstEvent)?.values["priority"] == .plain(.integer(50)))
  }

  @Test func `an object that is gone keeps its edits or forgets them`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>Mine<enter>")
    browser.service.change { $0.remove(.firstEvent) }
    await browser.press("<c-s>")
    #expect(browser.terminal.shows("deleted by others"))
    await browser.press("m<enter>")
    #expect(browser.mine("title") == .text("Mine"))
    await browser.press("<c-s>t<enter>")
    #expect(browser.pending.isEmpty)
  }

  @Test func `changes of an object wait while a value of it is being edited`() async throws {
    let browser = try await editingBrowser()
    #expect(!browser.session.state.isHeld(.firstEvent))
    await browser.press("e")
    #expect(browser.session.state.isHeld(.firstEvent))
    #expect(!browser.session.state.isHeld(ObjectKey(entity: 1, primaryKey: 2)))
    browser.service.change { $0.set(.firstEvent, "priority", .integer(77)) }
    await browser.rest()
    #expect(browser.terminal.shows("1 change held"))
    #expect(browser.session.state.list?.buffer.rows.first?.cells[1] == .integer(27))
    #expect(inspected(browser, "priority") == .integer(27))
    await browser.press("<esc>")
    await browser.rest()
    #expect(!browser.session.state.isHeld(.firstEvent))
    #expect(browser.session.state.list?.buffer.rows.first?.cells[1] == .integer(77))
    #expect(inspected(browser, "priority") == .integer(77))
  }

  @Test func `where it cannot be told what changed the list is read again when the editor closes`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e")
    browser.service.changeUnseen { $0.set(.firstEvent, "priority", .integer(77)) }
    await browser.rest()
    #expect(browser.session.state.list?.buffer.rows.first?.cells[1] == .integer(27))
    #expect(inspected(browser, "priority") == .integer(27))
    await browser.press("<esc>")
    await browser.rest()
    #expect(browser.session.state.list?.buffer.rows.first?.cells[1] == .integer(77))
    #expect(inspected(browser, "priority") == .integer(77))
  }

  @Test func `the end of an object waits for the end of its editor`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e")
    browser.service.change { $0.remove(.firstEvent) }
    await browser.rest()
    #expect(!browser.session.state.inspector.isGone)
    await browser.press("<esc>")
    await browser.rest()
    #expect(browser.session.state.inspector.key == ObjectKey(entity: 1, primaryKey: 2))
  }

  private func inspected(_ browser: BrowserUnderTest, _ property: String) -> CellValue? {
    browser.session.state.inspector.record?.fields.first { $0.property.name == property }?.value
  }
}
