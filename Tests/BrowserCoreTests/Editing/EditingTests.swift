import BrowserTestSupport
import CoreData
import CoreDataKit
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct EditingTests {
  // MARK: Unlocking

  @Test func `the first edit asks once to unlock, and goes on once that is done`() async throws {
    let browser = try BrowserUnderTest()
    await browser.quiet()
    #expect(browser.terminal.shows("locked"))
    await browser.press("e")
    #expect(browser.session.state.overlay == .question(.unlock))
    #expect(browser.service.log.contains("unlock") == false)
    await browser.press("<enter>")
    #expect(browser.session.state.editing.lock == .unlocked)
    #expect(browser.session.state.editor?.target.property.name == "title")
    await browser.press("<esc>je")
    #expect(browser.session.state.overlay == nil)
    #expect(browser.session.state.editor?.target.key.primaryKey == 2)
    #expect(browser.service.log.count { $0 == "unlock" } == 1)
  }

  @Test func `leaving the store locked does nothing and is asked again`() async throws {
    let browser = try BrowserUnderTest()
    await browser.quiet()
    await browser.press("d<esc>")
    #expect(browser.session.state.editing == EditingState())
    await browser.press("a")
    #expect(browser.session.state.overlay == .question(.unlock))
  }

  @Test func `a store that is only read cannot be unlocked, and says why`() async throws {
    var store = FakeStore.festival()
    store.outline.isReadOnly = true
    store.outline.readOnlyReason = "Festival.sqlite belongs to someone else."
    let browser = try BrowserUnderTest(store)
    await browser.quiet()
    for key in ["e", "a", "d", "<c-s>", "u"] {
      await browser.press(KeyScript(key))
      #expect(browser.terminal.shows("Festival.sqlite belongs to someone else."))
      #expect(browser.session.state.overlay == nil)
    }
    #expect(browser.terminal.shows("read-only"))
  }

  @Test func `what cannot be unlocked is told`() async throws {
    let browser = try BrowserUnderTest()
    await browser.quiet()
    browser.service.fail(.unlock, FakeFailure("Another program holds the file."))
    await browser.press("e<enter>")
    #expect(browser.terminal.shows("Another program holds the file."))
    #expect(browser.session.state.editing.lock == .locked)
    #expect(browser.session.state.editor == nil)
  }

  @Test func `a session can open unlocked`() async throws {
    let service = FakeService(.festival())
    let session = Session(
      service: service, terminal: FakeTerminal(size: Size(width: 80, height: 24)),
      options: SessionOptions(opensUnlocked: true), clock: ManualClock())
    try session.start()
    await session.idle()
    #expect(session.state.editing.lock == .unlocked)
  }

  @Test func `the demo opens unlocked, and a store when that is asked for`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.appendingPathComponent("Demo.sqlite").path
    func isUnlocked(_ words: [String]) -> Bool? {
      let program = Program(environment: [:], isTerminal: true, output: { _ in }, errors: { _ in })
      guard case .browser(let launch) = program.run(words) else { return nil }
      return launch.options.opensUnlocked
    }
    #expect(isUnlocked(["demo", "--at", path, "--rows", "100"]) == true)
    #expect(isUnlocked([path]) == false)
    #expect(isUnlocked([path, "--edit"]) == true)
  }

  // MARK: Values

  @Test func `a value is edited, kept, marked and saved`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>New title<enter>")
    #expect(browser.mine("title") == .text("New title"))
    #expect(browser.terminal.shows("● New title") || browser.terminal.shows("▌●New title"))
    #expect(browser.terminal.shows("● 1 unsaved"))
    await browser.press("<c-s>")
    #expect(browser.pending.isEmpty)
    #expect(browser.terminal.shows("Saved 1 object."))
    #expect(browser.service.store.object(.firstEvent)?.values["title"] == .plain(.text("New title", length: 9)))
    #expect(browser.session.state.list?.buffer.rows.first?.cells.first == .text("New title", length: 9))
  }

  @Test func `edits belong to the object: they are seen after scrolling, sorting and drilling`() async throws {
    let browser = try await editingBrowser(.festival(events: 300))
    await browser.press("e<c-u>Mine<enter>GG")
    #expect(!browser.terminal.shows("Mine"))
    await browser.press("g")
    #expect(browser.terminal.shows("Mine"))
    await browser.press("3")
    #expect(browser.terminal.shows("was Opening 1"))
  }

  @Test func `the empty string and nil are two values`() async throws {
    let browser = try await editingBrowser()
    for _ in 0..<7 { await browser.press("l") }
    await browser.press("e<c-u><enter>")
    #expect(browser.mine("summary") == .text(""))
    await browser.press("e<c-n><enter>")
    #expect(browser.mine("summary") == .null)
    await browser.press("e")
    #expect(browser.session.state.editor?.isNil == true)
    await browser.press("x<enter>")
    #expect(browser.mine("summary") == .text("x"))
  }

  @Test func `a boolean is toggled by edit and enter`() async throws {
    let browser = try await editingBrowser()
    for _ in 0..<5 { await browser.press("l") }
    await browser.press("e<enter>")
    #expect(browser.mine("isPublic") == .boolean(false))
    await browser.press("e<enter>")
    #expect(browser.mine("isPublic") == nil)
  }

  @Test func `what is no number stays in the editor and says so at once`() async throws {
    let browser = try await editingBrowser()
    await browser.press("le<c-u>4x")
    #expect(browser.terminal.shows("✗ not an integer"))
    await browser.press("<enter>")
    #expect(browser.session.state.editor != nil)
    await browser.press("<backspace>2<enter>")
    #expect(browser.mine("priority") == .integer(42))
  }

  @Test func `the model's rules are checked as one types, and the newest text counts`() async throws {
    let browser = try await editingBrowser()
    await browser.press("le<c-u>101")
    #expect(browser.terminal.shows("✗ priority is at most 100"))
    await browser.press("<enter>")
    #expect(browser.session.state.editor != nil)
    browser.service.hold(.validation)
    browser.typeAhead("<backspace>")
    await browser.quiet()
    browser.typeAhead("5")
    await browser.quiet()
    #expect(browser.service.cancellations(of: .validation) >= 1)
    browser.service.release(.validation)
    await browser.quiet()
    #expect(browser.session.state.editor?.verdict == .invalid(.integer(105), "priority is at most 100"))
    await browser.press("<esc>")
    #expect(browser.session.state.editor == nil)
    #expect(browser.pending.isEmpty)
  }

  @Test func `dates are shown as they will be read`() async throws {
    let browser = try await editingBrowser()
    await browser.press("lle<c-u>Nov 2, 2025 6:04 pm")
    #expect(browser.terminal.shows("= 2025-11-02 18:04:00 UTC"))
    await browser.press("<enter>")
    #expect(browser.mine("starts") == .date(Date(timeIntervalSince1970: 1_762_106_640)))
  }

  @Test func `a date that is not typed anew keeps all its digits`() async throws {
    let browser = try await editingBrowser()
    await browser.press("llex<backspace><enter>")
    #expect(browser.session.state.editor == nil)
    #expect(browser.pending.isEmpty)
  }

  @Test func `a to-one relationship takes a pasted URI of the right entity and store`() async throws {
    let browser = try await editingBrowser()
    await browser.press("llle")
    let uri = "x-coredata://5C1E5A3B-0C4B-4C59-9E0B-0D3A0E8B7F11"
    for (text, words) in [
      ("\(uri)/Tag/p1", "Tag is no Venue"), ("\(uri)/Ghost/p1", "there is no entity Ghost"), ("hello", "paste the URI"),
      ("x-coredata://AAAA/Venue/p1", "in another store"),
    ] {
      await browser.press("<c-u>")
      browser.terminal.send(.paste(text))
      await browser.quiet()
      #expect(browser.terminal.shows(words), "\(text)")
    }
    await browser.press("<c-u>")
    browser.terminal.send(.paste("\(uri)/Venue/p3\n"))
    await browser.quiet()
    await browser.press("<enter>")
    #expect(browser.mine("venue") == .object(ObjectKey(entity: 7, primaryKey: 3)))
  }

  @Test func `data and to-many relationships say why they are not edited`() async throws {
    let browser = try await editingBrowser()
    await browser.press("lllle")
    #expect(browser.terminal.shows("tags leads to many objects"))
    await browser.press("llllle")
    #expect(browser.terminal.shows("poster holds data"))
    #expect(browser.session.state.editor == nil)
  }

  @Test func `text of several lines has a box in which enter makes a line`() async throws {
    let browser = try await editingBrowser()
    await browser.press("e<c-u>one<c-o><enter>two<c-s>")
    #expect(browser.mine("title") == .text("one\ntwo"))
    await browser.press("e")
    #expect(browser.session.state.editor?.isWide == true)
    #expect(browser.terminal.shows("line 2 of 2"))
    await browser.press("<esc>")
    browser.terminal.send(.paste("ignored"))
    await browser.press("je")
    browser.terminal.send(.paste("pasted\nlines"))
    await browser.quiet()
    #expect(browser.session.state.editor?.isWide == true)
  }

  @Test func `an editor waits for an object that is still being read`() async throws {
    var store = FakeStore.festival()
    store.set(.firstEvent, "title", .plain(.text("only the head", length: 900)))
    let browser = try await editingBrowser(store)
    await browser.press("e")
    #expect(browser.session.state.editor == nil)
    #expect(browser.terminal.shows("title is too long to be edited here"))
    let reading = try BrowserUnderTest(store, prepare: { $0.hold(.record) })
    await reading.quiet()
    reading.typeAhead("e<enter>")
    await reading.quiet()
    #expect(reading.session.state.editing.opensWhenRead?.property.name == "title")
    reading.service.change { $0.set(.firstEvent, "title", text: "whole") }
    reading.service.release(.record)
    await reading.quiet()
    #expect(reading.session.state.editor?.text == "whole")
  }

  @Test func `text is edited in a program of one's own, and looked at before it is kept`() async throws {
    let browser = try await editingBrowser()
    var given: String?
    browser.session.composer = {
      given = $0
      return "from elsewhere\nin two lines"
    }
    await browser.press("E")
    #expect(given == "Opening 1")
    #expect(browser.terminal.isStarted)
    #expect(browser.terminal.shows("in two lines"))
    await browser.press("<c-s>")
    #expect(browser.mine("title") == .text("from elsewhere\nin two lines"))
    browser.session.composer = { _ in throw EditorError("vi ended with status 1: the text is as it was") }
    await browser.press("E")
    #expect(browser.session.state.editor == nil)
    #expect(browser.terminal.shows("vi ended with status 1"))
    await browser.press("lE")
    #expect(browser.terminal.shows("Only text is edited in $EDITOR."))
  }

  @Test func `an editor of one's own gets the text in a file of its own, and leaves nothing behind`() throws {
    let folder = try TemporaryDirectory()
    let environment = ["TMPDIR": folder.url.path, "PATH": "/usr/bin:/bin"]
    func edit(_ command: String, _ text: String = "one") throws -> String {
      try ExternalEditor.edit(text, environment: environment.merging(["EDITOR": command]) { $1 })
    }
    #expect(try edit("sed -i s/one/two/") == "two")
    #expect(try edit("sh -c 'stat -c %a \"$0\" > \(folder.url.path)/mode'") == "one")
    #expect(try String(contentsOf: folder.url.appendingPathComponent("mode"), encoding: .utf8) == "600\n")
    #expect(try edit("printf 'a\\nb\\n' >") == "a\nb")
    #expect(throws: EditorError.self) { try edit("false") }
    #expect(throws: EditorError.self) { try edit("printf '\\377' >") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["mode"])
  }

  // MARK: Adding, deleting, undo

  @Test func `a new object stands above the list with its first text open, and is selected once saved`() async throws {
    let browser = try await editingBrowser(.festival(events: 300))
    await browser.press("jja")
    #expect(browser.session.state.editor?.target.property.name == "title")
    await browser.press("Brand new<enter>")
    #expect(browser.terminal.shows("1 new, not saved"))
    let key = try #require(browser.session.state.selectedNewObject?.key)
    #expect(key.isNew && browser.session.state.inspector.key == key)
    #expect(browser.service.log.contains("record 1 \(key.primaryKey)") == false)
    await browser.press("<down>")
    #expect(browser.session.state.selectedKey == ObjectKey(entity: 1, primaryKey: 1))
    await browser.press("<up>")
    #expect(browser.session.state.selectedKey == key)
    await browser.press("<c-s>")
    await browser.quiet()
    #expect(browser.session.state.newObjects.isEmpty)
    #expect(browser.service.store.object(ObjectKey(entity: 1, primaryKey: 301)) != nil)
  }

  @Test func `what cannot be saved is gone to, and all of it is told`() async throws {
    let browser = try await editingBrowser()
    await browser.press("a<esc>G<c-s>")
    #expect(browser.terminal.shows("Not saved, one value cannot be"))
    #expect(browser.session.state.selectedNewObject != nil)
    #expect(browser.session.state.list?.column == 0)
    await browser.press("!")
    #expect(browser.terminal.shows("title is required"))
  }

  @Test func `a delete shows what goes with it, and asks`() async throws {
    let browser = try await editingBrowser(entity: "Venue")
    await browser.press("d")
    #expect(browser.terminal.shows("Delete Old Harbour"))
    #expect(browser.terminal.shows("13 Event too (Venue.events)"))
    await browser.press("<esc>")
    #expect(browser.pending.isEmpty)
    await browser.press("dy")
    #expect(browser.pending.objects.count == 14)
    #expect(browser.terminal.shows("● 14 unsaved"))
    await browser.press("d")
    #expect(browser.terminal.shows("It is deleted once you save"))
    await browser.press("u")
    #expect(browser.pending.isEmpty)
  }

  @Test func `a delete that is forbidden cannot be agreed to`() async throws {
    let browser = try await editingBrowser(entity: "Tag")
    await browser.press("d")
    #expect(browser.terminal.shows("forbid it (Tag.events)"))
    await browser.press("y")
    #expect(browser.pending.isEmpty)
    #expect(browser.session.state.overlay != nil)
  }

  @Test func `what a delete takes along is known before it is agreed to`() async throws {
    let browser = try await editingBrowser(entity: "Venue")
    browser.service.hold(.preview)
    browser.typeAhead("dy")
    await browser.quiet()
    #expect(browser.session.state.overlay != nil)
    browser.service.release(.preview)
    await browser.quiet()
    #expect(browser.pending.isEmpty)
    await browser.press("y")
    #expect(browser.pending.objects.count == 14)
  }
}
